/** Which device of the last nights a device of tonight is, rule by rule; `changes.test.ts` shows what is reported of it. */
import { describe, expect, it } from 'vitest';
import { sourceRules } from '../../src/compose/source-kinds.ts';
import { matchDevices, type PreviousSource, toDeviceKey } from '../../src/core/device/match-devices.ts';
import type { DeviceFacts } from '../../src/core/facts/facts.ts';
import type { DeviceStanding, JudgedDevice } from '../../src/core/facts/judged.ts';
import type { BaselineDevice, MovedFrom } from '../../src/core/facts/state.ts';
import { at, mac, slot } from './world.ts';

const known = (facts: DeviceFacts, changes: Partial<BaselineDevice> = {}): BaselineDevice => ({
  ...{ facts, status: 'Installed', reason: 'reported', counted: true, transitions: [] },
  ...changes,
});
const left = (facts: DeviceFacts, night: number) => ({ ...known(facts), leftOn: slot(night) });

function past(
  name: string,
  devices: readonly BaselineDevice[],
  departed: readonly ReturnType<typeof left>[] = [],
  { baseline = slot(3), isConfigured = true } = {},
): PreviousSource {
  return {
    state: {
      ...{ name, kind: 'jamf', departed, instrumentMemory: {}, provisional: { nights: [], devices: [] } },
      baseline: { slot: baseline, instrument: {}, devices },
    },
    rules: sourceRules.rulesFor('jamf'),
    isConfigured,
  };
}

const now = (
  source: string,
  facts: DeviceFacts,
  changes: Partial<DeviceStanding> = {},
): JudgedDevice<DeviceStanding> => ({
  source,
  facts,
  judgement: {
    rules: sourceRules.rulesFor('jamf'),
    counted: true,
    excludedBecause: undefined,
    supersededBy: undefined,
    isContradicted: false,
    unread: undefined,
    sharesSerialNumber: false,
    ...changes,
  },
});
const same = (id: string, changes: Partial<DeviceFacts> = {}) =>
  mac(id, 'Installed', { serialNumber: 'C02SAME', ...changes });

/** How tonight's devices are matched, in a line each, and who moved away. */
function match(devices: readonly JudgedDevice<DeviceStanding>[], pasts: readonly PreviousSource[]) {
  const { findMatch, movedAway } = matchDevices(devices, pasts);
  const lines = devices.map((device) => {
    const found = findMatch(device.source, device.facts.id);
    return found === undefined
      ? 'new'
      : `${found.how} ${found.source}/${found.known.facts.id}${found.wasAway ? ' away' : ''}`;
  });
  return [lines, [...movedAway].map((key) => key.replace('\u0000', '/')).sort()];
}

describe('a device', () => {
  const bare = (id: string) => mac(id, 'Installed', { serialNumber: '' });

  it('without a serial number is known by its id, also after it was away', () => {
    expect(match([now('macs', bare('1'))], [past('macs', [known(bare('1'))])])).toEqual([['same macs/1'], []]);
    expect(match([now('macs', bare('1'))], [past('macs', [], [left(bare('1'), 2)])])).toEqual([
      ['back macs/1 away'],
      [],
    ]);
    expect(match([now('macs', bare('1'))], [past('macs', [known(bare('2'))])])).toEqual([['new'], []]);
  });

  it('of a source that is not in the settings any more is known by its serial number alone', () => {
    const gone = past('old', [known(same('1'))], [left(bare('2'), 2)], { isConfigured: false });

    expect(match([now('new', same('1'))], [gone])).toEqual([['moved old/1'], ['old/1']]);
    expect(match([now('old', bare('2'))], [gone])).toEqual([['new'], []]);
    expect(match([now('old', bare('3'))], [past('old', [known(bare('3'))], [], { isConfigured: false })])).toEqual([
      ['new'],
      [],
    ]);
  });

  it('that was away and is back under its id takes its own place, not another’s', () => {
    const pasts = [past('macs', [], [left(same('1'), 2), left(same('2'), 2)])];

    expect(match([now('macs', same('1'))], pasts)).toEqual([['back macs/1 away'], ['macs/1']]);
    expect(match([now('macs', same('2'))], pasts)).toEqual([['back macs/2 away'], ['macs/2']]);
    expect(match([now('macs', same('3'))], [past('macs', [], [left(same('1'), 2)])])).toEqual([
      ['moved macs/1 away'],
      ['macs/1'],
    ]);
  });

  it('that is back under its id, and not replaced, is nobody else’s past', () => {
    const pasts = [past('macs', [], [left(same('1'), 2)])];
    const unmanaged = now('macs', same('1'), { counted: false, excludedBecause: 'unmanaged' });

    expect(match([unmanaged, now('macs', same('2'))], pasts)[0]).toEqual(['back macs/1 away', 'new']);
  });

  it('that is back under its id as another machine leaves no machine behind', () => {
    const other = mac('1', 'Installed', { serialNumber: 'C02OTHER' });
    const pasts = [past('macs', [], [left(same('1'), 2)])];

    expect(match([now('macs', other), now('macs', same('2'))], pasts)).toEqual([['back macs/1 away', 'new'], []]);
    expect(
      match([now('macs', other, { supersededBy: { source: 'macs', id: '9' } }), now('macs', same('2'))], pasts),
    ).toEqual([['back macs/1 away', 'moved macs/1 away'], ['macs/1']]);
  });

  it('that is back under its id as a machine that left under another takes that one’s place', () => {
    const other = (id: string) => mac(id, 'Installed', { serialNumber: 'C02OTHER' });
    const pasts = [past('macs', [], [left(same('1'), 2), left(other('2'), 2)])];

    expect(match([now('macs', other('1'))], pasts)).toEqual([['moved macs/2 away'], ['macs/2']]);
  });

  it('that is itself replaced is no machine that comes back', () => {
    expect(
      match(
        [now('macs', same('2'), { supersededBy: { source: 'macs', id: '9' } })],
        [past('macs', [known(same('1'))])],
      ),
    ).toEqual([['new'], []]);
  });
});

describe('of several former records, a machine takes the place of', () => {
  const older = same('1', { reportedAt: at(1, -9) });

  it.each([
    ['one that is left tonight', [past('macs', [known(older)], [left(same('2'), 3)])], 'moved macs/1'],
    ['the last that left', [past('macs', [], [left(same('1'), 3), left(same('2'), 2)])], 'moved macs/1 away'],
    ['one that was counted', [past('macs', [known(older), known(same('2'), { counted: false })])], 'moved macs/1'],
    ['one of its own source', [past('macs', [known(older)]), past('other', [known(same('2'))])], 'moved macs/1'],
    ['the newest', [past('macs', [known(older), known(same('2'))])], 'moved macs/2'],
  ])('%s', (_, pasts, line) => {
    expect(match([now('macs', same('9'))], pasts)[0]).toEqual([line]);
    expect(match([now('macs', same('9'))], pasts.toReversed())[0]).toEqual([line]);
  });
});

describe('a serial number that several machines have', () => {
  it('tonight moves nobody', () => {
    const pasts = [past('macs', [known(same('1'))])];
    expect(match([now('macs', same('2'), { sharesSerialNumber: true })], pasts)).toEqual([['new'], []]);
  });

  it('or had at once before moves nobody', () => {
    const [one, two] = [same('1', { enrolledAt: at(1, -400) }), same('2', { enrolledAt: at(1, -300) })];
    expect(match([now('macs', same('3'))], [past('macs', [known(one), known(two)])])).toEqual([['new'], []]);
  });
});

describe('a move that an earlier night reported', () => {
  const movedFrom: MovedFrom[] = [{ source: 'old', id: '1', on: slot(2) }];
  const moved = known(same('5'), { movedFrom });
  const old = (baseline: string, devices = [known(same('1'))]) => past('old', devices, [], { baseline });

  it('is no removal from a baseline that is older than the move', () => {
    const tonight = [now('macs', same('5'))];

    expect(match(tonight, [past('macs', [moved]), old(slot(1))])[1]).toEqual(['old/1']);
    expect(match(tonight, [past('macs', [], [{ ...moved, leftOn: slot(3) }]), old(slot(1), [])])[1]).toEqual([
      'macs/5',
    ]);
  });

  it('says nothing of a baseline of that night or a later one, nor of a record that is listed', () => {
    expect(match([now('macs', same('5'))], [past('macs', [moved]), old(slot(2))])[1]).toEqual([]);
    const listed = [now('macs', same('5')), now('old', same('1'))];
    expect(match(listed, [past('macs', [moved]), old(slot(1))])[1]).toEqual([]);
  });

  it('is known by source and id', () => {
    expect(toDeviceKey('a', 'b')).not.toBe(toDeviceKey('ab', ''));
  });
});
