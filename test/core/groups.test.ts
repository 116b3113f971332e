import { describe, expect, it } from 'vitest';
import type { DeviceFacts, GroupFacts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import {
  at,
  judgeOnce,
  judgeRuns,
  judgeSource,
  makeFinding,
  makeIncomplete,
  makeMac,
  makeSource,
} from './make-facts.ts';

const unmanaged = { managementState: 'unmanaged' };

function groups(installed?: readonly string[], notInstalled?: readonly string[]): GroupFacts[] {
  const group = (holds: GroupFacts['holds'], members: readonly string[] | undefined): GroupFacts => ({
    ...{ holds, name: `Agent ${holds}` },
    ...(members ? { members } : { problem: 'the account may not read groups' }),
  });
  return [group('Installed', installed), group('Not Installed', notInstalled)];
}

function macs(
  devices: DeviceFacts[],
  installed?: string[],
  notInstalled?: string[],
  changes: Partial<SourceFacts> = {},
) {
  return makeSource('macs', devices, { groups: groups(installed, notInstalled), ...changes });
}

function rows(night: Night | undefined, group = 'Agent Installed'): [string, ...unknown[]][] {
  return [...(night?.groups ?? [])]
    .filter((row) => row.group === group)
    .map((row) => [row.device.id, row.inPlatformGroup, row.inPicture, row.verdict, row.why, row.change]);
}

describe('verdicts', () => {
  const notListed = 'managed and has the word, but the platform does not list it';

  it.each<[string, DeviceFacts, boolean, unknown[] | undefined]>([
    ['both say so', makeMac('1'), true, [true, true, 'agrees', '']],
    ['both say no', makeMac('1', 'Not Installed'), false, undefined],
    ['the platform does not list it', makeMac('1'), false, [false, true, 'missing', notListed]],
    [
      ...(['it says the other word', makeMac('1', 'Not Installed'), true] as const),
      [true, false, 'unexpected', 'listed by the platform, but its value is another text'],
    ],
    [
      'a word with spaces is not exactly the word',
      makeMac('1', 'Installed '),
      false,
      [false, true, 'outside', 'its value is another text'],
    ],
    [
      ...(['and listed all the same', makeMac('1', 'Installed '), true] as const),
      [true, true, 'unexpected', 'listed by the platform, but its value is another text'],
    ],
    ['unmanaged', makeMac('1', 'Installed', unmanaged), false, [false, true, 'outside', 'it is unmanaged']],
    [
      ...(['unmanaged and listed', makeMac('1', 'Installed', unmanaged), true] as const),
      [true, true, 'unexpected', 'listed by the platform, but it is unmanaged'],
    ],
    [
      'no value, listed',
      makeMac('1', null),
      true,
      [true, false, 'unexpected', 'listed by the platform, but it has no value'],
    ],
  ])('installed: %s', (_, device, isListed, expected) => {
    const night = judgeOnce({ sources: [macs([device, makeMac('9', 'Not Installed')], isListed ? ['1'] : [], [])] });

    expect(rows(night)).toEqual(expected ? [['1', ...expected, 'stayed']] : []);
  });

  it.each<[string, DeviceFacts, string]>([
    ['no value', makeMac('1', null), 'it has no value'],
    ['other text', makeMac('1', 'Installed 7'), 'its value is another text'],
  ])('not installed, which no criterion can hold: %s', (_, device, why) => {
    const night = judgeOnce({ sources: [macs([device, makeMac('9')], ['9'], [])] });

    expect(rows(night, 'Agent Not Installed')).toEqual([['1', false, true, 'outside', why, 'stayed']]);
  });

  it('a group that could not be read is unknown, and says why', () => {
    const night = judgeOnce({ sources: [macs([makeMac('1')], undefined, [])] });

    expect(rows(night)).toEqual([['1', undefined, true, 'unknown', 'the account may not read groups', 'stayed']]);
  });
});

describe('a source that is not complete', () => {
  const well = macs([makeMac('1'), makeMac('2', 'Not Installed')], ['1'], ['2']);

  it.each<[string, SourceFacts, SourceFacts, unknown[][]]>([
    [
      'carried',
      well,
      { ...makeIncomplete('macs'), groups: groups(['2'], []) },
      [['1', undefined, true, 'unknown', 'the source is carried', 'stayed']],
    ],
    [
      'untrusted',
      well,
      { ...well, findings: [makeFinding('fail')] },
      [['1', true, true, 'unknown', 'the source is untrusted', 'stayed']],
    ],
  ])('%s: unknown', (soundness, before, tonight, expected) => {
    const night = judgeSource(before, tonight)[1];

    expect(night?.sources[0]?.soundness).toBe(soundness);
    expect(rows(night)).toEqual(expected);
  });
});

describe('joined, stayed, left', () => {
  it('by device id, then by the group’s name, also of devices that are gone', () => {
    const named = (...devices: DeviceFacts[]) =>
      macs(devices, [], [], {
        groups: [
          { holds: 'Installed', name: 'Z', members: [] },
          { holds: 'Not Installed', name: 'A', members: [] },
        ],
      });
    const night = judgeSource(named(makeMac('3'), makeMac('5'), makeMac('9', null)), named(makeMac('5', null)))[1];

    expect([...(night?.groups ?? [])].map(({ device, group, change }) => [device.id, group, change])).toEqual([
      ['3', 'Z', 'left'],
      ['5', 'A', 'joined'],
      ['5', 'Z', 'left'],
      ['9', 'A', 'left'],
    ]);
  });

  it('a member that left is named as its baseline has it, also in the other group', () => {
    const night = judgeSource(macs([makeMac('1'), makeMac('2')]), macs([makeMac('2')], [], ['1']))[1];

    expect(night?.groups.find(({ group }) => group === 'Agent Not Installed')).toMatchObject({
      ...{
        device: { id: '1', name: 'mac-1' },
        verdict: 'unexpected',
        why: 'listed by the platform, but not in its inventory',
      },
      change: 'stayed',
    });
  });

  it('a machine that goes on under another id, in its source, joins and leaves nothing', () => {
    const same = (id: string, value = 'Installed') => makeMac(id, value, { serialNumber: 'C02SAME' });
    const stays = rows(judgeSource(macs([same('1')]), macs([same('2')]))[1]);
    expect(stays.map((row) => [row[0], row.at(-1)])).toEqual([['2', 'stayed']]);
    expect(rows(judgeSource(macs([same('1', 'Not Installed')]), macs([same('2')]))[1])[0]?.at(-1)).toBe('joined');
  });

  it('a machine leaves the group of the source that it moved away from, and joins in the other', () => {
    const same = (id: string) => makeMac(id, 'Installed', { serialNumber: 'C02SAME' });
    const makeRun = (here: DeviceFacts[], there: DeviceFacts[]) => ({
      sources: [makeSource('macs', [...here, makeMac('9')]), makeSource('macs-2', [...there, makeMac('8')])],
    });
    const [, night] = judgeRuns(makeRun([same('1')], []), makeRun([], [same('2')]));
    expect(night?.groups.map((row) => `${row.source} ${row.device.id} ${row.change}`)).toEqual([
      'macs 1 left',
      'macs 9 stayed',
      'macs-2 2 joined',
      'macs-2 8 stayed',
    ]);
  });

  it('a record that does not stand is named, and neither joins nor leaves', () => {
    const same = (id: string, days: number) =>
      makeMac(id, 'Installed', { serialNumber: 'C02SAME', reportedAt: at(1, days) });
    const [, second, third] = judgeSource(
      macs([same('1', -1)]),
      macs([same('1', -1), same('2', -3)]),
      macs([same('1', -1)]),
    );
    expect(rows(second).map((row) => [row[0], row.at(-1)])).toEqual([
      ['1', 'stayed'],
      ['2', 'stayed'],
    ]);
    expect(rows(third).map((row) => [row[0], row.at(-1)])).toEqual([['1', 'stayed']]);
  });
});
