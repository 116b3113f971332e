/** The sum: before + joined − left = after, in each whole source and in all. */
import { describe, expect, it } from 'vitest';
import type { DeviceFacts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import {
  broken,
  findFigures,
  findSource,
  judgeRuns,
  makeIncomplete,
  makeMac,
  makeRun,
  makeSource,
} from './make-facts.ts';
import { listCounted, listSums } from './sums.ts';

const unmanaged = { managementState: 'unmanaged' };
const same = (id: string, changes: Partial<DeviceFacts> = {}) =>
  makeMac(id, 'Installed', { serialNumber: 'C02SAME', ...changes });
const here = (devices: DeviceFacts[], changes: Partial<SourceFacts> = {}) =>
  makeSource('macs', [...devices, makeMac('9')], changes);
const there = (devices: DeviceFacts[], changes: Partial<SourceFacts> = {}) =>
  makeSource('macs-2', [...devices, makeMac('8')], changes);

describe('it holds', () => {
  it.each<[string, SourceFacts[], SourceFacts[], Record<string, number[]>]>([
    [
      'where a machine is new',
      [here([]), there([])],
      [here([same('1')]), there([])],
      { macs: [1, 1, 0, 2], all: [2, 1, 0, 3] },
    ],
    [
      'where one is gone',
      [here([same('1')]), there([])],
      [here([]), there([])],
      { macs: [2, 0, 1, 1], all: [3, 0, 1, 2] },
    ],
    [
      'where one is excluded',
      [here([same('1')]), there([])],
      [here([same('1', unmanaged)]), there([])],
      { macs: [2, 0, 1, 1] },
    ],
    [
      'where one is included',
      [here([same('1', unmanaged)]), there([])],
      [here([same('1')]), there([])],
      { macs: [1, 1, 0, 2] },
    ],
    [
      'where one moves to another source [D8]',
      [here([same('1')]), there([])],
      [here([]), there([same('2')])],
      { macs: [2, 0, 1, 1], 'macs-2': [1, 1, 0, 2], all: [3, 0, 0, 3] },
    ],
    [
      'where one has another record in its source',
      [here([same('1')]), there([])],
      [here([same('2')]), there([])],
      { macs: [2, 0, 0, 2] },
    ],
    [
      'where one comes from a source that is in the settings no more',
      [here([same('1')]), there([])],
      [there([same('2')])],
      { 'macs-2': [1, 1, 0, 2], all: [1, 1, 0, 2] },
    ],
    [
      'where a source is on its first night',
      [here([])],
      [here([]), there([same('1')])],
      { macs: [1, 0, 0, 1], 'macs-2': [2, 0, 0, 2], all: [3, 0, 0, 3] },
    ],
    [
      'where a machine comes to a source on its first night',
      [here([same('1')])],
      [here([]), there([same('1')])],
      { macs: [2, 0, 1, 1], 'macs-2': [2, 0, 0, 2], all: [3, 0, 0, 3] },
    ],
    [
      'where two machines become one',
      [here([same('1', { serialNumber: 'C02OTHER' }), same('2')]), there([])],
      [here([same('1'), same('2')]), there([])],
      { macs: [3, 0, 1, 2] },
    ],
    [
      'where a source is carried, which counts what its entries are',
      [here([same('1')]), there([])],
      [makeIncomplete('macs'), there([makeMac('7')])],
      { 'macs-2': [1, 1, 0, 2], all: [3, 1, 0, 4] },
    ],
    [
      'where a source is untrusted, whose entries stay',
      [here([same('1')]), there([])],
      [here([], broken), there([])],
      { all: [3, 0, 0, 3] },
    ],
    [
      'where a device could not be read, whose entry stays',
      [here([same('1')]), there([])],
      [here([], { unread: [{ id: '1', operatingSystem: 'macos' }] }), there([])],
      { macs: [2, 0, 0, 2] },
    ],
  ])('%s', (_, first, second, expected) => {
    const [before, night] = judgeRuns(makeRun(...first), makeRun(...second)) as [Night, Night];
    const sums = listSums(before.state.ledger, night);
    expect(sums).toMatchObject(expected);
    for (const [known = 0, joined = 0, left = 0, after] of Object.values(sums)) {
      expect(known + joined - left).toBe(after);
    }
  });
});

it('where every source is whole and every device was read, after is what was counted', () => {
  const [, night] = judgeRuns(
    makeRun(here([same('1')]), there([])),
    makeRun(here([]), there([same('2'), makeMac('7')])),
  );
  expect(night?.sources.every(({ soundness }) => soundness === 'complete')).toBe(true);
  expect(listCounted(night?.state.ledger ?? [], ['macs', 'macs-2']).size).toBe(findFigures(night).counted);
});

it('a source that comes back has neither joined nor left on its first night, whatever its entries were', () => {
  const both = (...devices: DeviceFacts[]) => makeRun(here([]), there(devices));
  const [, , back] = judgeRuns(
    both(same('1'), makeMac('2')),
    makeRun(here([])),
    both(same('1', unmanaged), makeMac('3')),
  );
  expect(findSource(back, 'macs-2').first).toBe(true);
  expect([findFigures(back, 'macs-2'), findFigures(back)].map(({ joined, left }) => [joined, left])).toEqual([
    [0, 0],
    [0, 0],
  ]);
});

it('a source on its first night has neither joined nor left', () => {
  const [night] = judgeRuns(makeRun(here([same('1')])));
  expect(findSource(night, 'macs').first).toBe(true);
  expect(findFigures(night)).toMatchObject({ counted: 2, joined: 0, left: 0 });
});
