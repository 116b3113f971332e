/** Why the figures are not those of the baselines: one reason for each machine. */
import { isOlderAnswer } from './moving.ts';
import { isProven } from './proof.ts';
import { isBlank, isCounted, isWhole, type Row, type SourceNight, type Transition, toKey } from './rows.ts';
import { findPlace } from './sums.ts';

/** How many machines there are of each reason; undefined where a source is not whole, or is new. */
export function countReasons(
  transitions: readonly Transition[],
  rows: readonly Row[],
  sources: readonly SourceNight[],
): Record<string, number> | undefined {
  if (sources.some((source) => !isWhole(source) || source.first)) {
    return undefined;
  }
  const reasons = transitions.flatMap((transition) => findReason(transition, rows, sources) ?? []);
  return Object.fromEntries(
    [...new Set(reasons)].sort().map((reason) => [reason, reasons.filter((one) => one === reason).length]),
  );
}

function findReason(
  { machine, before, isWritten, takenBy }: Transition,
  rows: readonly Row[],
  sources: readonly SourceNight[],
): string | undefined {
  const place = findPlace(before);
  const isInSettings = sources.some(({ facts }) => facts.name === place);
  if (machine === undefined) {
    return isWritten && isInSettings ? (takenBy === undefined ? 'removed' : 'excluded') : undefined;
  }
  const { standing: row } = machine;
  if (isBlank(row)) {
    return undefined;
  }
  if (!isCounted(row)) {
    return isInSettings ? 'excluded' : undefined;
  }
  if (before === undefined || before.isGone) {
    return row.status === 'Installed' ? 'new-installed' : 'new-not-installed';
  }
  if (!before.counted) {
    return 'included';
  }
  const hasMoved = toKey(before.standing) !== toKey(row);
  if (before.status !== row.status) {
    return isOlderAnswer(before, row, rows) ? 'moved' : row.status === 'Installed' ? 'recovered' : 'lost';
  }
  // "Nothing is proven of a device that could not be read": its entry was not written in the baseline of its source.
  const baseline = sources.find(({ facts }) => facts.name === place)?.baseline ?? '';
  const wasProven = before.proven && before.listedOn >= baseline;
  if (wasProven === isProven(row) && isInSettings) {
    return undefined;
  }
  return hasMoved ? 'moved' : isProven(row) ? 'proven' : 'unproven';
}
