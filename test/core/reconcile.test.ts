/** The one place where alerts open, repeat and end, by example. */
import { describe, expect, it } from 'vitest';
import type { FiringAlert, Notice, RuleVerdict } from '../../src/core/alerts/alert-rule.ts';
import { type AlertRun, endWith, reconcileAlerts } from '../../src/core/alerts/reconcile.ts';
import type { AlertEvent } from '../../src/core/facts/alert-event.ts';
import type { EventKind } from '../../src/core/facts/event-kinds.ts';
import type { AlertState } from '../../src/core/facts/remembered.ts';
import { makeOpenAlert as lost, slot } from './make-facts.ts';

const below = (key: string, since = 1, last = since) => lost(key, since, last, { kind: 'coverage.below' });
const firing = (key: string, kind: EventKind = 'device.lost', more: Partial<FiringAlert> = {}): FiringAlert => ({
  key,
  kind,
  details: { text: `${key} holds` },
  ...more,
});
/** A rule that speaks for every key. */
const rule = (alerts: readonly FiringAlert[], more: Partial<RuleVerdict> = {}): RuleVerdict => ({
  prefix: '',
  firing: alerts,
  isUnknown: () => false,
  ...more,
});

/** Run 20, unless it is another. */
function reconcile(
  rules: readonly RuleVerdict[],
  open: readonly AlertState[] = [],
  { number = 20, notices = [], ...run }: Partial<AlertRun> & { readonly notices?: readonly Notice[] } = {},
) {
  const all = { slot: slot(number), number, open, noticed: [], reminded: undefined, ...run };
  return reconcileAlerts({ rules, notices }, all);
}
const listEvents = ({ events }: { readonly events: readonly AlertEvent[] }) =>
  events.map(({ key, phase }) => `${key} ${phase}`);
const listKeys = (open: readonly AlertState[]) => open.map(({ key }) => key);

describe('an alert that fires', () => {
  it('opens with an event, by the commit of its run', () => {
    const { events, open } = reconcile([rule([firing('1', 'source.carried', { since: slot(18), about: 'x' })])]);
    const text = '1 holds';
    expect(events).toEqual([
      { kind: 'source.carried', key: '1', phase: 'first', slot: slot(20), since: slot(18), opened: 20, text },
    ]);
    const alert = { key: '1', kind: 'source.carried', since: slot(18), opened: 20, last: slot(20), about: 'x' };
    expect(open).toEqual([{ ...alert, details: { text }, sentAs: [{ kind: 'source.carried' }] }]);
  });

  it('has no event while it stays the same, and keeps the content of its last one', () => {
    const before = lost('1', 1, 3, { about: 'x', details: { text: 'before' } });
    expect(reconcile([rule([firing('1', 'device.lost', { about: 'x' })])], [before])).toEqual({
      ...{ events: [], open: [before], noticed: [], reminded: undefined },
    });
  });

  it('that becomes another kind, or is about something else, opens anew and stays of the commit that opened it', () => {
    const alerts = [firing('1', 'device.flapping'), firing('2', 'device.lost', { about: 'x', since: slot(3) })];
    const { events, open } = reconcile([rule(alerts)], [lost('1', 1), lost('2', 2)]);
    expect(events.map(({ key, phase, since, opened }) => [key, phase, since, opened])).toEqual([
      ['1', 'first', slot(20), 1],
      ['2', 'first', slot(3), 2],
    ]);
    expect(open).toMatchObject([
      { key: '1', kind: 'device.flapping', opened: 1, changed: 20 },
      { key: '2', kind: 'device.lost', about: 'x', opened: 2, changed: 20 },
    ]);
  });

  it.each<[string, FiringAlert[], AlertState[], number, string[]]>([
    ['not within a week', [firing('one', 'coverage.below')], [below('one')], 7, []],
    ['after a week', [firing('one', 'coverage.below')], [below('one')], 8, ['one again']],
    [
      'with another that is a week old',
      [firing('one', 'coverage.below'), firing('two', 'coverage.below')],
      [below('one', 7), below('two')],
      8,
      ['one again', 'two again'],
    ],
    ['not twice in a slot', [firing('one', 'coverage.below')], [below('one', 8), below('two')], 8, ['two over']],
    ['not of a kind without reminders', [firing('one')], [below('two'), lost('one', 1)], 8, ['two over']],
    [
      'not because of such a kind',
      [firing('one', 'coverage.below'), firing('two')],
      [below('one', 7), lost('two', 1)],
      8,
      [],
    ],
    [
      'in each run where its rule repeats it',
      [firing('one', 'device.lost', { repeated: {} })],
      [lost('one', 1)],
      2,
      ['one again'],
    ],
    ['but not twice in a slot', [firing('one', 'device.lost', { repeated: {} })], [lost('one', 1, 2)], 2, []],
  ])('is sent again: %s', (_, alerts, open, number, expected) => {
    expect(listEvents(reconcile([rule(alerts)], open, { number }))).toEqual(expected);
  });

  it('is sent again at most once a week in all, and in no run that takes another one back', () => {
    const rules = [rule([firing('one', 'coverage.below')])];
    const remind = (more: Partial<AlertRun>) => reconcile(rules, [below('one')], { number: 8, ...more });
    expect(remind({ reminded: slot(2) })).toMatchObject({ events: [], reminded: slot(2) });
    expect(remind({ reminded: slot(1) })).toMatchObject({ events: [{ phase: 'again' }], reminded: slot(8) });
    expect(remind({ retracts: { slot: slot(9), openedFrom: 9 } })).toMatchObject({ events: [], reminded: undefined });
    const repeated = [rule([firing('one', 'source.carried', { repeated: {} })])];
    expect(reconcile(repeated, [lost('one', 1, 1, { kind: 'source.carried' })]).reminded).toBeUndefined();
  });

  it('is sent again with what its rule says of one that is repeated', () => {
    const alert = firing('1', 'source.carried', { repeated: { source: 'macs', text: 'still' } });
    const { events, open } = reconcile([rule([alert])], [lost('1', 1, 19, { kind: 'source.carried' })]);
    expect(events).toMatchObject([{ phase: 'again', since: slot(1), opened: 1, text: 'still' }]);
    expect(open).toMatchObject([{ last: slot(20), details: { source: 'macs', text: 'still' } }]);
    expect(open[0]?.sentAs).toEqual([{ kind: 'device.lost' }, { kind: 'source.carried', source: 'macs' }]);
  });

  it('opens without an event where a notice counts it, ends without one, and has one where it changes', () => {
    const counted = (kind: EventKind = 'device.silent', more: Partial<FiringAlert> = {}) =>
      rule([firing('1', kind, { isCounted: true, ...more })]);
    const { events, open } = reconcile([counted()], [], { number: 1 });
    expect(events).toEqual([]);
    expect(open).toMatchObject([{ key: '1', opened: 1, isCounted: true }]);
    expect(open[0]).not.toHaveProperty('sentAs');
    for (const again of [counted(), counted('device.silent', { repeated: {}, isCounted: undefined })]) {
      expect(reconcile([again], open)).toMatchObject({ events: [], open });
    }
    expect(reconcile([rule([])], open)).toMatchObject({ events: [], open: [] });
    const changed = reconcile([counted('device.lost')], open);
    expect(listEvents(changed)).toEqual(['1 first']);
    expect(changed.open[0]).not.toHaveProperty('isCounted');
    expect(listEvents(reconcile([rule([])], changed.open))).toEqual(['1 over']);
  });

  it('holds what it was sent as, each once', () => {
    let open: readonly AlertState[] = [];
    for (const [site, about] of [
      ['Berlin', 'x'],
      ['Berlin', 'y'],
      ['Oslo', 'z'],
    ] as const) {
      const device = { id: '1', status: 'Not Installed', reason: 'reported', site } as const;
      open = reconcile([rule([firing('1', 'device.lost', { about, details: { source: 'macs', device } })])], open).open;
    }
    const scope = { kind: 'device.lost', source: 'macs' };
    expect(open[0]?.sentAs).toEqual([
      { ...scope, site: 'Berlin' },
      { ...scope, site: 'Oslo' },
    ]);
  });
});

describe('an alert that does not fire', () => {
  it('ends where its rule speaks for it, and stays where that cannot tell or no rule speaks for it', () => {
    const open = ['a:1', 'a:2', 'a:held', 'b:1'].map((key) => lost(key, 1));
    const isUnknown = (key: string) => key === 'a:held';
    const after = reconcile([rule([firing('a:1')], { prefix: 'a:', isUnknown })], open);
    expect(listEvents(after)).toEqual(['a:2 over']);
    expect(listKeys(after.open)).toEqual(['a:1', 'a:held', 'b:1']);
  });

  it('ends for everybody that it was sent to, with the words of its rule or else of its kind', () => {
    const sentAs = [{ kind: 'device.lost' as const, site: 'Berlin' }];
    const [one, two] = [lost('1', 1, 1, { sentAs }), lost('2', 3, 3, { kind: 'device.overdue' })];
    const describeEnd = () => ({ kind: 'device.recovered' as const, details: { source: 'macs' } });
    const over = { phase: 'over', slot: slot(20) };
    expect(reconcile([rule([], { describeEnd })], [one]).events).toEqual([
      { ...over, kind: 'device.recovered', key: '1', since: slot(1), opened: 1, source: 'macs', sentAs },
    ]);
    expect(reconcile([rule([])], [two]).events).toMatchObject([
      { ...over, kind: 'device.overdue', opened: 3, text: 'No device has been without the agent for so long.' },
    ]);
  });

  it.each([
    ['housekeeping.unfinished', 'The audit', 'The audit works again; the rest of it is done.'],
    ['exemption.expired', undefined, 'It was renewed, corrected or removed.'],
    ['machine.unenrolled', 'x', 'It has ended.'],
  ] as const)('of the kind %s ends in a sentence about %s', (kind, subject, text) => {
    const alert = lost('1', 1, 1, { kind, details: subject === undefined ? {} : { subject } });
    expect(reconcile([rule([])], [alert]).events).toMatchObject([{ text }]);
  });

  it('ends with the places that it was about', () => {
    const device = { id: '1', status: 'Not Installed', reason: 'reported' } as const;
    const places = { source: 'macs', platform: 'macos', device, site: 'Oslo' };
    const details = { ...places, text: 'lost', figures: { one: 1 }, subject: 'x', first: [] };
    expect(endWith({ details }, 'over')).toEqual({ details: { ...places, text: 'over' } });
  });
});

describe('a run that takes another one back', () => {
  const retracts = { slot: slot(21), openedFrom: 5 };

  it('ends what was opened since, also where nobody can tell, unless it fires', () => {
    const open = [lost('1', 4), lost('2', 5), lost('3', 6), lost('4', 4)];
    const isUnknown = (key: string) => key !== '4';
    const after = reconcile([rule([firing('3')], { isUnknown })], open, { retracts });
    expect(after.events).toMatchObject([
      { key: '2', phase: 'over', text: `Only the run of ${slot(21)} opened this, and it was retracted.` },
      { key: '4', phase: 'over', text: 'It has ended.' },
    ]);
    expect(after.open).toEqual([open[0], open[2]]);
  });
});

describe('a notice', () => {
  const notice = (key: string): Notice => ({ key, kind: 'baseline', details: { text: key } });

  it('is sent before all alerts, opens none, and is sent once for a slot', () => {
    const notices = ['a', 'b'].map(notice);
    const { events, open, noticed } = reconcile([rule([firing('1')])], [], { notices, noticed: ['a'] });
    expect(events).toMatchObject([
      { key: 'b', kind: 'baseline', phase: 'notice', slot: slot(20), since: slot(20), opened: 20, text: 'b' },
      { key: '1', phase: 'first' },
    ]);
    expect(listKeys(open)).toEqual(['1']);
    expect(noticed).toEqual(['a', 'b']);
  });
});
