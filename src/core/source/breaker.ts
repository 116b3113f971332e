/** Detects an implausible drop of the count or flood of changes: more likely a broken answer than a broken fleet. */
import type { Policy } from '../facts/company.ts';
import type { SourceFacts } from '../facts/facts.ts';
import type { Entry } from '../facts/ledger.ts';
import { isCountedEntry, type NamedMachine, type UnmatchedEntry } from '../ledger/entries.ts';
import { isOfSource, toReference } from '../record/references.ts';

export interface BreakerResult {
  readonly countedBefore: number;
  /** Machines counted before and not now, because of the platform's answer. */
  readonly gone: number;
  /** Machines that are gone after long silence, as a clean-up rule removes them; they are no drop. */
  readonly cleanedUp: number;
  readonly inBoth: number;
  readonly flipped: number;
  readonly trips: boolean;
}

/** Checks one source, given all machines and entries of the run. */
export function checkBreaker(
  source: Pick<SourceFacts, 'name' | 'kind'>,
  machines: readonly NamedMachine[],
  unmatched: readonly UnmatchedEntry[],
  limits: Policy['breaker'],
): BreakerResult {
  const wasCountedHere = (entry: Entry | undefined) => isCountedEntry(entry) && isOfSource(entry.standing, source);
  const known = machines.filter(({ before }) => wasCountedHere(before));
  const left = unmatched.filter(({ entry }) => wasCountedHere(entry));
  const countedBefore = known.length + left.length;
  const cleanedUp = left.filter(({ entry, takenBy }) => takenBy === undefined && entry.standing.stale).length;
  const gone = known.filter(isDropped).length + left.filter(isLost).length;
  const inBoth = machines.filter(
    ({ machine, before, excludedBecause }) =>
      excludedBecause === undefined && isCountedEntry(before) && isOfSource(toReference(machine.standing), source),
  );
  const flipped = inBoth.filter(({ machine, before }) => machine.standing.answer.status !== before?.status).length;
  const trips =
    isAboveLimit(gone, countedBefore, limits.maximumFleetDropPercent, limits.minimumDevices) ||
    isAboveLimit(flipped, inBoth.length, limits.maximumFlipPercent, limits.minimumDevices);
  return { countedBefore, gone, cleanedUp, inBoth: inBoth.length, flipped, trips };
}

/** Whether a listed machine is no longer counted, and neither a person nor a setting is the reason. */
function isDropped({ before, excludedBecause }: NamedMachine): boolean {
  const isBySettings = excludedBecause === 'personal' && before?.standing.isPersonal === true;
  return excludedBecause !== undefined && excludedBecause !== 'exempt' && !isBySettings;
}

/** Whether a machine is no longer listed, or was merged with one that was itself counted before. */
function isLost({ entry, takenBy }: UnmatchedEntry): boolean {
  return takenBy === undefined ? !entry.standing.stale : isCountedEntry(takenBy.before);
}

/** Whether the share is strictly above the percentage, and large enough to mean anything; multiplied out to avoid rounding. */
export function isAboveLimit(part: number, whole: number, percent: number, minimum: number): boolean {
  return part >= minimum && part * 100 > percent * whole;
}
