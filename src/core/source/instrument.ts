/**
 * What is remembered of the instrument's readings. From the first reading that shows another or a wrong instrument
 * until one that shows it sound nothing is proven, and afterwards nothing that was measured meanwhile.
 */
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { CheckResult, PlatformFacts, SourceFacts } from '../facts/facts.ts';
import type { InstrumentMemory } from '../facts/remembered.ts';
import { findReadingTime } from '../record/shown-rows.ts';

/** A source of which no instrument check passed proves nothing: a check that was forgotten must not end in "proven". */
export function isInstrumentSound({ findings }: Pick<SourceFacts, 'findings'>): boolean {
  const isProved = findings.some(({ instrument, result }) => instrument && result === 'pass');
  return isProved && findings.every((finding) => !isUnsound(finding));
}

export function isInstrumentWrong({ findings }: Pick<SourceFacts, 'findings'>): boolean {
  return findings.some(({ instrument, result }) => instrument && result === 'fail');
}

/** What could not be read is not sound either. */
export function isUnsound({ instrument, result }: CheckResult): boolean {
  return instrument && (result === 'fail' || result === 'unknown');
}

/**
 * Nothing to read for people: a check whose settings the company never made, as of a deployment interface that it does
 * not use. deployment.csv has it.
 */
export function isLeftOut({ instrument, result }: Pick<CheckResult, 'instrument' | 'result'>): boolean {
  return result === 'not-checked' && !instrument;
}

export function formatFinding({ check, expected, found }: CheckResult): string {
  return `${check}: expected ${expected}; found ${found}.`;
}

/** A source's reading, as far as it concerns the instrument. */
export interface InstrumentReading extends Pick<SourceFacts, 'instrument' | 'findings'> {
  readonly receipt: Pick<SourceFacts['receipt'], 'ended'>;
}

/** The memory after this reading, whatever the run is worth; the same reading again leaves it as it is. */
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
    // What was read while it was broken says nothing of the one that is sound now.
    const lastSound = fingerprint === undefined && before.broken !== undefined ? undefined : last;
    return omitUndefined({ last: lastSound, soundFingerprint: fingerprint ?? soundFingerprint, repairedAt });
  }
  const broken = continueBreakage(reading, before.broken, soundFingerprint);
  return omitUndefined({ last, soundFingerprint, broken, repairedAt: before.repairedAt });
}

/**
 * The memory after a reading of an attempt that was not published: it can only take proof away. It begins a breakage, and
 * interrupts a run of readings that would date a repair; it never dates one itself.
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

/** Readings one after the other that show the same instrument. One that shows none neither adds nor interrupts. */
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

/** What was broken can be what is sound now, because a person accepted it: then its values are as good as ever. */
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
    // Also the first one that is read: nobody has ever found it sound.
    const isAnother = fingerprint !== undefined && fingerprint !== soundFingerprint;
    return isWrong || isAnother ? { since: readAt, ...omitUndefined({ fingerprint }) } : undefined;
  }
  const isUnchanged = fingerprint === undefined ? !isWrong : fingerprint === broken.fingerprint;
  return isUnchanged ? broken : { since: broken.since };
}
