/** Distinct machines stay distinct, and the count of a source is watched whatever reason its platform gives. */
import { describe, expect, it } from 'vitest';
import type { DeviceFacts, Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { findListingGaps } from '../../src/core/source/listing.ts';
import { listReportedDevices } from '../../src/reports/document/devices.ts';
import {
  at,
  device,
  facts,
  figures,
  instrument,
  judged,
  mac,
  nights,
  nightsOf,
  pc,
  source,
  sourceOf,
  told,
} from './world.ts';

const finding = (night: ReturnType<typeof judged> | undefined, name: string) =>
  sourceOf(night, name).findings.find(({ check }) => check === 'devices.shared-serial');

describe('one serial number on several records', () => {
  const pair = (older: Partial<DeviceFacts>, newer: Partial<DeviceFacts>) =>
    judged({
      sources: [
        source('windows', [
          pc('a', '3', { serialNumber: 'PF3ABCD', ...older }),
          pc('b', '1', { serialNumber: 'PF3ABCD', ...newer }),
        ]),
      ],
    });

  it.each([
    ['a week after the later one was enrolled, to the millisecond', at(1, -13), 1],
    ['a millisecond more than a week after it', at(1, -13, 1), 2],
  ])('the earlier one was heard from %s: %s counted', (_, lastSeenAt, counted) => {
    const night = pair({ enrolledAt: at(1, -300), lastSeenAt }, { enrolledAt: at(1, -20), lastSeenAt: at(1, -1) });

    expect(figures(night).counted).toBe(counted);
    expect(finding(night, 'windows')?.result).toBe(counted === 1 ? undefined : 'fail');
  });

  it.each([
    ['of which one was heard from last before the other, enrolled earlier', [-20, -14], [-300, -13], 1],
    ['enrolled at once, of which one was never heard from again', [-300, -1], [-300, -299], 1],
    ['enrolled at once and heard from since', [-300, -1], [-300, -2], 2],
  ] as const)('%s: %4$s counted, in whatever order they are listed', (_, one, other, counted) => {
    const dates = ([enrolled, heard]: readonly [number, number]) => ({
      ...{ enrolledAt: at(1, enrolled), lastSeenAt: at(1, heard) },
    });

    expect(figures(pair(dates(one), dates(other))).counted).toBe(counted);
    expect(figures(pair(dates(other), dates(one))).counted).toBe(counted);
  });

  it('without an enrolment date they are several machines where both were heard from lately', () => {
    const undated = { enrolledAt: '1970-01-01T00:00:00.000Z' };

    expect(figures(pair(undated, { lastSeenAt: at(1, -2) })).counted).toBe(2);
    expect(figures(pair({ ...undated, lastSeenAt: at(1, -31) }, {})).counted).toBe(1);
  });

  it('twelve PCs that share one are twelve, and one finding names them [J4]', () => {
    const shared = Array.from({ length: 12 }, (_, index) =>
      pc(`id-${index}`, '1', { serialNumber: 'BOARD7', enrolledAt: at(1, -400), lastSeenAt: at(1, -1) }),
    );
    const night = judged({ sources: [source('windows', shared)] });

    expect(figures(night)).toMatchObject({ counted: 12, excluded: 0 });
    expect(finding(night, 'windows')).toMatchObject({ result: 'fail', instrument: false });
    for (const { id } of shared) {
      expect(finding(night, 'windows')?.found).toContain(id);
    }
    expect(sourceOf(night, 'windows').soundness).toBe('complete');
  });

  it('moves nobody, also when one of its records is gone', () => {
    const living = (id: string) =>
      mac(id, 'Installed', { serialNumber: 'BOARD7', enrolledAt: at(1, -400), lastSeenAt: at(1, -1) });
    const all = nightsOf(
      source('macs', [living('1'), living('2')]),
      source('macs', [living('1'), living('3'), mac('9')]),
      source('macs', [living('3'), mac('9')]),
    );

    expect(told(all[1])).toEqual(['macs 2 removed', 'macs 3 new-installed', 'macs 9 new-installed']);
    expect(told(all[2])).toEqual(['macs 1 removed']);
  });
});

describe('a record that left less than 30 days ago', () => {
  const living = (id: string, enrolled: number) =>
    mac(id, 'Installed', { serialNumber: 'BOARD7', enrolledAt: at(1, enrolled), lastSeenAt: at(1, -1) });
  const worlds = (days: number) => [
    [source('macs', [living('1', -400), living('2', -400), mac('9')])],
    ...Array.from({ length: days }, () => [source('macs', [living('1', -400), mac('9')])]),
    // Enrolled when the first was heard from last: as it stands, it replaces the first.
    [source('macs', [living('1', -400), living('3', -1), mac('9')])],
  ];
  const counted = (days: number) =>
    nights(...worlds(days).map((sources) => ({ sources }))).map((night) => figures(night).counted);

  it('still says that its serial number is shared: nobody is superseded', () => {
    expect(counted(0)).toEqual([3, 3]);
    expect(counted(29)).toEqual([3, ...Array<number>(29).fill(2), 3]);
    expect(counted(30).at(-1)).toBe(2);
  });
});

describe('one machine in two kinds of source', () => {
  const serialNumber = 'C02TWOKINDS';
  const inJamf = (value: string | null, changes: Partial<DeviceFacts> = {}) =>
    source('macs', [mac('1', value, { serialNumber, ...changes }), mac('2')]);
  const inIntune = (state: string | null, changes: Partial<DeviceFacts> = {}) =>
    source('windows', [pc('a', state, { serialNumber, operatingSystem: 'macos', ...changes }), pc('b')]);
  const judge = (...sources: SourceFacts[]) => judged({ sources });
  const standing = (night: Night, id: string) => {
    const { counted, excludedBecause, proven } = device(night, id).judgement;
    return counted ? `counted, ${proven ? 'proven' : 'not proven'}` : excludedBecause;
  };
  const both = (night: Night) => [standing(night, '1'), standing(night, 'a')];
  const conflict = (night: Night, name: string) =>
    sourceOf(night, name).findings.find(({ check }) => check === 'devices.contradicted');

  it('is counted once, by the record whose answer can be proven', () => {
    expect(both(judge(inJamf('Installed'), inIntune(null, { lastSeenAt: at(1) })))).toEqual([
      'counted, proven',
      'superseded',
    ]);
    expect(both(judge(inJamf(null), inIntune('1', { lastSeenAt: at(1, -9) })))).toEqual([
      'superseded',
      'counted, proven',
    ]);
    const unsound = source('macs', inJamf('Installed').devices, { findings: [instrument('fail')] });
    expect(both(judge(unsound, inIntune('1', { lastSeenAt: at(1, -9) })))).toEqual(['superseded', 'counted, proven']);
  });

  it('otherwise by the newer one, and nothing is found where they agree', () => {
    const older = judge(inJamf('Installed'), inIntune('1', { lastSeenAt: at(1, -9) }));

    expect(both(older)).toEqual(['counted, proven', 'superseded']);
    expect(both(judge(inJamf('Installed'), inIntune('1', { lastSeenAt: at(1) })))).toEqual([
      'superseded',
      'counted, proven',
    ]);
    expect(conflict(older, 'macs')).toBeUndefined();
  });

  it('proves nothing where both could be proven and disagree, and a finding names both', () => {
    const night = judge(inJamf('Installed'), inIntune('3', { lastSeenAt: at(1) }));

    expect(both(night)).toEqual(['superseded', 'counted, not proven']);
    expect(conflict(night, 'windows')).toMatchObject({
      result: 'fail',
      instrument: false,
      found: '1 machine on 2 devices: C02TWOKINDS: pc-a (a) and mac-1 (macs/1)',
    });
    expect(conflict(night, 'macs')?.found).toBe('1 machine on 2 devices: C02TWOKINDS: pc-a (windows/a) and mac-1 (1)');
    expect(figures(night)).toMatchObject({ devices: 4, counted: 3, excluded: 1 });
    expect(listReportedDevices(night).map(({ id, contradicted = false }) => [id, contradicted])).toContainEqual([
      'a',
      true,
    ]);
  });

  it('reports the record that is contradicted, also where it is Installed', () => {
    const night = judge(inJamf('Not Installed'), inIntune('1', { lastSeenAt: at(1) }));

    expect(listReportedDevices(night).filter(({ contradicted }) => contradicted)).toMatchObject([
      { id: 'a', proven: false },
    ]);
  });

  it('only records that would be counted stand for it', () => {
    expect(both(judge(inJamf('Installed', { managementState: 'unmanaged' }), inIntune(null)))).toEqual([
      'unmanaged',
      'counted, not proven',
    ]);
  });

  it('nobody is superseded where several machines of one kind share the number', () => {
    const twins = ['1', '3'].map((id) => mac(id, 'Installed', { serialNumber, enrolledAt: at(1, -400) }));
    const night = judge(source('macs', twins), inIntune('1'));

    expect(figures(night)).toMatchObject({ counted: 4, excluded: 0 });
  });
});

describe('the count', () => {
  const fleet = (size: number, of: (id: string) => DeviceFacts) =>
    Array.from({ length: size }, (_, index) => of(String(index + 1)));
  const second = (before: DeviceFacts[], after: DeviceFacts[], changes = {}) =>
    sourceOf(nights({ sources: [source('macs', before)] }, { sources: [source('macs', after, changes)] })[1], 'macs');

  it.each([
    ['vanish', [mac('9999')]],
    ['turn unmanaged', fleet(1000, (id) => mac(id, 'Installed', { managementState: 'unmanaged' }))],
  ])('1,000 Macs that %s are suspect', (_, after) => {
    expect(second(fleet(1000, mac), after).soundness).toBe('suspect');
  });

  it('1,000 living Macs that suddenly share one serial number stay 1,000', () => {
    const living = (serialNumber?: string) => (id: string) =>
      mac(id, 'Installed', { enrolledAt: at(1, -400), ...(serialNumber === undefined ? {} : { serialNumber }) });
    const night = nights(
      { sources: [source('macs', fleet(1000, living()))] },
      { sources: [source('macs', fleet(1000, living('BOARD7')))] },
    )[1];

    expect(sourceOf(night, 'macs').soundness).toBe('complete');
    expect(figures(night).counted).toBe(1000);
    expect(told(night)).toEqual([]);
    expect(finding(night, 'macs')?.found).toContain('and 988 more');
  });

  it('records that were counted and now supersede each other are a drop; a new record is a move', () => {
    const before = fleet(40, (id) => mac(id));
    const merged = before.map((entry, index) => ({ ...entry, serialNumber: `C02MERGED${Math.floor(index / 2)}` }));
    const enrolled = fleet(40, (id) => ({ ...mac(id), id: `9${id}`, reportedAt: at(1) }));

    expect(second(before, merged).soundness).toBe('suspect');
    expect(second(before, [...before, ...enrolled]).soundness).toBe('complete');
  });

  it('nine in ten PCs that turn personal are suspect; a setting that leaves them out is not', () => {
    const pcs = (ownership: string) => fleet(20, (id) => pc(id, '1', { ownership }));
    const worth = (before: DeviceFacts[], was: 'all' | 'company', after: DeviceFacts[]) =>
      nights(
        { sources: [source('windows', [...before, pc('x')], { population: was })] },
        { sources: [source('windows', [...after, pc('x')], { population: 'company' })] },
      ).map((night) => sourceOf(night, 'windows').soundness);

    expect(worth(pcs('company'), 'company', pcs('personal'))).toEqual(['complete', 'suspect']);
    expect(worth(pcs('personal'), 'all', pcs('personal'))).toEqual(['complete', 'complete']);
    expect(worth(pcs('company'), 'all', pcs('personal'))).toEqual(['complete', 'suspect']);
  });

  it('a first answer without any device is suspect and no baseline; a person can accept it [D1]', () => {
    const empty = { sources: [source('macs', [])] };
    const accepted = { by: 'ada', at: at(2), sources: ['macs'] };
    const all = nights(empty, { sources: [source('macs', [mac('1')])] });

    expect(sourceOf(all[0], 'macs')).toMatchObject({ soundness: 'suspect', problem: { code: 'devices-missing' } });
    expect(all[0]?.state.sources[0]?.baseline).toBeUndefined();
    expect(sourceOf(all[1], 'macs')).toMatchObject({ soundness: 'complete', first: true });
    expect(sourceOf(judged({ ...empty, accepted }), 'macs').soundness).toBe('complete');
  });
});

describe('devices that the list does not have', () => {
  const listed = (unlisted: number, overview?: number) => {
    const devices = Array.from({ length: 40 }, (_, index) => pc(String(index)));
    const one = source('windows', devices);
    const receipt = { ...one.receipt, unlisted, ...(overview === undefined ? {} : { overview }) };
    return { sources: [{ ...one, receipt }] };
  };
  const worth = (...all: Partial<Facts>[]) => nights(...all).map((night) => sourceOf(night, 'windows').soundness);

  it.each([
    [10, 40, 'complete'],
    [11, 40, 'suspect'],
    [0, 50, 'complete'],
    [0, 51, 'suspect'],
    [0, 30, 'complete'],
  ])('%s that only the report names, the overview has %s: %s without a baseline', (unlisted, overview, expected) => {
    expect(worth(listed(unlisted, overview))).toEqual([expected]);
  });

  it('are compared with the baseline’s own share, which a person’s acceptance renews [P18]', () => {
    const accepted = { by: 'ada', at: at(1), sources: ['windows'] };

    expect(worth(listed(4), listed(18))).toEqual(['complete', 'suspect']);
    expect(worth({ ...listed(18), accepted }, listed(18), listed(27), listed(80))).toEqual([
      ...['complete', 'complete', 'complete', 'suspect'],
    ]);
  });

  it('a list without any device says so alone', () => {
    expect(sourceOf(judged({ sources: [source('macs', [])] }), 'macs').problem?.message).toBe(
      'Its first complete answer has no device. If that is what happened, run "muster accept 2026-06-01"; if not, look at the platform.',
    );
  });

  it('a list without a word about the agent says so, until there is one [F6]', () => {
    const silent = source('macs', [mac('1', null), mac('2', ' ')]);
    const all = nightsOf(silent, silent, source('macs', [mac('1', null), mac('2', 'other')]));

    expect(all.map((night) => sourceOf(night, 'macs').soundness)).toEqual(['suspect', 'suspect', 'complete']);
    expect(sourceOf(all[0], 'macs').problem?.message).toContain('has 2 devices, and no word about the agent.');
  });

  it('says both numbers [P18]', () => {
    const [night] = nights(listed(18, 60));

    expect(sourceOf(night, 'windows').problem?.message).toContain(
      '18 of 58 devices that the app’s report names are missing from its list. 20 of 60',
    );
    expect(sourceOf(night, 'windows').problem?.message).toContain('20 of 60 devices');
  });
});

describe('an enrolment date that cannot be', () => {
  it.each([
    ['1970', '1970-01-01T00:00:00.000Z'],
    ['the future', at(1, 30)],
  ])('in %s is not known: nothing waits for it', (_, enrolledAt) => {
    const lost = (value: string) => source('macs', [mac('1', value, { enrolledAt }), mac('2')]);
    const all = nightsOf(lost('Installed'), lost('Not Installed'));

    expect(device(all[0], '1').facts.enrolledAt).toBeUndefined();
    const alone = judged({ sources: [source('macs', [mac('1', 'Installed', { enrolledAt })])] });
    expect(device(alone, '1').facts.enrolledAt).toBeUndefined();
    expect(all[1]?.events.filter(({ isBookkeeping }) => !isBookkeeping).map(({ kind }) => kind)).toEqual([
      'device.lost',
    ]);
  });
});

describe('exemptions of a source that is carried', () => {
  it('keep whom they meant, where users are left out of the facts', () => {
    const row = {
      match: 'user',
      value: 'left out',
      source: 'windows',
      reason: 'lab',
      owner: 'it',
      expires: '2027-01-01',
    };
    const known = { exemptions: [{ ...row, devices: [['windows', 'b']] as const }] };
    const unknown = { exemptions: [{ ...row, devices: [] }] };
    const down = source('windows', [], { reading: 'incomplete', problem: { code: 'rows-missing', message: '-' } });
    const all = nights(
      { ...known, sources: [source('windows', [pc('a'), pc('b', '3')])] },
      { ...unknown, sources: [down] },
      { exemptions: [], sources: [down] },
      // A row that the baseline does not know means nobody, and takes no other row's devices.
      { exemptions: [{ ...row, reason: 'another', devices: [] }], sources: [down] },
    );

    expect(all.map((night) => device(night, 'b').judgement.excludedBecause)).toEqual([
      ...['exempt', 'exempt', undefined, undefined],
    ]);
    expect(all.map((night) => figures(night).counted)).toEqual([1, 1, 2, 2]);
    expect(all[1]?.exemptions[0]).toMatchObject({ devices: 1, result: 'active' });
  });

  it('8,000 expiring rows on 20,000 devices cost no comparison of every row with every row', () => {
    const rows = Array.from({ length: 8000 }, (_, index) => ({
      ...{ match: 'serial', value: `C02FX${index}`, source: '', reason: 'lab', owner: 'it' },
      expires: facts(1).slot,
    }));
    const devices = Array.from({ length: 20_000 }, (_, index) => mac(String(index)));
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
    judged({ exemptions: watched, sources: [source('macs', devices)] });

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
