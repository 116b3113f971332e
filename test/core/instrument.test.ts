/** What one reading of the instrument leaves in memory, and that what a broken one measured stays unproven. */
import { describe, expect, it } from 'vitest';
import type { CheckResult, DeviceFacts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { InstrumentMemory } from '../../src/core/facts/remembered.ts';
import { isInstrumentSound, rememberReading } from '../../src/core/source/instrument.ts';
import { type JudgedFacts, judgeAfter } from '../judge-after.ts';
import {
  at,
  findFigures,
  findSource,
  judgeSource,
  makeFacts,
  makeFinding,
  makeMac,
  makePc,
  makeSource,
  slot,
} from './make-facts.ts';

type Result = CheckResult['result'];

const readAt = at(5);
const remember = (results: readonly Result[], fingerprint: string | undefined, before: InstrumentMemory) =>
  rememberReading(
    makeSource('macs', [], {
      findings: results.map(makeFinding),
      instrument: fingerprint === undefined ? {} : { fingerprint },
    }),
    before,
    { slot: slot(5), moment: readAt },
  );

const earlier = (fingerprint: string) => ({ fingerprint, since: slot(2), readAt: at(2) });
const now = (fingerprint: string) => ({ fingerprint, since: slot(5), readAt });
const since = at(3);
const soundA: InstrumentMemory = { last: earlier('A'), soundFingerprint: 'A' };

describe('a sound reading', () => {
  it.each<[string, string | undefined, InstrumentMemory, InstrumentMemory]>([
    ['is remembered', 'A', {}, { last: now('A'), soundFingerprint: 'A' }],
    ['of the same instrument again changes nothing', 'A', soundA, soundA],
    ['of another one takes its place', 'B', soundA, { last: now('B'), soundFingerprint: 'B' }],
    ['that shows none leaves the last one', undefined, soundA, soundA],
    [
      'that shows none, after a breakage, forgets what was read meanwhile',
      ...([undefined, { ...soundA, broken: { since } }, { soundFingerprint: 'A', repairedAt: readAt }] as const),
    ],
    [
      'of another than what was broken repairs it',
      'A',
      { last: earlier('B'), soundFingerprint: 'A', broken: { since, fingerprint: 'B' } },
      { last: now('A'), soundFingerprint: 'A', repairedAt: readAt },
    ],
    [
      'of what was broken is an acceptance and repairs nothing',
      'B',
      { last: earlier('B'), broken: { since, fingerprint: 'B' }, repairedAt: at(1) },
      { last: earlier('B'), soundFingerprint: 'B', repairedAt: at(1) },
    ],
    [
      'of one that was read before repaired it then',
      'A',
      { last: earlier('A'), broken: { since } },
      { last: earlier('A'), soundFingerprint: 'A', repairedAt: at(2) },
    ],
    ['keeps the time of an earlier repair', 'A', { ...soundA, repairedAt: at(1) }, { ...soundA, repairedAt: at(1) }],
  ])('%s', (_, fingerprint, before, after) => {
    expect(remember(['pass'], fingerprint, before)).toEqual(after);
  });
});

describe('a reading that is not sound', () => {
  it.each<[string, Result, string | undefined, InstrumentMemory, InstrumentMemory]>([
    ['of a known one that failed', 'fail', 'A', soundA, { ...soundA, broken: { since: readAt, fingerprint: 'A' } }],
    ['that failed and shows none', 'fail', undefined, soundA, { soundFingerprint: 'A', broken: { since: readAt } }],
    ['that shows nothing at all', 'unknown', undefined, soundA, soundA],
    ['of the sound one, unchecked', 'unknown', 'A', soundA, soundA],
    [
      ...(['of another one, unchecked', 'unknown', 'B', soundA] as const),
      { last: now('B'), soundFingerprint: 'A', broken: { since: readAt, fingerprint: 'B' } },
    ],
    [
      ...(['of the first one, unchecked', 'unknown', 'B', {}] as const),
      { last: now('B'), broken: { since: readAt, fingerprint: 'B' } },
    ],
    [
      ...(['of what was never sound', 'unknown', 'B'] as const),
      { last: earlier('B'), broken: { since, fingerprint: 'B' } },
      { last: earlier('B'), broken: { since, fingerprint: 'B' } },
    ],
    [
      ...(['that failed, of what is broken, without showing it', 'fail', undefined] as const),
      { last: earlier('B'), broken: { since, fingerprint: 'B' } },
      { broken: { since } },
    ],
    [
      ...(['that shows nothing, of what is broken', 'unknown', undefined] as const),
      { last: earlier('B'), broken: { since, fingerprint: 'B' } },
      { last: earlier('B'), broken: { since, fingerprint: 'B' } },
    ],
    [
      ...(['of another than what is broken', 'unknown', 'C'] as const),
      { last: earlier('B'), broken: { since, fingerprint: 'B' }, repairedAt: at(1) },
      { last: now('C'), broken: { since }, repairedAt: at(1) },
    ],
  ])('%s', (_, result, fingerprint, before, after) => {
    expect(remember([result], fingerprint, before)).toEqual(after);
  });
});

it.each<[readonly Result[], boolean]>([
  [['pass'], true],
  [['pass', 'pass'], true],
  [['pass', 'fail'], false],
  [['pass', 'unknown'], false],
  [['fail'], false],
  [[], false],
])('an instrument whose checks say %j is sound: %s', (results, sound) => {
  const other: CheckResult = { ...makeFinding('fail'), instrument: false };
  expect(isInstrumentSound({ findings: [...results.map(makeFinding), other] })).toBe(sound);
});

const read = (result: Result, fingerprint: string | undefined, devices = [makeMac('1')]): SourceFacts =>
  makeSource(devices[0]?.operatingSystem === 'windows' ? 'windows' : 'macs', devices, {
    findings: [makeFinding(result)],
    instrument: { id: '6', ...(fingerprint === undefined ? {} : { fingerprint }) },
  });
describe('a Windows state after a repair', () => {
  const state = (answeredAt: string | undefined, lastSeenAt: string) => [
    makePc('a', '1', {
      lastSeenAt,
      answers: [{ value: '1', ...(answeredAt === undefined ? {} : { at: answeredAt }) }],
    }),
  ];
  const after = (days: number, answeredAt: string | undefined, repairDays?: number) => {
    const policy = { ...makeFacts(1).policy, ...(repairDays === undefined ? {} : { windowsRepairDays: repairDays }) };
    const judge = (night: number, devices: DeviceFacts[], before?: JudgedFacts) => {
      const one = before === undefined ? read('fail', 'B', devices) : read('pass', 'A', devices);
      return judgeAfter(makeFacts(night, { policy, sources: [one] }), before);
    };
    const repaired = judge(2, state(at(1, -9), at(1)), judge(1, state(at(1, -9), at(1))));
    return judge(2 + Math.ceil(days), state(answeredAt, at(2, days)), repaired).night;
  };

  it.each([
    ['a mere sync proves nothing', 5, at(1, -9), undefined, 0],
    ['a state of after the repair is proof', 5, at(2, 1), undefined, 1],
    ['and one of exactly its moment', 5, at(2), undefined, 1],
    ['and not one of just before', 5, at(2, 0, -1), undefined, 0],
    ['a state whose date does not move is believed after 30 days', 30, at(1, -9), undefined, 1],
    ['and not a little before', 29.99, at(1, -9), undefined, 0],
    ['as an undated one', 30, undefined, undefined, 1],
    ['or after as many as the policy says', 7, at(1, -9), 7, 1],
  ])('%s', (_, days, answeredAt, repairDays, expected) => {
    expect(findFigures(after(days, answeredAt, repairDays))).toMatchObject({ provenInstalled: expected });
  });
});

it('what each source measured with is in the history, where it could be read', () => {
  const all = judgeSource(read('pass', 'A'), read('pass', undefined));

  expect(all.map(({ state }) => state.history.at(-1)?.instruments)).toEqual([
    [{ source: 'macs', id: '6', fingerprint: 'A' }],
    [],
  ]);
});

it('a device’s address is that of its platform’s console, where the source has one', () => {
  const [plain, named] = judgeSource(
    makeSource('macs', [makeMac('1')]),
    makeSource('macs', [makeMac('1')], { address: 'https://jamf.example.com' }),
  );

  expect(findSource(plain, 'macs').deviceAddress).toBeUndefined();
  expect(findSource(named, 'macs').deviceAddress).toBe('https://jamf.example.com/computers.html?id={id}&o=r');
});
