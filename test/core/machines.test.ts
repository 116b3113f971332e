/** Distinct machines stay distinct, and the count of a source is watched whatever reason its platform gives. */
import { describe, expect, it } from 'vitest';
import type { DeviceFacts, Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { findListingGaps } from '../../src/core/source/listing.ts';
import { listReportedDevices } from '../../src/reports/document/devices.ts';
import { type JudgedFacts, judgeAfter } from '../judge-after.ts';
import { rulesUnderTest } from '../kinds.ts';
import { isDeep } from '../sampling.ts';
import {
  at,
  findDevice,
  findFigures,
  findSource,
  judgeOnce,
  judgeRuns,
  judgeSource,
  makeFacts,
  makeFleet,
  makeMac,
  makePc,
  makeSource,
} from './make-facts.ts';

const finding = (night: ReturnType<typeof judgeOnce> | undefined, name: string) =>
  findSource(night, name).findings.find(({ check }) => check === 'devices.shared-serial');

describe('one serial number on several records', () => {
  it('twelve PCs that share one are twelve, and one finding names them [J4]', () => {
    const shared = Array.from({ length: 12 }, (_, index) =>
      makePc(`id-${index}`, '1', { serialNumber: 'BOARD7', enrolledAt: at(1, -400), lastSeenAt: at(1, -1) }),
    );
    const night = judgeOnce({ sources: [makeSource('windows', shared)] });

    expect(findFigures(night)).toMatchObject({ counted: 12, excluded: 0 });
    expect(finding(night, 'windows')).toMatchObject({ result: 'fail', instrument: false });
    for (const { id } of shared) {
      expect(finding(night, 'windows')?.found).toContain(id);
    }
    expect(findSource(night, 'windows').soundness).toBe('complete');
  });
});

describe('a record that left less than 30 days ago', () => {
  const living = (id: string, enrolled: number) =>
    makeMac(id, 'Installed', { serialNumber: 'BOARD7', enrolledAt: at(1, enrolled), lastSeenAt: at(1, -1) });
  const runs = (days: number) => [
    [makeSource('macs', [living('1', -400), living('2', -400), makeMac('9')])],
    ...Array.from({ length: days }, () => [makeSource('macs', [living('1', -400), makeMac('9')])]),
    // Enrolled when the first was heard from last: as it stands, it replaces the first.
    [makeSource('macs', [living('1', -400), living('3', -1), makeMac('9')])],
  ];
  const counted = (days: number) =>
    judgeRuns(...runs(days).map((sources) => ({ sources }))).map((night) => findFigures(night).counted);

  it('still says that its serial number is shared: nobody is superseded', () => {
    expect(counted(0)).toEqual([3, 3]);
    expect(counted(29)).toEqual([3, ...Array<number>(29).fill(2), 3]);
    expect(counted(30).at(-1)).toBe(2);
  });
});

describe('one machine in two kinds of source', () => {
  const serialNumber = 'C02TWOKINDS';
  const inJamf = (value: string | null, changes: Partial<DeviceFacts> = {}) =>
    makeSource('macs', [makeMac('1', value, { serialNumber, ...changes }), makeMac('2')]);
  const inIntune = (state: string | null, changes: Partial<DeviceFacts> = {}) =>
    makeSource('windows', [makePc('a', state, { serialNumber, operatingSystem: 'macos', ...changes }), makePc('b')]);
  const judge = (...sources: SourceFacts[]) => judgeOnce({ sources });
  const standing = (night: Night, id: string) => {
    const { counted, excludedBecause, unprovenBecause } = findDevice(night, id).judgement;
    return counted ? `counted, ${unprovenBecause ?? 'proven'}` : excludedBecause;
  };
  const both = (night: Night) => [standing(night, '1'), standing(night, 'a')];
  const conflict = (night: Night, name: string) =>
    findSource(night, name).findings.find(({ check }) => check === 'devices.contradicted');

  it('proves nothing where both could be proven and disagree, and a finding names both', () => {
    const night = judge(inJamf('Installed'), inIntune('3', { lastSeenAt: at(1) }));

    expect(both(night)).toEqual(['superseded', 'counted, contradicted']);
    expect(conflict(night, 'windows')).toMatchObject({
      result: 'fail',
      instrument: false,
      found: '1 machine on 2 devices: C02TWOKINDS: pc-a (a) and mac-1 (macs/1)',
    });
    expect(conflict(night, 'macs')?.found).toBe('1 machine on 2 devices: C02TWOKINDS: pc-a (windows/a) and mac-1 (1)');
    expect(findFigures(night)).toMatchObject({ devices: 4, counted: 3, excluded: 1 });
    expect(listReportedDevices(night).map(({ id, contradicted = false }) => [id, contradicted])).toContainEqual([
      'a',
      true,
    ]);
  });

  it('are two where a third kind, whose source is gone, had two machines of that number', () => {
    const host = (id: string, enrolledAt: string) =>
      makeMac(id, 'pass', { serialNumber, enrolledAt, lastSeenAt: at(1) });
    const hosts = makeSource('hosts', [host('8', at(1, -30)), host('9', at(1, -20))], { kind: 'fleet' });
    const before = judgeAfter(makeFacts(1, { sources: [hosts] }), undefined, rulesUnderTest);
    const sources = [inJamf('Installed'), inIntune('1')];
    const standings = (past?: JudgedFacts) => both(judgeAfter(makeFacts(2, { sources }), past, rulesUnderTest).night);

    expect(standings()).toContain('superseded');
    expect(standings(before)).not.toContain('superseded');
  });

  it('reports the record that is contradicted, also where it is Installed', () => {
    const night = judge(inJamf('Not Installed'), inIntune('1', { lastSeenAt: at(1) }));

    expect(listReportedDevices(night).filter(({ contradicted }) => contradicted)).toMatchObject([
      { id: 'a', proven: false },
    ]);
  });
});

describe('the count', () => {
  it('nine in ten PCs that turn personal are suspect; a setting that leaves them out is not', () => {
    const pcs = (ownership: string) => makeFleet(20, (id) => makePc(id, '1', { ownership }));
    const worth = (before: DeviceFacts[], was: 'all' | 'company', after: DeviceFacts[]) =>
      judgeRuns(
        { sources: [makeSource('windows', [...before, makePc('x')], { population: was })] },
        { sources: [makeSource('windows', [...after, makePc('x')], { population: 'company' })] },
      ).map((night) => findSource(night, 'windows').soundness);

    expect(worth(pcs('company'), 'company', pcs('personal'))).toEqual(['complete', 'suspect']);
    expect(worth(pcs('personal'), 'all', pcs('personal'))).toEqual(['complete', 'complete']);
    expect(worth(pcs('company'), 'all', pcs('personal'))).toEqual(['complete', 'suspect']);
  });

  it('a first answer without any device is suspect and no baseline; a person can accept it [D1]', () => {
    const empty = { sources: [makeSource('macs', [])] };
    const accepted = { by: 'ada', at: at(2), sources: ['macs'] };
    const all = judgeRuns(empty, { sources: [makeSource('macs', [makeMac('1')])] });

    const message =
      'Its first complete answer has no device. If that is what happened, run "muster accept 2026-06-01"; if not, look at the platform.';
    expect(findSource(all[0], 'macs')).toMatchObject({
      soundness: 'suspect',
      problem: { code: 'devices-missing', message },
    });
    expect(all[0]?.state.sources[0]?.baseline).toBeUndefined();
    expect(findSource(all[1], 'macs')).toMatchObject({ soundness: 'complete', first: true });
    expect(findSource(judgeOnce({ ...empty, accepted }), 'macs').soundness).toBe('complete');
  });
});

describe('devices that the list does not have', () => {
  const listed = (unlisted: number, overview?: number) => {
    const devices = Array.from({ length: 40 }, (_, index) => makePc(String(index)));
    const one = makeSource('windows', devices);
    const receipt = { ...one.receipt, unlisted, ...(overview === undefined ? {} : { overview }) };
    return { sources: [{ ...one, receipt }] };
  };
  const worth = (...all: Partial<Facts>[]) => judgeRuns(...all).map((night) => findSource(night, 'windows').soundness);

  it('are compared with the baseline’s own share, which a person’s acceptance renews [P18]', () => {
    const accepted = { by: 'ada', at: at(1), sources: ['windows'] };

    expect(worth(listed(4), listed(18))).toEqual(['complete', 'suspect']);
    expect(worth({ ...listed(18), accepted }, listed(18), listed(27), listed(80))).toEqual([
      ...['complete', 'complete', 'complete', 'suspect'],
    ]);
  });

  it('a list without a word about the agent says so, until there is one [F6]', () => {
    const silent = makeSource('macs', [makeMac('1', null), makeMac('2', ' ')]);
    const all = judgeSource(silent, silent, makeSource('macs', [makeMac('1', null), makeMac('2', 'other')]));

    expect(all.map((night) => findSource(night, 'macs').soundness)).toEqual(['suspect', 'suspect', 'complete']);
    expect(findSource(all[0], 'macs').problem?.message).toContain('has 2 devices, and no word about the agent.');
  });

  it('says both numbers [P18]', () => {
    const [night] = judgeRuns(listed(18, 60));

    expect(findSource(night, 'windows').problem?.message).toContain(
      '18 of 58 devices that the app’s report names are missing from its list. 20 of 60',
    );
    expect(findSource(night, 'windows').problem?.message).toContain('20 of 60 devices');
  });
});

describe('exemptions of a source that is carried', () => {
  it('thousands of expiring rows and devices cost no comparison of every row with every row', () => {
    const rows = Array.from({ length: isDeep ? 8000 : 1000 }, (_, index) => ({
      ...{ match: 'serial', value: `C02FX${index}`, source: '', reason: 'lab', owner: 'it' },
      expires: makeFacts(1).slot,
    }));
    const devices = Array.from({ length: isDeep ? 20_000 : 2000 }, (_, index) => makeMac(String(index)));
    let reads = 0;
    const watched = rows.map((row) =>
      Object.defineProperty({ ...row }, 'match', {
        enumerable: true,
        get() {
          reads += 1;
          return row.match;
        },
      }),
    );
    judgeOnce({ exemptions: watched, sources: [makeSource('macs', devices)] });

    expect(reads).toBeLessThan(20 * rows.length);
  });
});

it.each([
  ['20 of 100', { received: 80, unlisted: 20 }, undefined, undefined],
  ['21 of 100', { received: 79, unlisted: 21 }, undefined, { lacking: 21, of: 100, expected: 0 }],
  ['15 of 100', { received: 85, unlisted: 15 }, undefined, undefined],
  ['10 of 30', { received: 20, unlisted: 10 }, undefined, undefined],
  ['11 of 31', { received: 20, unlisted: 11 }, undefined, { lacking: 11, of: 31, expected: 0 }],
  ['60 of 100, as half before', { received: 40, unlisted: 60 }, { received: 50, unlisted: 50 }, undefined],
  ['25 of 30, as half before', { received: 5, unlisted: 25 }, { received: 50, unlisted: 50 }, undefined],
  ['65 of 100, as half before', { received: 35, unlisted: 65 }, { received: 50, unlisted: 50 }, undefined],
  [
    ...(['80 of 100, as half before', { received: 20, unlisted: 80 }, { received: 50, unlisted: 50 }] as const),
    { lacking: 80, of: 100, expected: 50 },
  ],
  [
    '21 of 100, of none before',
    { received: 79, unlisted: 21 },
    { received: 0, unlisted: 0 },
    { lacking: 21, of: 100, expected: 0 },
  ],
  ['none of none', { received: 0, unlisted: 0 }, undefined, undefined],
])('%s', (_, tonight, before, gap) => {
  expect(findListingGaps(tonight, before).unlisted).toEqual(gap);
});

it('a list that is longer than the overview lacks none', () => {
  expect(findListingGaps({ received: 100, overview: 50 }, undefined)).toEqual({});
  expect(findListingGaps({ received: 50, overview: 100 }, undefined)).toEqual({
    shortfall: { lacking: 50, of: 100, expected: 0 },
  });
});
