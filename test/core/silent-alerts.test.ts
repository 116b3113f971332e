/** Devices that are Installed and that the agent's console has not seen for long: what opens their alert, and what ends it. */
import { describe, expect, it } from 'vitest';
import type { DeviceFacts, Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import {
  at,
  judgeRuns,
  lenient,
  makeFinding,
  makeFleet,
  makeIncomplete,
  makeList,
  makeMac,
  makeSource,
  slot,
} from './make-facts.ts';

const policy = { ...lenient, reportingWithinDays: 7 };
const three = (change: (id: string) => Partial<DeviceFacts> = () => ({})) =>
  makeFleet(3, (id) => makeMac(id, 'Installed', change(id)));
const macs = (changes: Partial<SourceFacts> = {}, devices = three()) => ({
  sources: [makeSource('macs', devices, changes)],
});

/** A night in which the console has seen all Macs on the day before, but for these. */
function night(number: number, lastSeen: Readonly<Record<string, number | undefined>>, changes: Partial<Facts> = {}) {
  const days = { '1': -1, '2': -1, '3': -1, ...lastSeen };
  const rows = Object.entries(days).flatMap(([id, day]) =>
    day === undefined ? [] : [{ serial: `C02FX${id}`, seen_at: at(number, day) }],
  );
  return { policy, lists: { reporting: makeList(rows, number) }, ...macs(), ...changes };
}

/** The events of the last night about silent devices, and the alerts that are open after it. */
function tell(...runs: readonly Partial<Facts>[]) {
  const last = judgeRuns(...runs).at(-1);
  const events = last?.events.filter(({ key }) => key.startsWith('silent:')) ?? [];
  return {
    events: events.map(({ phase, kind, key, text, source: of }) => ({ phase, kind, key, text, source: of })),
    open: last?.state.openAlerts?.filter(({ key }) => key.startsWith('silent:')).map(({ key }) => key),
  };
}

const key = 'silent:macos/C02FX1';
const opened = [night(1, {}), night(2, { 1: -30 })];
const stays = { events: [], open: [key] };
const endsWith = (text: string) => ({
  events: [{ phase: 'over', kind: 'device.silent', key, text, source: 'macs' }],
  open: [],
});

describe('a silent device', () => {
  it.each([
    ['that the console saw long ago is said with the day', -30, `last seen by its console ${slot(-28)}`],
    ['that is not on the list is said so', undefined, 'its console does not know it'],
  ])('%s', (_, day, seen) => {
    expect(tell(night(1, {}), night(2, { 1: day }))).toEqual({
      events: [{ phase: 'first', kind: 'device.silent', key, text: `Installed, and ${seen}`, source: 'macs' }],
      open: [key],
    });
  });

  it('in the first run of the list is counted, opens without an event, and ends without one', () => {
    expect(tell(night(1, { 1: -30 }))).toEqual(stays);
    expect(tell(night(1, { 1: -30 }), night(2, {}))).toEqual({ events: [], open: [] });
  });

  it('in the first run of its source is counted, and one of another source is told', () => {
    const both = { sources: [...macs({}, [makeMac('1')]).sources, makeSource('macs-2', [makeMac('2'), makeMac('3')])] };
    const before = night(1, {}, macs({}, [makeMac('1')]));
    expect(tell(before, night(2, { 2: -30 }, both))).toEqual({ events: [], open: ['silent:macos/C02FX2'] });
    expect(tell(before, night(2, { 1: -30 }, both)).events).toMatchObject([{ key, phase: 'first' }]);
  });

  it.each<[string, Partial<Facts>]>([
    ['Not Installed', macs({}, [makeMac('1', 'Not Installed'), makeMac('2'), makeMac('3')])],
    [
      'not counted',
      macs(
        {},
        three((id) => (id === '1' ? { managementState: 'unmanaged' } : {})),
      ),
    ],
    ['a canary', { canaries: [{ source: 'macs', serial: 'C02FX1', expect: 'Installed' }] }],
    ['of a source that is not to be trusted', macs({ findings: [makeFinding('fail')] })],
    ['of a source that does not answer', { sources: [makeIncomplete('macs')] }],
  ])('opens no alert where it is %s', (_, changes) => {
    expect(tell(night(1, {}), night(2, { 1: -30 }, changes))).toEqual({ events: [], open: [] });
  });
});

describe('the alert of a silent device stays', () => {
  it.each<[string, Partial<Facts>]>([
    ['while it is silent', {}],
    ['while its source does not answer', { sources: [makeIncomplete('macs')] }],
    ['while its source is not to be trusted', macs({ findings: [makeFinding('fail')] })],
    [
      'while it cannot be read',
      macs({ unread: [{ id: '1', operatingSystem: 'macos' }] }, [makeMac('2'), makeMac('3')]),
    ],
    [
      'while it cannot be read, also where the console sees it again',
      { ...night(3, {}), ...macs({ unread: [{ id: '1', operatingSystem: 'macos' }] }, [makeMac('2'), makeMac('3')]) },
    ],
    [
      'while the list is too old',
      { lists: { reporting: makeList([{ serial: 'C02FX1', seen_at: at(3) }], 3, { date: at(3, -9) }) } },
    ],
    [
      'while its row cannot be read',
      {
        lists: {
          reporting: makeList(
            [
              { serial: 'C02FX1', seen_at: 'lately' },
              { serial: 'C02FX2', seen_at: at(3) },
            ],
            3,
          ),
        },
      },
    ],
  ])('%s', (_, changes) => {
    const { events, open } = tell(...opened, night(3, { 1: -30 }, changes));
    expect({ events: events.filter((one) => one.key === key), open: open?.filter((one) => one === key) }).toEqual(
      stays,
    );
  });
});

describe('the alert of a silent device ends', () => {
  it.each<[string, string, Partial<Facts>]>([
    ['where the console sees it again', `last seen by its console ${slot(2)}: it reports again.`, night(3, {})],
    [
      'where it is Not Installed',
      'It is Not Installed now.',
      night(3, { 1: -30 }, macs({}, [makeMac('1', 'Not Installed'), makeMac('2'), makeMac('3')])),
    ],
    [
      'where it is Not Installed, and the console sees it',
      'It is Not Installed now.',
      night(3, {}, macs({}, [makeMac('1', 'Not Installed'), makeMac('2'), makeMac('3')])),
    ],
    [
      'where it is no longer counted',
      'It is no longer counted.',
      night(
        3,
        { 1: -30 },
        macs(
          {},
          three((id) => (id === '1' ? { managementState: 'unmanaged' } : {})),
        ),
      ),
    ],
    [
      'where its source no longer lists it',
      'It is no longer listed.',
      night(3, { 1: -30 }, macs({}, [makeMac('2'), makeMac('3')])),
    ],
    [
      'where it is a canary now',
      'It is a canary now (deployment.canaries).',
      night(3, { 1: -30 }, { canaries: [{ source: 'macs', serial: 'C02FX1', expect: 'Installed' }] }),
    ],
    ['where the list left the settings', 'The settings name no lists.reporting any more.', { policy, ...macs() }],
  ])('%s', (_, text, last) => {
    expect(tell(...opened, last)).toEqual(endsWith(text));
  });
});
