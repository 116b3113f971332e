/** One function opens, repeats and ends alerts: what it says, and that whatever was opened is ended (G17). */
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type AlertCondition, areRemindersDue, type OpenAlerts, reconcile } from '../../src/core/alerts/reconcile.ts';
import { addTransferEvents, transferAlerts } from '../../src/core/alerts/transfer-alerts.ts';
import type { AlertEvent } from '../../src/core/facts/alert-event.ts';
import type { EventKind } from '../../src/core/facts/event-kinds.ts';
import { type AlertState, findSentKey, isSent } from '../../src/core/facts/remembered.ts';
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

describe('an alert that goes to another record', () => {
  const [a1, a2, unclear] = ['device:a/1', 'device:a/2', 'device:a/unclear'];
  const toKey = (short: string) => (short === 'unclear' ? unclear : short.replace('a', 'device:a/'));
  const toShort = (key: string) => key.replace(/^device:a\/(\d)/, 'a$1').replace(unclear, 'unclear');
  /** Moves such as `a1>a2 a2>a3`; nobody can tell of the record `unclear`. */
  const move = (moves: string, states: readonly AlertState[], conditions: readonly AlertCondition[] = []) => {
    const open = toOpen(states);
    const transfers = moves.split(' ').map((text) => {
      const [from = '', to = ''] = text.split('>').map(toKey);
      return { from, to };
    });
    const transferred = transferAlerts(moves === '' ? [] : transfers, open);
    const own = reconcile(conditions, open, { slot: slot(20), isReminderRun: false });
    const describe = ({ key }: AlertState) => (key === unclear ? undefined : { source: 'b', text: 'moved' });
    const events = addTransferEvents(own, transferred, open, describe, slot(20));
    const lines = events.map(({ key, phase, previousKey = '' }) => [toShort(key), phase, toShort(previousKey)]);
    return { events, lines: lines.map((line) => line.join(' ').trim()), open: [...open.values()] };
  };
  const one = [lost(a1, 1)];
  const silent = [lost(a1, 1, 1, { kind: 'baseline' })];
  const waiting = [lost(unclear, 1, 1, { sentKey: a1 })];
  type Row = [string, string, readonly AlertState[], readonly AlertCondition[], readonly string[], readonly string[]];

  it.each<Row>([
    ['ends there and opens here, for programs', 'a1>a2', one, [], ['a1 over', 'a2 first a1'], ['a2']],
    ['only ends where the new record has one already', 'a1>a2', [...one, lost(a2, 2)], [], ['a1 over'], ['a2']],
    ['and back in the same run moved nowhere', 'a1>a2 a2>a1', one, [], [], ['a1']],
    ['and on to a third ends once', 'a1>a2 a2>a3', one, [], ['a1 over', 'a3 first a1'], ['a3']],
    [
      'and on to a third leaves its key to whatever else has it then',
      ...(['a1>a2 a2>a3', one, [firing(a2)], ['a2 first', 'a1 over', 'a3 first a1'], ['a3', 'a2']] as const),
    ],
    ['and was never sent is moved in silence', 'a1>a2', silent, [], [], ['a2']],
    ['is nothing where none is open', 'a1>a2', [], [], [], []],
    ['stays where the record is the same', 'a1>a1', one, [], [], ['a1']],
    [
      'and is said there is said with the key that it had',
      ...(['a1>a2', one, [firing(a2, 'device.flapping')], ['a2 first a1', 'a1 over'], ['a2']] as const),
    ],
    ['and ends there ends under the key that was sent', 'a1>a2', one, [resolved(a2)], ['a1 over'], []],
    ['waits under its key while nobody can tell of the new record', 'a1>unclear', one, [], [], ['unclear']],
    ['ends under its key after it waited', '', waiting, [resolved(unclear)], ['a1 over'], []],
    ['opens under the new key after it waited', 'unclear>a2', waiting, [], ['a1 over', 'a2 first a1'], ['a2']],
    ['and back after it waited moved nowhere', 'unclear>a1', waiting, [], [], ['a1']],
    [
      'that waited opens where its key is another’s now',
      ...(['', waiting, [firing(a1)], ['a1 first', 'unclear first a1'], ['unclear', 'a1']] as const),
    ],
    [
      'that waited ends in silence where its key is another’s now',
      ...(['', waiting, [firing(a1), resolved(unclear)], ['a1 first'], ['a1']] as const),
    ],
  ])('%s', (_, moves, states, conditions, lines, open) => {
    const result = move(moves, states, conditions);
    expect(result.lines).toEqual(lines);
    expect(result.open.map(({ key }) => toShort(key))).toEqual(open);
  });

  it('says where it went, is bookkeeping, and holds there what it is sent as there', () => {
    const { events, open } = move('a1>a2', one);
    expect(events).toMatchObject([
      { text: `The machine has another record: see ${a2}.`, isBookkeeping: true, sentAs: [{ kind: 'device.lost' }] },
      { text: 'moved', source: 'b', since: slot(1), isBookkeeping: true },
    ]);
    expect(open).toMatchObject([{ key: a2, sentAs: [{ kind: 'device.lost', source: 'b' }] }]);
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
const nightArbitrary = fc.record({
  families: fc.tuple(...prefixes.map((prefix) => fc.option(familyArbitrary(prefix), { nil: [] }))),
  moves: fc.array(fc.tuple(fc.constantFrom('1', '2', '3'), fc.constantFrom('2', '3', '4')), { maxLength: 2 }),
});

test('whatever is opened is said again or ended, under its key: never both, and never twice (G17)', () => {
  fc.assert(
    fc.property(fc.array(nightArbitrary, { maxLength: 25 }), (all) => {
      const open: OpenAlerts = new Map();
      /** What somebody has open who reads every event. */
      const known = new Set<string>();
      for (const [index, { families, moves }] of all.entries()) {
        const run = { slot: slot(index + 1), isReminderRun: index % 7 === 6 };
        const transfers = moves.map(([from, to]) => ({ from: prefixes[0] + from, to: prefixes[0] + to }));
        const transferred = transferAlerts(transfers, open);
        const own = families.flatMap((conditions) => reconcile(conditions, open, run));
        const describe = ({ key }: AlertState) => (index % 2 === 0 || key.endsWith('4') ? {} : undefined);
        const events: AlertEvent[] = addTransferEvents(own, transferred, open, describe, run.slot);
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
        expect([...known].sort()).toEqual([...open.values()].filter(isSent).map(findSentKey).sort());
      }
    }),
    { seed: Number(process.env.FC_SEED ?? 20_261_123), numRuns: 300 },
  );
});
