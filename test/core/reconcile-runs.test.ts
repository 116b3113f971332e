/** The one place where alerts open, repeat and end, for random verdicts over random runs: some repeat a slot, some take one back. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FiringAlert, RuleVerdict } from '../../src/core/alerts/alert-rule.ts';
import { type AlertRun, reconcileAlerts } from '../../src/core/alerts/reconcile.ts';
import type { AlertEvent } from '../../src/core/facts/alert-event.ts';
import type { EventKind } from '../../src/core/facts/event-kinds.ts';
import type { AlertState } from '../../src/core/facts/remembered.ts';
import { slot } from './make-facts.ts';

/** A rule's verdict on its four keys in one run, each of which fires, is unknown or neither; or the rule says nothing. */
const prefixes = ['device:', 'row:', 'check:'] as const;
type Word = Pick<FiringAlert, 'kind' | 'about' | 'isCounted'> & { readonly isRepeated: boolean };
const wordArbitrary: fc.Arbitrary<Word | 'unknown' | 'over'> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('unknown' as const, 'over' as const) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom<EventKind[]>('device.lost', 'coverage.below'),
      about: fc.constantFrom(undefined, 'x'),
      isCounted: fc.constantFrom(undefined, undefined, true as const),
      isRepeated: fc.boolean(),
    }),
  },
);
const verdictArbitrary = fc.option(fc.tuple(...[1, 2, 3, 4].map(() => wordArbitrary)), { nil: undefined, freq: 4 });
const runArbitrary = fc.record({
  step: fc.constantFrom('next', 'next', 'next', 'same', 'retract'),
  verdicts: fc.tuple(...prefixes.map(() => verdictArbitrary)),
  notices: fc.subarray(['one', 'two']),
});

test('whatever is opened is sent again or ended, under its key: never both, and never twice (G17)', () => {
  fc.assert(
    fc.property(fc.array(runArbitrary, { maxLength: 25 }), (runs) => {
      let after: Partial<ReturnType<typeof reconcileAlerts>> = {};
      /** Open alerts for somebody who reads every event. */
      const known = new Set<string>();
      let day = 1;
      for (const [index, { step, verdicts, notices }] of runs.entries()) {
        const number = index + 1;
        day += step === 'next' ? 1 : step === 'retract' && day > 1 ? -1 : 0;
        const noticed = step === 'same' ? (after.noticed ?? []) : [];
        const retracts = step === 'retract' ? { slot: slot(day + 1), openedFrom: Math.max(1, number - 2) } : undefined;
        const before = new Map((after.open ?? []).map((alert) => [alert.key, alert]));
        after = reconcileAlerts(
          {
            rules: verdicts.flatMap((words, place) =>
              words === undefined ? [] : toRule(prefixes[place] ?? prefixes[0], words),
            ),
            notices: notices.map((key) => ({ key, kind: 'baseline', details: {} })),
          },
          { slot: slot(day), number, open: [...before.values()], noticed, reminded: after.reminded, retracts },
        );
        const { events = [], open = [] } = after;
        const keys = events.map(({ key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
        expect(events.flatMap(({ key, phase }) => (phase === 'notice' ? key : []))).toEqual(
          notices.filter((key) => !noticed.includes(key)),
        );
        for (const { key, phase } of events.filter((event) => event.phase !== 'notice')) {
          expect(known.has(key) || phase === 'first', `${key} ${phase}`).toBe(true);
          known[phase === 'over' ? 'delete' : 'add'](key);
        }
        expect([...known].sort()).toEqual(open.flatMap(({ key, isCounted }) => (isCounted ? [] : key)).sort());
        const isOpen = new Map(open.map((alert) => [alert.key, alert]));
        for (const [place, prefix] of prefixes.entries()) {
          for (const [id, word] of [1, 2, 3, 4].map((one, at) => [one, verdicts[place]?.[at]] as const)) {
            const key = `${prefix}${id}`;
            const event = events.find((one) => one.key === key);
            expectAsDecided(word, before.get(key), isOpen.get(key), event, { number, retracts });
          }
        }
      }
    }),
    { seed: Number(process.env.FC_SEED ?? 20_261_123), numRuns: 300 },
  );
});

function toRule(prefix: (typeof prefixes)[number], words: readonly (Word | 'unknown' | 'over')[]): RuleVerdict {
  const named = words.map((word, index) => [`${prefix}${index + 1}`, word] as const);
  const alerts = named.flatMap(([key, word]): FiringAlert[] => {
    if (typeof word === 'string') {
      return [];
    }
    const { isRepeated, kind, ...more } = word;
    return [{ key, kind, details: {}, ...more, ...(isRepeated && { repeated: {} }) }];
  });
  return { prefix, firing: alerts, isUnknown: (key) => named.some(([own, word]) => own === key && word === 'unknown') };
}

function expectAsDecided(
  word: Word | 'unknown' | 'over' | undefined,
  before: AlertState | undefined,
  after: AlertState | undefined,
  event: AlertEvent | undefined,
  { number, retracts }: Pick<AlertRun, 'number' | 'retracts'>,
) {
  if (word === undefined || typeof word === 'string') {
    const isRetracted = word !== undefined && retracts !== undefined && (before?.opened ?? 0) >= retracts.openedFrom;
    const ends = before !== undefined && (word === 'over' || isRetracted);
    expect(after).toEqual(ends ? undefined : before);
    expect(event?.phase).toBe(ends && before.isCounted !== true ? 'over' : undefined);
    return;
  }
  const isSame = before?.kind === word.kind && before.about === word.about;
  expect(after).toMatchObject({ kind: word.kind, opened: before?.opened ?? number });
  expect(after?.about).toBe(word.about);
  expect(after?.changed).toBe(before === undefined || isSame ? before?.changed : number);
  if (!isSame) {
    const isCounted = before === undefined && word.isCounted === true;
    expect(after?.isCounted === true).toBe(isCounted);
    expect(event?.phase).toBe(isCounted ? undefined : 'first');
  } else {
    expect(after?.isCounted).toBe(before.isCounted);
    expect([undefined, ...(before.isCounted ? [] : ['again'])]).toContain(event?.phase);
  }
}
