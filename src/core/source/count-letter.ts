/** What a device is in a run, and what it was in an earlier one: the letters that any two runs are compared by. */
import type { BaselineDevice, CountLetter, PastCountLetter } from '../facts/state.ts';
import type { ChangeKind, DifferenceKind, ShareKind } from '../facts/vocabulary.ts';

type CountLetterFields = Pick<BaselineDevice, 'counted' | 'status' | 'proven'>;

export function toCountLetter({ counted, status, proven }: CountLetterFields): CountLetter {
  if (!counted) {
    return status === 'Installed' ? 'X' : 'x';
  }
  return status === 'Installed' ? (proven ? 'I' : 'i') : proven ? 'N' : 'n';
}

export const isCounted = (letter: CountLetter) => 'IiNn'.includes(letter);
export const isInstalled = (letter: CountLetter) => 'IiX'.includes(letter);
export const isProven = (letter: CountLetter) => 'IN'.includes(letter);

/** A machine in two runs. */
export interface CountLetterPair {
  readonly was: CountLetter;
  readonly is: CountLetter;
  /** What it was, or, where it moved while it was away, what it was before it left. */
  readonly known: CountLetter;
  readonly moved: boolean;
}

/** Its one reason for a difference of the figures, which its row gives too; undefined where it makes none. */
export function decideShareKind({ was, is, known, moved }: CountLetterPair): ShareKind | undefined {
  if (was === is || !(isCounted(was) || isCounted(is))) {
    return undefined;
  }
  if (!isCounted(known)) {
    return known === '-' ? (isInstalled(is) ? 'new-installed' : 'new-not-installed') : 'included';
  }
  if (!isCounted(is)) {
    return is === '-' ? 'removed' : 'excluded';
  }
  if (isInstalled(known) !== isInstalled(is)) {
    return isInstalled(is) ? 'recovered' : 'lost';
  }
  return moved ? 'moved' : isProven(is) ? 'proven' : 'unproven';
}

/** The rows of changes, in the order in which those of one device are printed. */
export function decideChangeKinds(pair: CountLetterPair): ChangeKind[] {
  return decideDifferenceKinds(pair).filter((kind) => kind !== 'proven' && kind !== 'unproven');
}

/** The rows of a comparison: beside the changes, the machines whose proof alone is another. */
export function decideDifferenceKinds(pair: CountLetterPair): DifferenceKind[] {
  if (!(isCounted(pair.was) || isCounted(pair.is))) {
    return [];
  }
  const kind = decideShareKind(pair);
  const isRow = kind !== undefined && kind !== 'moved' && kind !== 'other';
  return [...(pair.moved ? ['moved' as const] : []), ...(isRow ? [kind] : [])];
}

/** A machine in two of the runs of its past; `now` is what it is in the last one. */
export function findPair(
  past: readonly PastCountLetter[],
  now: CountLetter,
  earlier: string,
  later: string,
): CountLetterPair {
  const at = (run: string) => past.find(({ slot }) => slot > run)?.was ?? now;
  const was = at(earlier);
  const moved = past.some((one) => one.moved && one.slot > earlier && one.slot <= later);
  const before = past.findLast((one) => one.slot <= earlier && one.was !== '-')?.was;
  return { was, is: at(later), moved, known: was === '-' && moved ? (before ?? was) : was };
}
