/** What the lists of machines alert to: first a baseline, then what changes; and nothing where a list says nothing. */
import { expect, it } from 'vitest';
import { selectEvents } from '../../src/alerts/message/digest-event.ts';
import { toEventRecord } from '../../src/alerts/message/event-record.ts';
import type { Facts } from '../../src/core/facts/facts.ts';
import type { ListRow } from '../../src/core/facts/lists.ts';
import { at, judgeRuns, makeFacts, makeIncomplete, makeList, makeMac, makeSource } from './make-facts.ts';

const policy = { ...makeFacts(1).policy, reportingWithinDays: 7 };

const macs = [makeSource('macs', [makeMac('1'), makeMac('2'), makeMac('3')])];

/** On the list, besides the three Macs. */
function expecting(night: number, serials: readonly string[], changes: Partial<Facts> = {}, age = 0): Partial<Facts> {
  const rows: ListRow[] = ['C02FX1', 'C02FX2', 'C02FX3', ...serials].map((serial) => ({ serial, site: 'Vienna' }));
  return { sources: macs, lists: { expected: makeList(rows, night, { date: at(night, -age) }) }, ...changes };
}

/** The Macs that the console has not seen for a month. */
function silentOn(night: number, silent: readonly string[], changes: Partial<Facts> = {}, age = 0): Partial<Facts> {
  const rows: ListRow[] = ['1', '2', '3'].map((id) => ({
    serial: `C02FX${id}`,
    seen_at: at(night, silent.includes(id) ? -30 : -1),
  }));
  return { sources: macs, policy, lists: { reporting: makeList(rows, night, { date: at(night, -age) }) }, ...changes };
}

const listKinds = ['machine.unenrolled', 'device.silent', 'list.unsound', 'list.baseline'];

/** What people read of, night by night: kind, phase, and the machine or the beginning of the sentence. */
function tell(...runs: readonly Partial<Facts>[]): string[][] {
  return judgeRuns(...runs).map(({ events }) =>
    events
      .filter(({ kind }) => listKinds.includes(kind))
      .map(({ kind, phase, device, text }) => `${kind} ${phase}: ${device?.serialNumber ?? text}`),
  );
}

it('a list’s first sound run is one event, and a later machine has its own', () => {
  expect(
    tell(expecting(1, ['C02A1', 'C02B2']), expecting(2, ['C02A1', 'C02B2', 'c02-c3']), expecting(3, ['C02B2'])),
  ).toEqual([
    [
      'list.baseline notice: 2 of 5 machines on the list are enrolled nowhere (C02A1, C02B2); 0 counted devices are not on it.',
    ],
    ['machine.unenrolled first: c02-c3, Vienna, list.csv'],
    // The notice counted the other, which opened without an event, and ends without one.
    ['machine.unenrolled over: C02C3 is no longer expected.'],
  ]);
});

it('nothing opens or ends while the list is not sound, or a source is missing', () => {
  const missing = { sources: [...macs, makeIncomplete('windows')] };
  const told = tell(
    expecting(1, []),
    expecting(2, ['C02A1']),
    expecting(3, ['C02B2'], {}, 9),
    expecting(4, ['C02B2'], missing),
    expecting(5, ['C02B2']),
  );
  expect(told[2]).toEqual([expect.stringContaining('list.unsound first: list.csv of lists.expected is too old')]);
  expect(told[3]).toEqual(['list.unsound over: lists.expected is sound again, or no longer in the settings.']);
  expect(told[4]).toEqual([
    'machine.unenrolled first: C02B2, Vienna, list.csv',
    'machine.unenrolled over: C02A1 is no longer expected.',
  ]);
});

it('a device that falls silent is said once, and its end too', () => {
  const told = tell(
    silentOn(1, ['2']),
    silentOn(2, ['2', '1']),
    silentOn(3, ['2', '1']),
    silentOn(4, [], {}, 9),
    silentOn(5, []),
  );
  expect(told).toEqual([
    ['list.baseline notice: 1 Installed device is not checking in: not seen by its console for 7 days.'],
    ['device.silent first: C02FX1'],
    [],
    [expect.stringContaining('list.unsound first')],
    ['list.unsound over: lists.reporting is sound again, or no longer in the settings.', 'device.silent over: C02FX1'],
  ]);
});

it('a silent device of a source that does not answer stays as it is', () => {
  const away = { sources: [makeIncomplete('macs')] };
  const told = tell(silentOn(1, []), silentOn(2, ['1']), silentOn(3, [], away), silentOn(4, ['1']));
  expect(told.slice(2)).toEqual([[], []]);
});

it('a silent machine keeps its alert under another record', () => {
  const moved = {
    sources: [makeSource('macs', [makeMac('9', 'Installed', { serialNumber: 'C02FX1' }), makeMac('2'), makeMac('3')])],
  };
  expect(tell(silentOn(1, []), silentOn(2, ['1']), silentOn(3, ['1'], moved))[2]).toEqual([]);
});

it.each([
  ['first', ['a', 'b']],
  ['last', ['b', 'a']],
])('records that share a serial number have one alert, until none is silent; the silent one stands %s', (_, ids) => {
  // Enrolled long ago and heard from since, so that each is a machine.
  const alive = { serialNumber: 'C02TWIN', enrolledAt: at(1, -60) };
  const twins = ids.map((id) => makeMac(id, 'Installed', { ...alive, name: `host-${id}` }));
  const night = (number: number, silent: boolean): Partial<Facts> => {
    const rows = ['a', 'b'].map((id) => ({ name: `host-${id}`, seen_at: at(number, silent && id === 'a' ? -30 : -1) }));
    return { sources: [makeSource('macs', twins)], policy, lists: { reporting: makeList(rows, number) } };
  };
  expect(tell(night(1, false), night(2, true), night(3, true), night(4, true), night(5, false)).slice(1)).toEqual([
    ['device.silent first: C02TWIN'],
    [],
    [],
    ['device.silent over: C02TWIN'],
  ]);
});

it('the first run of a source counts its silent devices, and names none', () => {
  const few = { sources: [makeSource('macs', [makeMac('1')])] };
  const more = { sources: [...few.sources, makeSource('macs2', [makeMac('2'), makeMac('3')])] };
  expect(tell(silentOn(1, [], few), silentOn(2, ['2', '3'], more), silentOn(3, ['2', '3'], more)).slice(1)).toEqual([
    [],
    [],
  ]);
});

it('a list that is named again begins with a baseline', () => {
  const told = tell(expecting(1, []), { sources: macs }, expecting(3, ['C02A1']));
  expect(told[2]).toEqual([expect.stringContaining('list.baseline notice: 1 of 4 machines on the list is enrolled')]);
});

it('a channel of a site hears of the machines that should be there, until their matter ends', () => {
  const all = judgeRuns(expecting(1, []), expecting(2, ['C02A1']), expecting(3, []));
  const hear = (site: string) =>
    all.map(({ events }) => selectEvents(events, { site: [site] }).map(({ kind, phase }) => `${kind} ${phase}`));
  expect(hear('Vienna')).toEqual([[], ['machine.unenrolled first'], ['machine.unenrolled over']]);
  expect(hear('Graz')).toEqual([[], [], []]);
  const [opened] = selectEvents(all[1]?.events ?? [], { site: ['Vienna'] });
  expect(opened && toEventRecord(opened, { agent: 'Agent', commit: 1 })).not.toHaveProperty('site');
});
