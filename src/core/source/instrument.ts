/**
 * The memory of the instrument's readings. From the first reading of another or a wrong instrument until one shows it
 * sound, nothing is proven; afterwards, nothing that was measured in between.
 */
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { CheckResult, PlatformFacts, SourceFacts } from '../facts/facts.ts';
import type { InstrumentMemory } from '../facts/remembered.ts';
import { findReadingTime } from '../record/shown-rows.ts';

/** True only if an instrument check passed and none failed or is unknown: a forgotten check must not end in "proven". */
export function isInstrumentSound({ findings }: Pick<SourceFacts, 'findings'>): boolean {
  const isProved = findings.some(({ instrument, result }) => instrument && result === 'pass');
  return isProved && findings.every((finding) => !isUnsound(finding));
}

export function isInstrumentWrong({ findings }: Pick<SourceFacts, 'findings'>): boolean {
  return findings.some(({ instrument, result }) => instrument && result === 'fail');
}

/** Whether an instrument check failed or could not be read. */
export function isUnsound({ instrument, result }: CheckResult): boolean {
  return instrument && (result === 'fail' || result === 'unknown');
}

/**
 * Whether people skip the check: the company did not make its settings, such as for a deployment interface that it does
 * not use. deployment.csv has it.
 */
export function isLeftOut({ instrument, result }: Pick<CheckResult, 'instrument' | 'result'>): boolean {
  return result === 'not-checked' && !instrument;
}

export function formatFinding({ check, expected, found }: CheckResult): string {
  return `${check}: expected ${expected}; found ${found}.`;
}

/** The parts of a source's reading that concern the instrument. */
export interface InstrumentReading extends Pick<SourceFacts, 'instrument' | 'findings'> {
  readonly receipt: Pick<SourceFacts['receipt'], 'ended'>;
}

/** The memory after this reading, whether or not the run is published whole; repeating the reading changes nothing. */
export function rememberReading(
  source: InstrumentReading,
  before: InstrumentMemory,
  run: Pick<PlatformFacts, 'slot' | 'moment'>,
): InstrumentMemory {
  const { fingerprint } = source.instrument;
  const { soundFingerprint } = before;
  const reading: Reading = {
    fingerprint,
    isWrong: isInstrumentWrong(source),
    readAt: findReadingTime(source, run),
  };
  const last = continueRun(reading, before.last, run.slot);
  if (isInstrumentSound(source)) {
    const repairedAt = findRepair(reading, before, last);
    // A fingerprint read during the breakage says nothing about the instrument that is sound now.
    const lastSound = fingerprint === undefined && before.broken !== undefined ? undefined : last;
    return omitUndefined({ last: lastSound, soundFingerprint: fingerprint ?? soundFingerprint, repairedAt });
  }
  const broken = continueBreakage(reading, before.broken, soundFingerprint);
  return omitUndefined({ last, soundFingerprint, broken, repairedAt: before.repairedAt });
}

/**
 * The memory after a reading of an attempt that was not published, which can only take proof away: it begins a breakage
 * and interrupts the readings that would date a repair, but never dates a repair itself.
 */
export function rememberUnpublishedReading(
  source: InstrumentReading,
  before: InstrumentMemory,
  run: Pick<PlatformFacts, 'slot' | 'moment'>,
): InstrumentMemory {
  const { last, broken } = rememberReading(source, before, run);
  if (broken === undefined) {
    return before;
  }
  const isSame = last?.fingerprint === before.last?.fingerprint;
  const { last: _, ...others } = before;
  return { ...others, ...omitUndefined({ last: isSame ? before.last : undefined }), broken };
}

interface Reading {
  readonly fingerprint: string | undefined;
  readonly isWrong: boolean;
  readonly readAt: string;
}

/** Continues readings of the same instrument. One without a fingerprint changes nothing, unless it is wrong. */
function continueRun(
  { fingerprint, isWrong, readAt }: Reading,
  last: InstrumentMemory['last'],
  slot: string,
): InstrumentMemory['last'] {
  if (fingerprint === undefined) {
    return isWrong ? undefined : last;
  }
  return fingerprint === last?.fingerprint ? last : { fingerprint, since: slot, readAt };
}

/** The end of the breakage. There is none if a person accepted the broken instrument: then its values stay proven. */
function findRepair(
  { fingerprint, readAt }: Reading,
  { broken, repairedAt }: InstrumentMemory,
  last: InstrumentMemory['last'],
): string | undefined {
  if (broken === undefined || (fingerprint !== undefined && fingerprint === broken.fingerprint)) {
    return repairedAt;
  }
  return fingerprint === undefined ? readAt : (last?.readAt ?? readAt);
}

function continueBreakage(
  reading: Reading,
  broken: InstrumentMemory['broken'],
  soundFingerprint: string | undefined,
): InstrumentMemory['broken'] {
  const { fingerprint, isWrong, readAt } = reading;
  if (broken === undefined) {
    // The first fingerprint counts as another one as well, since no reading has found it sound.
    const isAnother = fingerprint !== undefined && fingerprint !== soundFingerprint;
    return isWrong || isAnother ? { since: readAt, ...omitUndefined({ fingerprint }) } : undefined;
  }
  const isUnchanged = fingerprint === undefined ? !isWrong : fingerprint === broken.fingerprint;
  return isUnchanged ? broken : { since: broken.since };
}
