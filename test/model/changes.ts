/** What changed against the baseline, for the devices that are or were counted. */
import type { Predecessor } from './baselines.ts';
import { type ChangeRow, isBlank, isCounted, type Row } from './rows.ts';

export interface Pairing {
  row: Row;
  predecessor: Predecessor | undefined;
}

/** `hasMovedAway`: the machine of a row of the baseline goes on under another id. */
export function listChanges(
  pairings: readonly Pairing[],
  before: readonly Row[],
  hasMovedAway: (row: Row) => boolean,
): ChangeRow[] {
  const removed = before.filter(
    (row) => isCounted(row) && !hasMovedAway(row) && !pairings.some((pairing) => pairing.row.facts.id === row.facts.id),
  );
  return [
    ...pairings.filter(({ row }) => isCounted(row) || !hasMovedAway(row)).flatMap(listDeviceChanges),
    ...removed.map((row) => makeChange(row, 'removed', row.status, undefined, row.reason)),
  ];
}

function listDeviceChanges({ row, predecessor }: Pairing): ChangeRow[] {
  if (isBlank(row)) {
    return [];
  }
  const isKnown = predecessor !== undefined && (predecessor.isMove || predecessor.known.age === 0);
  const old = isKnown ? predecessor.known.row : undefined;
  const wasCounted = old !== undefined && isCounted(old) && predecessor?.known.age === 0;
  const moved = predecessor?.isMove === true ? [makeChange(row, 'moved', old?.status, row.status, row.reason)] : [];
  if (!isCounted(row)) {
    return wasCounted ? [...moved, makeChange(row, 'excluded', old.status, row.status, row.excludedBecause ?? '')] : [];
  }
  if (old === undefined) {
    const kind = row.status === 'Installed' ? 'new-installed' : 'new-not-installed';
    return [makeChange(row, kind, undefined, row.status, row.reason)];
  }
  if (!isCounted(old)) {
    return [...moved, makeChange(row, 'included', old.status, row.status, old.excludedBecause ?? '')];
  }
  if (old.status === row.status) {
    return moved;
  }
  const kind = row.status === 'Installed' ? 'recovered' : 'lost';
  return [...moved, makeChange(row, kind, old.status, row.status, row.reason)];
}

function makeChange(
  row: Row,
  kind: string,
  from: string | undefined,
  to: string | undefined,
  reason: string,
): ChangeRow {
  return { source: row.source, id: row.facts.id, kind, from, to, reason };
}
