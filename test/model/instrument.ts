/** From when on an instrument's values count: breakages, and the readings that ended them. */
import type { Policy } from '../../src/core/facts/company.ts';
import type { CheckResult, Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import { findAgeDate } from './answers.ts';
import { findKindModel } from './kinds.ts';
import { day, type ModelNight, type Past, type Row, readTime } from './rows.ts';

interface Reading {
  at: number;
  fingerprint: string | undefined;
  isSound: boolean;
  hasFailed: boolean;
  isPublished: boolean;
}

type Attempt = Pick<ModelNight, 'facts' | 'isPublished'>;

/** `isBroken`: from a broken reading until a sound one. `repairedAt`: the latest sound reading that ended a breakage. */
export interface InstrumentPast {
  isBroken: boolean;
  repairedAt: number;
}

export function isSoundInstrument(findings: readonly CheckResult[]): boolean {
  const results = findings.filter(({ instrument }) => instrument).map(({ result }) => result);
  return results.includes('pass') && !results.includes('fail') && !results.includes('unknown');
}

export function followInstrument(
  past: Past,
  earlier: readonly ModelNight[],
  facts: Facts,
  name: string,
): InstrumentPast {
  return followReadings(listReadings([...past.flat(), ...earlier, { facts, isPublished: true }], name));
}

/** Every attempt counts, also one that was replaced; a source that was taken out of the settings begins anew. */
function listReadings(attempts: readonly Attempt[], name: string): Reading[] {
  let readings: Reading[] = [];
  for (const { facts, isPublished } of attempts) {
    const source = facts.sources.find((candidate) => candidate.name === name);
    if (source === undefined) {
      readings = isPublished ? [] : readings;
      continue;
    }
    const reading = { ...readInstrument(source, facts.moment), isPublished };
    // Of an attempt that is not published, only what takes proof away is kept.
    if (isPublished || !reading.isSound) {
      readings.push(reading);
    }
  }
  return readings;
}

function readInstrument(source: SourceFacts, moment: string): Omit<Reading, 'isPublished'> {
  return {
    at: Math.max(Date.parse(moment), Date.parse(source.receipt.ended)),
    fingerprint: source.instrument.fingerprint,
    isSound: isSoundInstrument(source.findings),
    hasFailed: source.findings.some(({ instrument, result }) => instrument && result === 'fail'),
  };
}

function followReadings(readings: readonly Reading[]): InstrumentPast {
  let repairedAt = -Infinity;
  let soundFingerprint: string | undefined;
  /** The readings since the breakage began; empty while there is none. */
  let broken: Reading[] = [];
  for (const reading of readings) {
    const { fingerprint, isSound, hasFailed } = reading;
    if (isSound) {
      if (!broken.every((one) => one.fingerprint !== undefined && one.fingerprint === fingerprint)) {
        repairedAt = findRepair(broken, reading);
      }
      broken = [];
      soundFingerprint = fingerprint ?? soundFingerprint;
    } else if (broken.length > 0) {
      // A reading that could not be made neither ends nor interrupts anything.
      broken = hasFailed || fingerprint !== undefined ? [...broken, reading] : broken;
    } else if (hasFailed || (fingerprint !== undefined && fingerprint !== soundFingerprint)) {
      broken = [reading];
    }
  }
  return { isBroken: broken.length > 0, repairedAt };
}

/** The first reading of the trailing run of readings with the fingerprint that is sound now. */
function findRepair(broken: readonly Reading[], sound: Reading): number {
  let { at } = sound;
  for (const reading of [...broken].reverse()) {
    if (sound.fingerprint === undefined || reading.fingerprint !== sound.fingerprint) {
      return at;
    }
    at = reading.isPublished ? reading.at : at;
  }
  return at;
}

/** "Device events come back on macOS as by the age date, on Windows with the first sync after that reading." */
export function isBeforeRepair({ facts, kind }: Row, { repairedAt }: InstrumentPast): boolean {
  return (findAgeDate(facts, kind) ?? -Infinity) < repairedAt;
}

/** Whether the value was taken before the instrument was sound again. */
export function isTakenBeforeRepair(
  { facts, kind, valueAt }: Row,
  { repairedAt }: InstrumentPast,
  policy: Policy,
): boolean {
  const seen = findAgeDate(facts, kind) ?? -Infinity;
  if (!findKindModel(kind).datesAnswers) {
    return seen < repairedAt;
  }
  const stateAt = readTime(valueAt) ?? -Infinity;
  const longAfter = repairedAt + policy.windowsRepairDays * day;
  return (seen < repairedAt || stateAt < repairedAt) && seen < longAfter;
}
