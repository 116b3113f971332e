/** What one reading of the instrument leaves in memory, rule by rule; `instrument.test.ts` shows what follows from it. */
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/core/facts.ts';
import { isInstrumentSound, readingTime, rememberReading } from '../../src/core/instrument.ts';
import type { InstrumentMemory } from '../../src/core/instrument-memory.ts';
import { at, instrument, slot, source } from './world.ts';

type Result = Finding['result'];

const readAt = at(5);
const read = (results: readonly Result[], fingerprint: string | undefined, before: InstrumentMemory) =>
  rememberReading(
    source('macs', [], {
      findings: results.map(instrument),
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
    expect(read(['pass'], fingerprint, before)).toEqual(after);
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
      ...(['of what was sound by an older memory', 'unknown', 'A', { last: earlier('A') }] as const),
      { last: earlier('A'), soundFingerprint: 'A' },
    ],
    [
      ...(['of what was broken by an older memory', 'unknown', 'B'] as const),
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
    expect(read([result], fingerprint, before)).toEqual(after);
  });

  it('one failed check among others is a failed reading', () => {
    expect(read(['pass', 'fail'], undefined, soundA)).toEqual({ soundFingerprint: 'A', broken: { since: readAt } });
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
  const other: Finding = { ...instrument('fail'), instrument: false };
  expect(isInstrumentSound({ findings: [...results.map(instrument), other] })).toBe(sound);
});

it.each([
  [at(2, 0, 1), at(2, 0, 1)],
  [at(2), at(2)],
  [at(1), at(2)],
])('a reading that ended at %s counts as of %s', (ended, time) => {
  const { receipt } = source('macs', []);
  expect(readingTime({ receipt: { ...receipt, ended } }, { moment: at(2) })).toBe(time);
});
