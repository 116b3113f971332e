/** An implausible drop of the count or flood of changes: more likely a broken answer than a broken fleet. */
import type { Policy } from '../facts/company.ts';
import type { SourceFacts } from '../facts/facts.ts';
import type { Entry } from '../facts/ledger.ts';
import { isCountedEntry, type NamedMachine, type UnmatchedEntry } from '../ledger/entries.ts';
import { isOfSource, toReference } from '../record/references.ts';

export interface BreakerResult {
  readonly countedBefore: number;
  /** Counted before and not now, for a reason that came from the platform. */
  readonly gone: number;
  /** Gone after they had not been heard from for long, as a clean-up rule removes them: no drop. */
  readonly cleanedUp: number;
  readonly inBoth: number;
  readonly flipped: number;
  readonly trips: boolean;
}

/** All machines and entries of the run are given. */
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

/** Listed and not counted, and neither a person nor a setting is the reason. */
function isDropped({ before, excludedBecause }: NamedMachine): boolean {
  const isBySettings = excludedBecause === 'personal' && before?.standing.isPersonal === true;
  return excludedBecause !== undefined && excludedBecause !== 'exempt' && !isBySettings;
}

/** Not listed any more; or one with a machine that was itself counted before, which makes one machine of two. */
function isLost({ entry, takenBy }: UnmatchedEntry): boolean {
  return takenBy === undefined ? !entry.standing.stale : isCountedEntry(takenBy.before);
}

/** Strictly above the percentage, and enough devices to mean anything; multiplied out, so that nothing is rounded. */
export function isAboveLimit(part: number, whole: number, percent: number, minimum: number): boolean {
  return part >= minimum && part * 100 > percent * whole;
}
