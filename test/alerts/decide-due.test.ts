/** What a channel is due, and how the runs of a range become one message. */
import { describe, expect, it } from 'vitest';
import { type Due, decideDue } from '../../src/alerts/delivery/decide-due.ts';
import { listLostAlerts, mergeRange } from '../../src/alerts/delivery/merge-range.ts';
import type { AlertEvent } from '../../src/core/facts/alert-event.ts';
import type { EventKind, Phase } from '../../src/core/facts/event-kinds.ts';
import type { AlertState } from '../../src/core/facts/remembered.ts';

const day = (number: number) => `2026-06-${String(number).padStart(2, '0')}`;

function event(kind: EventKind, phase: Phase, on: number, more: Partial<AlertEvent> = {}): AlertEvent {
  return { kind, key: kind, phase, slot: day(on), since: day(1), opened: on, ...more };
}

function decide(events: readonly AlertEvent[], more: object = {}, settings: object = {}): Due {
  return decideDue({ audience: 'people', ...more }, { first: 10, events, slot: day(10), missed: 0 }, settings);
}

describe('people are due', () => {
  const lost = event('device.lost', 'first', 10);
  const carried = event('source.carried', 'first', 10);
  const fresh = event('device.new-not-installed', 'first', 10);
  it.each([
    ['nothing without events', [], 'nothing'],
    ['a message of a device that lost the agent', [lost], 'due'],
    ['one of a source that is not sound', [carried], 'due'],
    ['one of a first run', [event('baseline', 'notice', 10)], 'due'],
    ['one of a source that is sound again', [event('source.sound-again', 'over', 10, { opened: 9 })], 'due'],
    ['none at once of a device that recovered', [event('device.recovered', 'over', 10)], 'later'],
    ['none at once of a new device', [fresh], 'later'],
    ['the week’s summary of a reminder', [event('coverage.below', 'again', 10)], 'due'],
    ['none at once of a source that is still not sound', [event('source.carried', 'again', 10)], 'later'],
    [
      'none at once of an alert that has ended since',
      [lost, event('device.recovered', 'over', 10, { key: lost.key })],
      'later',
    ],
    [
      'none at once of a source that was not sound for some of these runs, of which nobody was told',
      [carried, event('source.sound-again', 'over', 10, { key: carried.key })],
      'later',
    ],
    ['the week’s summary after six days', [{ ...fresh, slot: day(4) }], 'due'],
    ['and not after five', [{ ...fresh, slot: day(5) }, fresh], 'later'],
  ] as const)('%s', (_, events, due) => {
    expect(decide(events)).toBe(due);
  });

  it.each([
    [{}, { quiet: true }],
    [{ isWeekly: true }, {}],
  ])('a week’s summary, and errors at once: %j %j', (channel, settings) => {
    expect(decide([lost], channel, settings)).toBe('later');
    expect(decide([carried], channel, settings)).toBe('due');
    expect(decide([{ ...lost, slot: day(4) }], channel, settings)).toBe('due');
    expect(decide([], channel, { ...settings, everyNight: true })).toBe('nothing');
  });

  it('a message of every run with everyNight, unless the channel asks for some events', () => {
    expect(decide([], {}, { everyNight: true })).toBe('due');
    expect(decide([], { only: { source: ['macs'] } }, { everyNight: true })).toBe('nothing');
  });
});

it('programs are due each run that has something for them, or that they missed', () => {
  const due = (events: readonly AlertEvent[], missed = 0) =>
    decideDue({ audience: 'programs' }, { first: 10, events, slot: day(10), missed }, { quiet: true });
  expect([due([]), due([event('device.overdue', 'again', 10)]), due([], 1)]).toEqual(['nothing', 'due', 'due']);
});

function state(key: string, more: Partial<AlertState> = {}): AlertState {
  return { key, kind: 'device.lost', since: day(1), opened: 5, last: day(9), details: { text: key }, ...more };
}

const merge = (events: readonly AlertEvent[], open: readonly string[], lost: readonly AlertEvent[] = []) => {
  const merged = mergeRange({ first: 5, events, open: open.map((key) => state(key)), lost });
  return { named: merged.events.map(({ phase, key, slot }) => `${phase} ${key} ${slot}`), ended: merged.ended };
};

describe('of a range of runs', () => {
  const opened = event('device.lost', 'first', 5);
  const { key } = opened;
  const ended = event('device.recovered', 'over', 7, { key, opened: 5 });

  it('what opened in it and is open is named as it is in the newest event', () => {
    const again = { ...opened, phase: 'again', slot: day(8) } as const;
    expect(merge([opened], [key])).toEqual({ named: [`first ${key} ${day(5)}`], ended: 0 });
    expect(merge([opened, again], [key]).named).toEqual([`first ${key} ${day(8)}`]);
  });

  it('a source that is not sound since then is named as it was when it opened, without a second line', () => {
    const carried = event('source.carried', 'first', 5);
    const events = [carried, { ...carried, phase: 'again', slot: day(6) } as const];
    expect(merge(events, [carried.key]).named).toEqual([`first source.carried ${day(5)}`]);
  });

  it('what opened and ended in it is counted', () => {
    expect(merge([opened, ended], [])).toEqual({ named: [], ended: 1 });
  });

  it('what was open before and ended in it is named as resolved, also where it opened again and ended again', () => {
    const before = { ...ended, opened: 4, slot: day(5) };
    expect(merge([before], [])).toEqual({ named: [`over ${key} ${day(5)}`], ended: 0 });
    expect(merge([before, { ...opened, slot: day(6) }, ended], [])).toEqual({
      named: [`over ${key} ${day(7)}`],
      ended: 0,
    });
    expect(merge([before, { ...opened, slot: day(6) }], [key]).named).toEqual([`first ${key} ${day(6)}`]);
  });

  it('reminders are named once, the newest, of what is open still', () => {
    const again = (on: number) => event('coverage.below', 'again', on, { opened: 2 });
    expect(merge([again(6), again(8)], ['coverage.below']).named).toEqual([`again coverage.below ${day(8)}`]);
    const over = event('coverage.restored', 'over', 9, { key: 'coverage.below', opened: 2 });
    expect(merge([again(6), over], []).named).toEqual([`over coverage.below ${day(9)}`]);
  });

  it('all notices are named', () => {
    const notices = [5, 6].map((on) => event('measurement.changed', 'notice', on));
    expect(merge(notices, [])).toEqual({
      named: notices.map(({ slot }) => `notice measurement.changed ${slot}`),
      ended: 0,
    });
  });

  it('alerts of runs that are gone are named from the state, and what every run repeats of them is not', () => {
    const open = [
      state('a'),
      state('b', { opened: 7 }),
      state('c', { opened: 2 }),
      state('d', { opened: 2, changed: 6 }),
    ];
    const lost = listLostAlerts([...open, state('e', { isCounted: true })], 5, new Set([7]));
    expect(lost.map((one) => one.key)).toEqual(['a', 'd']);
    expect(lost[0]).toEqual({
      kind: 'device.lost',
      key: 'a',
      phase: 'first',
      slot: day(9),
      since: day(1),
      opened: 5,
      text: 'a',
    });
    // A run that cannot be read stands between others.
    expect(listLostAlerts(open, 5, new Set([5, 7])).map((one) => one.key)).toEqual(['d']);
    const repeated = event('device.lost', 'again', 9, { key: 'a' });
    expect(merge([repeated], ['a'], lost).named).toEqual([`first a ${day(9)}`, `first d ${day(9)}`]);
  });
});
