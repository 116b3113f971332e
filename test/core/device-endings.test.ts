/** How an alert of a machine ends: what its judgement or its entry says, and whether the run knows that it is gone. */
import { describe, expect, it } from 'vitest';
import type { AlertInput } from '../../src/core/alerts/alert-input.ts';
import { describeDeviceEnd, isEntryKnown } from '../../src/core/alerts/device-endings.ts';
import type { Entry } from '../../src/core/facts/ledger.ts';
import { canary, lost, well } from './make-alert-facts.ts';
import { at, findSource, judgeRuns, makeMac, makeOpenAlert, makeSource } from './make-facts.ts';

const name = 'macos/C02FX1';
const [night] = judgeRuns(lost);
const entry = night?.state.ledger.find((one) => one.name === name) as Entry;
const macs = { source: findSource(night, 'macs') };

function input(changes: object = {}): AlertInput {
  const none = { machinesByName: new Map(), entries: new Map(), gone: new Map(), canaries: new Set() };
  return { ...none, sources: [macs], ...changes } as unknown as AlertInput;
}

it('a device that became a canary is named with the reason', () => {
  const last = judgeRuns(well, lost, canary).at(-1);
  expect(last?.events.find(({ key }) => key === `device:${name}`)).toMatchObject({
    phase: 'over',
    source: 'macs',
    device: { id: '1', name: 'mac-1' },
    text: 'It is a canary now (deployment.canaries).',
  });
});

it('a device that another record takes the place of leaves the count, also where that one is not counted', () => {
  const mac = (id: string, value: string, changes = {}) =>
    makeMac(id, value, { serialNumber: 'C02FX1', reportedAt: at(3), lastSeenAt: at(3), ...changes });
  const other = makeMac('9');
  const unmanaged = { managementState: 'unmanaged' };
  const old = mac('1', 'Not Installed', { ...unmanaged, reportedAt: at(2), lastSeenAt: at(2) });
  const nights = judgeRuns(
    { sources: [makeSource('macs', [mac('1', 'Installed', { reportedAt: at(1) }), other])] },
    { sources: [makeSource('macs', [mac('1', 'Not Installed', { reportedAt: at(2) }), other])] },
    { sources: [makeSource('macs', [old, mac('5', 'Installed', unmanaged), other])] },
  );
  const events = nights.map((one) => one.events.filter(({ key }) => key === `device:${name}`));
  expect(events.map((some) => some.map(({ kind }) => kind))).toEqual([[], ['device.lost'], ['count.left']]);
  expect(nights[2]?.state.openAlerts).toEqual([]);
});

it('a machine that only an earlier attempt at the slot knew is no longer listed', () => {
  const end = describeDeviceEnd(makeOpenAlert(`device:${name}`, 1), name, input());
  expect(end.details?.text).toBe('It is no longer listed.');
});

describe('a machine without a record in the run is known to be gone', () => {
  const entries = (changes: Partial<Entry> = {}) => new Map([[name, { ...entry, ...changes }]]);
  const carried = { source: { ...macs.source, soundness: 'carried' as const } };
  it.each<[string, boolean, object]>([
    ['not while its entry stands', false, { entries: entries() }],
    ['where its entry says that it is gone', true, { entries: entries({ isGone: true }), sources: [carried] }],
    ['where it is gone in this run', true, { entries: entries(), gone: new Map([[name, { before: entry }]]) }],
    ['where its source left the settings', true, { entries: entries(), sources: [] }],
    ['where nothing knows it, and every source is whole', true, {}],
    ['not where a source that is not whole may list it', false, { sources: [macs, carried] }],
  ])('%s: %s', (_, isKnown, changes) => {
    expect(isEntryKnown(name, input(changes))).toBe(isKnown);
  });
});
