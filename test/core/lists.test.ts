/** The lists of machines that should exist and of those that report: what they say, and when they say nothing. */
import { describe, expect, it } from 'vitest';
import type { Facts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import type { ListFile, ListRow } from '../../src/core/facts/lists.ts';
import { computeReportingInterval } from '../../src/core/source/coverage.ts';
import { isDeep } from '../sampling.ts';
import {
  at,
  findDevice,
  judgeOnce,
  judgeRuns,
  makeFacts,
  makeIncomplete,
  makeList,
  makeMac,
  makeSource,
  slot,
} from './make-facts.ts';

const onList = (serials: readonly string[]): ListRow[] => serials.map((serial) => ({ serial }));
const whole = ['C02FX1', 'C02FX2', 'PF0Xa', 'PF0Xb'];

function withExpected(rows: readonly ListRow[], changes: Partial<ListFile> = {}, night = 1): Partial<Facts> {
  return { lists: { expected: makeList(rows, night, changes) } };
}

const policy = { ...makeFacts(1).policy, reportingWithinDays: 7 };

function withReporting(rows: readonly ListRow[], changes: Partial<ListFile> = {}, night = 1): Partial<Facts> {
  return { policy, lists: { reporting: makeList(rows, night, changes) } };
}

const unenrolled = (night: Night | undefined) =>
  night?.lists.expected?.unenrolled?.map(({ serialNumber }) => serialNumber);

describe('a machine on the list of expected ones', () => {
  it('that no source knows is enrolled nowhere', () => {
    const night = judgeOnce(withExpected([...onList(whole), { serial: 'C02GONE9', owner: 'ada', site: 'Vienna' }]));
    expect(night.lists.expected).toMatchObject({ soundness: 'sound', expected: 5, machines: 5 });
    expect(night.lists.expected?.unenrolled).toMatchObject([
      { serialNumber: 'C02GONE9', owner: 'ada', site: 'Vienna', file: 'list.csv' },
    ]);
    expect(night.coverage.at(-1)).toMatchObject({ expected: 5, enrolledNowhere: 1, notExpected: 0 });
  });

  it.each([
    ['in another spelling', ' c02-fx 1 '],
    ['in full-width letters', 'Ｃ０２ＦＸ１'],
  ])('is found %s', (_, serial) => {
    expect(unenrolled(judgeOnce(withExpected(onList([serial]))))).toEqual([]);
  });

  it('is no longer expected after its last day', () => {
    const rows = [
      { serial: 'C02GONE1', until: slot(1) },
      { serial: 'C02GONE2', until: slot(0) },
      { serial: 'C02FX1', until: slot(0) },
    ];
    const night = judgeOnce(withExpected(rows));
    expect(unenrolled(night)).toEqual(['C02GONE1']);
    expect(findDevice(night, '1').lists).toEqual({ expected: false });
  });

  it('is expected through its last day, also where a time stands behind it', () => {
    const rows = [
      { serial: 'C02GONE1', until: `${slot(1)} 00:00:00` },
      { serial: 'C02GONE2', until: `${slot(0)}T23:59:59Z` },
    ];
    const night = judgeOnce(withExpected(rows));
    expect(unenrolled(night)).toEqual(['C02GONE1']);
    expect(night.lists.expected).toMatchObject({ ignored: { date: 0 } });
  });

  it('is shown with its last day as it is read, whatever way it is written', () => {
    const night = judgeOnce(withExpected([{ serial: 'C02GONE1', until: '31.12.2027' }, { serial: 'C02GONE2' }]));
    expect(night.lists.expected?.unenrolled).toMatchObject([{ until: '2027-12-31' }, { serialNumber: 'C02GONE2' }]);
  });

  it('is one machine however often it is named, and its first row counts [E4]', () => {
    const rows = [
      { serial: 'C02GONE1', note: 'first' },
      { serial: 'c02gone1', note: 'second' },
    ];
    const { expected } = judgeOnce(withExpected(rows)).lists;
    expect(expected).toMatchObject({ machines: 1, doubled: 1, unenrolled: [{ note: 'first' }] });
  });

  it('is found among hundreds of thousands', () => {
    const many = Array.from({ length: isDeep ? 300_000 : 70_000 }, (_, index) => `C02MANY${index}`);
    const night = judgeOnce(withExpected(onList([...many, ...whole])));
    expect(unenrolled(night)?.join()).toBe(many.join());
    expect(night.coverage.at(-1)).toMatchObject({
      expected: many.length + 4,
      enrolledNowhere: many.length,
      notExpected: 0,
    });
  });

  it('cannot be said to be enrolled nowhere while a source is missing', () => {
    const night = judgeOnce({
      sources: [makeSource('macs', [makeMac('1')]), makeIncomplete('pcs')],
      ...withExpected(onList(whole)),
    });
    expect(night.lists.expected).toMatchObject({ soundness: 'sound', unenrolled: undefined, heldBy: ['pcs'] });
    expect(night.coverage.at(-1)).not.toHaveProperty('enrolledNowhere');
    expect(findDevice(night, '1').lists).toEqual({ expected: true });
  });
});

describe('a device that is not on the list of expected machines', () => {
  it('is said, and counts as before', () => {
    const night = judgeOnce(withExpected(onList(whole.slice(1))));
    expect(findDevice(night, '1')).toMatchObject({
      lists: { expected: false },
      judgement: { counted: true, unprovenBecause: undefined },
    });
    expect(night.coverage.at(-1)).toMatchObject({ notExpected: 1, counted: 4 });
  });
});

const seen = (serial: string, days: number): ListRow => ({ serial, seen_at: at(1, days) });

describe('an Installed device', () => {
  it.each([
    ['eight days before the list was written', -8, false],
    ['more than eight', -8.001, true],
  ])('that was seen %s is silent: %s', (_, days, silent) => {
    expect(findDevice(judgeOnce(withReporting([seen('C02FX1', days)])), '1').lists).toMatchObject({ silent });
  });

  it('that is not in the list is silent, has no time, and keeps status and proof', () => {
    const night = judgeOnce(withReporting([seen('PF0Xa', -1)]));
    expect(findDevice(night, '1')).toMatchObject({
      lists: { silent: true },
      judgement: { status: 'Installed', unprovenBecause: undefined },
    });
    expect(findDevice(night, '1').lists).not.toHaveProperty('reportingAt');
  });

  it('takes the latest of its rows [E4]', () => {
    const night = judgeOnce(withReporting([seen('C02FX1', -30), seen('c02fx1', -2), seen('C02FX1', -20)]));
    expect(findDevice(night, '1').lists).toEqual({ reportingAt: at(1, -2), silent: false });
    expect(night.lists.reporting).toMatchObject({ doubled: 2, machines: 1 });
  });

  it.each([
    ['cannot be read', 'yesterday'],
    ['could be read in two ways', '03/04/2026'],
    ['does not exist', '2026-02-30'],
    ['lies ahead', at(4)],
    ['is a number neither of seconds nor of milliseconds', '178012530000'],
    ['is missing', ''],
  ])('whose row has a date that %s is not judged', (_, seen_at) => {
    const night = judgeOnce(withReporting([seen('PF0Xa', -1), { serial: 'C02FX1', seen_at }]));
    expect(findDevice(night, '1').lists).toEqual({});
    expect(night.lists.reporting).toMatchObject({ ignored: { machine: 0, date: 1 }, notJudged: 1 });
  });

  it.each([
    ['2026-05-30 07:15', '2026-05-30T07:15:00.000Z'],
    ['2026-05-30T07:15:00+02:00', '2026-05-30T05:15:00.000Z'],
    ['2026-05-30 07:15:00.5 +0200', '2026-05-30T05:15:00.500Z'],
    ['2026-05-30 07:15:00 UTC', '2026-05-30T07:15:00.000Z'],
    [' 2026-05-30 ', '2026-05-30T00:00:00.000Z'],
    ['1780125300', '2026-05-30T07:15:00.000Z'],
    ['1780125300000', '2026-05-30T07:15:00.000Z'],
  ])('was seen at %s', (seen_at, reportingAt) => {
    expect(findDevice(judgeOnce(withReporting([{ serial: 'C02FX1', seen_at }])), '1').lists).toMatchObject({
      reportingAt,
    });
  });

  it('is found by its name where the list has no serial number, and one machine has the name', () => {
    const night = judgeOnce(withReporting([{ name: ' MAC-1 ', seen_at: at(1, -1) }]));
    expect(findDevice(night, '1').lists).toMatchObject({ silent: false });
    expect(findDevice(night, 'a').lists).toEqual({ silent: true });
  });

  it.each([
    ['several rows', [makeMac('1')], 2],
    ['several machines', [makeMac('1'), makeMac('3', 'Installed', { name: 'mac-1' })], 1],
  ])('is not judged by a name that %s have', (_, devices, rows) => {
    const row = { name: 'mac-1', seen_at: at(1, -1) };
    const reporting = withReporting([{ name: 'other', seen_at: at(1, -1) }, ...Array<ListRow>(rows).fill(row)]);
    expect(findDevice(judgeOnce({ sources: [makeSource('macs', devices)], ...reporting }), '1').lists).toEqual({});
  });
});

describe('a Not Installed device that its console saw lately', () => {
  const night = judgeOnce(withReporting([seen('C02FX2', -1), seen('PF0Xb', -8)]));

  it('is contradicted: not proven, and its status stays', () => {
    expect(findDevice(night, '2')).toMatchObject({
      lists: { reportingAt: at(1, -1), isContradicted: true },
      judgement: { status: 'Not Installed', reason: 'reported', unprovenBecause: 'list-contradicts', counted: true },
    });
    expect(night.sources[0]?.findings.at(-1)).toMatchObject({
      check: 'lists.contradicted',
      result: 'fail',
      found: '1 machine: C02FX2: mac-2 (2)',
    });
    expect(night.coverage[0]).toMatchObject({ provenNotInstalled: 0, notInstalled: 1 });
  });
});

it('takes what is silent or not known out of the interval "have it and report"', () => {
  const devices = [
    makeMac('1'),
    makeMac('2'),
    makeMac('3', 'Not Installed'),
    makeMac('4', 'Installed', { lastSeenAt: at(1, -60) }),
  ];
  const rows = [seen('C02FX1', -1), seen('C02FX4', -1), { serial: 'C02FX9', seen_at: at(1, -1) }];
  const night = judgeOnce({
    sources: [makeSource('macs', devices)],
    ...withReporting(rows.map((row) => ({ ...row }))),
  });
  const serials = devices.map(({ serialNumber }) => serialNumber);
  expect(serials).toContain('C02FX2');
  expect(night.coverage.at(-1)).toMatchObject({ counted: 4, silent: 1, reporting: 2, provenReporting: 1 });
  const [row] = night.coverage;
  expect(row && computeReportingInterval(row)).toEqual({ coverage: '50.00', low: '25.00', high: '50.00' });
});

describe('a list that is not sound says nothing of any device', () => {
  const problem = { code: 'list-unreadable', message: 'It could not be read.' };
  const half = { code: 'list-incomplete', message: 'It is cut off.' };

  it.each([
    ['unreadable', { problem }],
    ['incomplete', { problem: half }],
    ['stale', { date: at(1, -7.001) }],
    ['stale', { date: at(3) }],
  ] as const)('%s: %j [E1, E3]', (soundness, changes) => {
    const night = judgeOnce({
      policy,
      lists: {
        expected: makeList(onList(['C02NO1']), 1, changes),
        reporting: makeList([seen('X12345', -1)], 1, changes),
      },
    });
    expect(night.lists).toMatchObject({ expected: { soundness }, reporting: { soundness } });
    expect(night.lists.expected?.unenrolled).toBeUndefined();
    expect(night.devices.map(({ lists = {} }) => lists)).toEqual([{}, {}, {}, {}]);
    expect(night.coverage).toEqual(judgeOnce().coverage);
  });

  it('stale where nobody knows its date [E1]', () => {
    const [file] = makeList([]).files;
    const { date: _, ...undated } = file as ListFile;
    const night = judgeOnce({ lists: { expected: { ...makeList(onList(whole)), files: [undated] } } });
    expect(night.lists.expected?.soundness).toBe('stale');
  });

  it('incomplete where no row names a machine [E3]', () => {
    expect(judgeOnce(withExpected([{ owner: 'ada' }])).lists.expected?.soundness).toBe('incomplete');
  });

  const many = onList(Array.from({ length: 100 }, (_, index) => `C02M${1000 + index}`));
  const nightly = (count: number, night: number) => withExpected(many.slice(0, count), {}, night);

  it('shrunk, compared with the last sound one, however long it is so [E2]', () => {
    const all = judgeRuns(...[100, 80, 63, 63, 79].map((count, index) => nightly(count, index + 1)));
    const soundnesses = all.map(({ lists }) => lists.expected?.soundness);
    expect(soundnesses).toEqual(['sound', 'sound', 'shrunk', 'shrunk', 'sound']);
    expect(all[3]?.lists.expected?.problem?.message).toContain(`names 63 machines, and named 80 on ${slot(2)}`);
    expect(all[3]?.state.lists).toEqual({ expected: { slot: slot(2), machines: 80 } });
  });

  it('sound where a person accepts it, however much smaller it is, and later ones are compared with it', () => {
    const accept = (lists: readonly ('expected' | 'reporting')[]) => ({
      accepted: { by: 'ada', at: at(2), sources: [], lists },
    });
    const soundnesses = (accepted: Partial<Facts>) =>
      judgeRuns(nightly(100, 1), { ...nightly(10, 2), ...accepted }, nightly(10, 3)).map(
        ({ lists }) => lists.expected?.soundness,
      );
    expect(soundnesses(accept(['expected']))).toEqual(['sound', 'sound', 'sound']);
    expect(soundnesses(accept(['reporting']))).toEqual(['sound', 'shrunk', 'shrunk']);
  });
});
