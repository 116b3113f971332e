/** One function opens, repeats and ends alerts: what it says, and that whatever was opened is ended (G17). */
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type AlertCondition, areRemindersDue, type OpenAlerts, reconcile } from '../../src/core/alerts/reconcile.ts';
import type { EventKind } from '../../src/core/facts/event-kinds.ts';
import { type AlertState, isSent } from '../../src/core/facts/remembered.ts';
import { openAlert as lost, slot } from './world.ts';

const firing = (key: string, kind: EventKind = 'device.lost', more: object = {}): AlertCondition => ({
  state: 'firing',
  key,
  kind,
  details: {},
  ...more,
});
const resolved = (key: string, kind?: EventKind): AlertCondition => ({
  state: 'resolved',
  key,
  details: { text: 'gone' },
  ...(kind === undefined ? {} : { kind }),
});
const toOpen = (states: readonly AlertState[]): OpenAlerts => new Map(states.map((state) => [state.key, state]));

function say(conditions: readonly AlertCondition[], states: readonly AlertState[] = [], night = 20, reminded?: string) {
  const open = toOpen(states);
  const run = { slot: slot(night), isReminderRun: areRemindersDue(states, slot(night), reminded) };
  const events = reconcile(conditions, open, run);
  return { events, said: events.map(({ key, phase }) => `${key} ${phase}`), open: [...open.values()] };
}

describe('an alert', () => {
  const below = (key: string, last = 1) => lost(key, 1, last, { kind: 'coverage.below' });

  it.each<[string, readonly AlertCondition[], readonly AlertState[], number, readonly string[]]>([
    ['not within a week', [firing('one', 'coverage.below')], [below('one')], 7, []],
    ['after a week', [firing('one', 'coverage.below')], [below('one')], 8, ['one again']],
    [
      'with another that is a week old',
      [firing('one', 'coverage.below')],
      [below('one', 7), below('two')],
      8,
      ['one again'],
    ],
    ['not twice in a slot', [firing('one', 'coverage.below')], [below('one', 8), below('two')], 8, []],
    ['not of a kind without reminders', [firing('one')], [below('two'), lost('one', 1)], 8, []],
    ['not because of such a kind', [firing('one', 'coverage.below')], [below('one', 7), lost('two', 1)], 8, []],
    [
      'in each run where the family repeats it',
      [firing('one', 'device.lost', { repeated: {} })],
      [lost('one', 1)],
      2,
      ['one again'],
    ],
    ['but not twice in a slot', [firing('one', 'device.lost', { repeated: {} })], [lost('one', 1, 2)], 2, []],
  ])('is said again: %s', (_, conditions, states, night, expected) => {
    expect(say(conditions, states, night).said).toEqual(expected);
  });

  it('is said again at most once a week in all', () => {
    expect(areRemindersDue([below('one')], slot(8), slot(2))).toBe(false);
    expect(areRemindersDue([below('one')], slot(8), slot(1))).toBe(true);
  });

  it('that becomes another kind, or is about something else, is opened anew and was open', () => {
    const conditions = [
      firing('1', 'device.flapping'),
      firing('2', 'device.lost', { about: 'x', since: slot(3) }),
      firing('3'),
    ];
    const { events, open } = say(conditions, [lost('1', 1), lost('2', 2)]);
    expect(events.map(({ key, phase, since, wasOpen }) => [key, phase, since, wasOpen])).toEqual([
      ['1', 'first', slot(20), true],
      ['2', 'first', slot(3), true],
      ['3', 'first', slot(20), undefined],
    ]);
    expect(open.map(({ key, kind, about }) => [key, kind, about])).toEqual([
      ['1', 'device.flapping', undefined],
      ['2', 'device.lost', 'x'],
      ['3', 'device.lost', undefined],
    ]);
  });

  it('is sent as resolved to whoever it was sent as open, and one that was never sent is forgotten', () => {
    const sentAs = [{ kind: 'device.lost' as const, site: 'Berlin' }];
    const states = [
      lost('1', 1, 1, { sentAs }),
      ...['2', '4'].map((id) => lost(`device:a/${id}`, 1, 1, { kind: 'baseline', sentAs: [] })),
    ];
    const { events, open } = say(
      [resolved('1'), resolved('device:a/2'), resolved('3'), resolved('device:a/4', 'device.recovered')],
      states,
    );
    expect(events).toEqual([
      { kind: 'device.lost', key: '1', phase: 'over', slot: slot(20), since: slot(1), text: 'gone', sentAs },
    ]);
    expect(open).toEqual([]);
  });

  it('that another event counts is open without one, unless it was open', () => {
    const counted = (key: string): AlertCondition => ({ state: 'counted', key });
    const { events, open } = say([counted('device:a/1'), counted('device:a/2')], [lost('device:a/2', 1)]);
    expect(events).toEqual([]);
    expect(open.map(({ key, kind, since }) => [key, kind, since])).toEqual([
      ['device:a/2', 'device.lost', slot(1)],
      ['device:a/1', 'baseline', slot(20)],
    ]);
  });

  it('that its family does not name ends, and one that no family speaks about stays', () => {
    const others: AlertCondition = {
      state: 'others',
      prefix: 'a:',
      resolve: ({ key }) => (key === 'a:held' ? undefined : { details: { text: `ended ${key}` } }),
    };
    const states = ['a:1', 'a:2', 'a:3', 'a:held', 'b:1'].map((key) => lost(key, 1));
    // Also where the others come before what is named.
    const { events, open } = say([others, firing('a:1'), { state: 'unknown', key: 'a:2' }], states);
    expect(events.map(({ key, phase, text }) => [key, phase, text])).toEqual([['a:3', 'over', 'ended a:3']]);
    expect(open.map(({ key }) => key)).toEqual(['a:1', 'a:2', 'a:held', 'b:1']);
  });

  it('holds what it was sent as, each once', () => {
    const at = (site: string, about: string) => {
      const device = { id: '1', status: 'Not Installed', reason: 'reported', site };
      return [firing('1', 'device.lost', { about, details: { source: 'macs', device } })];
    };
    const open = toOpen([]);
    for (const conditions of [at('Berlin', 'x'), at('Berlin', 'y'), at('Oslo', 'z')]) {
      reconcile(conditions, open, { slot: slot(20), isReminderRun: false });
    }
    const scope = { kind: 'device.lost', source: 'macs' };
    expect(open.get('1')?.sentAs).toEqual([
      { ...scope, site: 'Berlin' },
      { ...scope, site: 'Oslo' },
    ]);
  });
});

/** Families of which each speaks about the keys with its prefix, or about none of them. */
const prefixes = ['device:a/', 'row:', 'check:'] as const;
const conditionArbitrary = (key: string): fc.Arbitrary<AlertCondition> =>
  fc.oneof(
    fc
      .record({
        kind: fc.constantFrom<EventKind[]>('device.lost', 'coverage.below'),
        about: fc.constantFrom(undefined, 'x'),
        repeated: fc.boolean(),
      })
      .map(({ kind, about, repeated }) => firing(key, kind, { about, ...(repeated ? { repeated: {} } : {}) })),
    fc.constantFrom<AlertCondition[]>(resolved(key), resolved(key, 'device.recovered'), { state: 'unknown', key }),
    fc.constant<AlertCondition>(key.startsWith('device:') ? { state: 'counted', key } : { state: 'unknown', key }),
  );
const familyArbitrary = (prefix: string): fc.Arbitrary<AlertCondition[]> =>
  fc.tuple(fc.subarray(['1', '2', '3', '4']), fc.boolean()).chain(([ids, isLast]) =>
    fc.tuple(...ids.map((id) => conditionArbitrary(prefix + id))).map((named): AlertCondition[] => {
      const others: AlertCondition = { state: 'others', prefix, resolve: () => ({ details: {} }) };
      return isLast ? [...named, others] : [others, ...named];
    }),
  );
const nightArbitrary = fc.tuple(...prefixes.map((prefix) => fc.option(familyArbitrary(prefix), { nil: [] })));

test('whatever is opened is said again or ended, under its key: never both, and never twice (G17)', () => {
  fc.assert(
    fc.property(fc.array(nightArbitrary, { maxLength: 25 }), (all) => {
      const open: OpenAlerts = new Map();
      /** What somebody has open who reads every event. */
      const known = new Set<string>();
      for (const [index, families] of all.entries()) {
        const run = { slot: slot(index + 1), isReminderRun: index % 7 === 6 };
        const events = families.flatMap((conditions) => reconcile(conditions, open, run));
        const keys = events.map(({ key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
        for (const { key, phase } of events) {
          expect(known.has(key) || phase === 'first', `${key} ${phase}`).toBe(true);
          known[phase === 'over' ? 'delete' : 'add'](key);
        }
        // A family that speaks leaves nothing open that it did not name.
        for (const [place, prefix] of prefixes.entries()) {
          const named = new Set(families[place]?.map((condition) => ('key' in condition ? condition.key : '')));
          const left = [...open.keys()].filter((key) => key.startsWith(prefix) && !named.has(key));
          expect(named.size === 0 ? [] : left).toEqual([]);
        }
        expect([...known].sort()).toEqual(
          [...open.values()]
            .filter(isSent)
            .map(({ key }) => key)
            .sort(),
        );
      }
    }),
    { seed: Number(process.env.FC_SEED ?? 20_261_123), numRuns: 300 },
  );
});
