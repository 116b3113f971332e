/** Why the figures are not those of the baselines: one reason for each machine, and what it does to the count. */
import type { Pairing } from './changes.ts';
import { isBlank, isCounted, type Row } from './rows.ts';

/** How many machines there are of each reason. */
export type Reasons = Record<string, number>;

/** Of sources that are compared. A row of the baseline is gone where nothing has its id and its machine did not move. */
export function countReasons(
  pairings: readonly Pairing[],
  gone: readonly Row[],
  hasMovedAway: (row: Row) => boolean,
): Reasons {
  const reasons = [
    ...gone.filter(isCounted).map(() => 'removed'),
    ...pairings
      .filter(
        ({ row, predecessor }) =>
          !isBlank(row) &&
          (predecessor?.isMove === true ||
            predecessor === undefined ||
            predecessor.known.age > 0 ||
            !hasMovedAway(row)),
      )
      .flatMap((pairing) => findReason(pairing) ?? []),
  ];
  return Object.fromEntries(
    [...new Set(reasons)].sort().map((reason) => [reason, reasons.filter((one) => one === reason).length]),
  );
}

/** A machine that was away is new, unless it moved: then it is compared with what it was before it left. */
function findReason({ row, predecessor }: Pairing): string | undefined {
  const isMove = predecessor?.isMove === true;
  const isAway = predecessor === undefined || predecessor.known.age > 0;
  const old = isAway && !isMove ? undefined : predecessor?.known.row;
  const wasCounted = old !== undefined && isCounted(old);
  if (!isCounted(row)) {
    return wasCounted && !isAway ? 'excluded' : undefined;
  }
  if (old === undefined) {
    return row.status === 'Installed' ? 'new-installed' : 'new-not-installed';
  }
  if (!wasCounted) {
    return 'included';
  }
  if (old.status !== row.status) {
    return row.status === 'Installed' ? 'recovered' : 'lost';
  }
  if (old.proven === row.proven && !isAway) {
    return undefined;
  }
  return isMove ? 'moved' : row.proven ? 'proven' : 'unproven';
}

export function sumReasons(all: readonly Reasons[]): Reasons {
  const names = [...new Set(all.flatMap((reasons) => Object.keys(reasons)))].sort();
  return Object.fromEntries(names.map((name) => [name, all.reduce((sum, reasons) => sum + (reasons[name] ?? 0), 0)]));
}
