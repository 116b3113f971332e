/** What a device is in a run, and what it was in an earlier one: the letters that any two runs are compared by. */
import type { Status } from '../facts/facts.ts';
import type { PastStanding, Standing } from '../facts/state.ts';
import type { ChangeKind, ShareKind } from '../facts/vocabulary.ts';

interface StandingFields {
  readonly counted: boolean;
  readonly status: Status;
  readonly proven?: boolean | undefined;
}

export function toStanding({ counted, status, proven }: StandingFields): Standing {
  if (!counted) {
    return status === 'Installed' ? 'X' : 'x';
  }
  return status === 'Installed' ? (proven ? 'I' : 'i') : proven ? 'N' : 'n';
}

export const isCounted = (standing: Standing) => 'IiNn'.includes(standing);
export const isInstalled = (standing: Standing) => 'IiX'.includes(standing);
export const isProven = (standing: Standing) => 'IN'.includes(standing);

/** A machine in two runs. */
export interface StandingPair {
  readonly was: Standing;
  readonly is: Standing;
  /** What it was, or, where it moved while it was away, what it was before it left. */
  readonly known: Standing;
  readonly moved: boolean;
}

/** Its one reason for a difference of the figures; undefined where it makes none. */
export function decideShareKind({ was, is, moved }: Omit<StandingPair, 'known'>): ShareKind | undefined {
  if (was === is || !(isCounted(was) || isCounted(is))) {
    return undefined;
  }
  if (!isCounted(was)) {
    return was === '-' ? (isInstalled(is) ? 'new-installed' : 'new-not-installed') : 'included';
  }
  if (!isCounted(is)) {
    return is === '-' ? 'removed' : 'excluded';
  }
  if (isInstalled(was) !== isInstalled(is)) {
    return isInstalled(is) ? 'recovered' : 'lost';
  }
  return moved ? 'moved' : isProven(is) ? 'proven' : 'unproven';
}

/** The rows of changes, in the order of `changeKinds`. */
export function decideChangeKinds({ was, is, known, moved }: StandingPair): ChangeKind[] {
  if (!(isCounted(was) || isCounted(is))) {
    return [];
  }
  const kind = decideShareKind({ was: known, is, moved });
  const isRow = kind !== undefined && kind !== 'moved' && kind !== 'proven' && kind !== 'unproven' && kind !== 'other';
  return [...(moved ? ['moved' as const] : []), ...(isRow ? [kind] : [])];
}

/** A machine in two of the runs of its past; `now` is what it is in the last one. */
export function findPair(past: readonly PastStanding[], now: Standing, earlier: string, later: string): StandingPair {
  const at = (run: string) => past.find(({ slot }) => slot > run)?.was ?? now;
  const was = at(earlier);
  const moved = past.some((one) => one.moved && one.slot > earlier && one.slot <= later);
  const before = past.findLast((one) => one.slot <= earlier && one.was !== '-')?.was;
  return { was, is: at(later), moved, known: was === '-' && moved ? (before ?? was) : was };
}
