/** The letters of a machine's history: what it is in a run, what it was, and why figures differ between any two runs. */

import type { CountLetter, Entry, HistoryStep } from '../facts/ledger.ts';
import type { ChangeKind, DifferenceKind, ShareKind, Status } from '../facts/vocabulary.ts';

export function toCountLetter({ counted, status }: Pick<Entry, 'counted' | 'status'>, proven: boolean): CountLetter {
  if (!counted) {
    return status === 'Installed' ? 'X' : 'x';
  }
  return status === 'Installed' ? (proven ? 'I' : 'i') : proven ? 'N' : 'n';
}

/** What the last letter of a history says of a machine, or of one that is gone the last before it was. */
export function readLetter(history: readonly HistoryStep[]): Pick<Entry, 'counted' | 'status' | 'proven'> {
  const letter = history.findLast(([, one]) => one !== '-')?.[1] ?? 'x';
  return { counted: isCounted(letter), status: toStatus(letter), proven: isProven(letter) || undefined };
}

export const isCounted = (letter: CountLetter) => 'IiNn'.includes(letter);
export const isInstalled = (letter: CountLetter) => 'IiX'.includes(letter);
export const isProven = (letter: CountLetter) => 'IN'.includes(letter);

function toStatus(letter: CountLetter): Status {
  return isInstalled(letter) ? 'Installed' : 'Not Installed';
}

/** A change of status; `from` is missing where the machine was not known before, `to` where it is gone. */
export interface Transition {
  readonly slot: string;
  readonly from?: Status;
  readonly to?: Status;
}

/** Only other statuses: a machine that is gone and comes back as it was has no transition but that it was gone. */
export function listTransitions(history: readonly HistoryStep[]): Transition[] {
  const transitions: Transition[] = [];
  let before: Status | undefined;
  for (const [slot, letter] of history) {
    const to = letter === '-' ? undefined : toStatus(letter);
    if (to === undefined) {
      transitions.push({ slot, ...(before && { from: before }) });
    } else if (to !== before) {
      transitions.push({ slot, ...(before && { from: before }), to });
    }
    before = to ?? before;
  }
  return transitions;
}

/** A machine in two runs. */
export interface CountLetterPair {
  readonly was: CountLetter;
  readonly is: CountLetter;
  /** Another record stands for it than before. */
  readonly moved: boolean;
  /** That record was last heard from earlier, so that its answer is no news. */
  readonly isOlderAnswer?: boolean;
  /** The figures of the earlier run do not have it: its source was not among theirs. */
  readonly isNewToFigures?: boolean;
}

/** Its one reason for a difference of the figures, which its row gives too; undefined where it makes none. */
export function decideShareKind(pair: CountLetterPair): ShareKind | undefined {
  const { was, is, moved, isOlderAnswer, isNewToFigures } = pair;
  const isInFigures = isCounted(is) || (isCounted(was) && !isNewToFigures);
  if (!isInFigures || (was === is && !isNewToFigures)) {
    return undefined;
  }
  if (!isCounted(was)) {
    return was === '-' ? (isInstalled(is) ? 'new-installed' : 'new-not-installed') : 'included';
  }
  if (!isCounted(is)) {
    return is === '-' ? 'removed' : 'excluded';
  }
  if (isInstalled(was) !== isInstalled(is) && !isOlderAnswer) {
    return isInstalled(is) ? 'recovered' : 'lost';
  }
  return moved ? 'moved' : isProven(is) ? 'proven' : 'unproven';
}

/** The rows of changes, in the order in which those of one machine are printed. */
export function decideChangeKinds(pair: CountLetterPair): ChangeKind[] {
  return decideDifferenceKinds(pair).filter((kind) => kind !== 'proven' && kind !== 'unproven');
}

/** The rows of a comparison: beside the changes, the machines whose proof alone is another. */
export function decideDifferenceKinds(pair: CountLetterPair): DifferenceKind[] {
  const kind = decideShareKind(pair);
  const isRow = kind !== undefined && kind !== 'moved' && kind !== 'other';
  return [...(pair.moved ? ['moved' as const] : []), ...(isRow ? [kind] : [])];
}

/** The letter of a machine after the run of a slot; `-` before the run that listed it first. */
export function findLetter(history: readonly HistoryStep[], slot: string): CountLetter {
  return history.findLast(([since]) => since <= slot)?.[1] ?? '-';
}

/** A machine in two of the runs of its history, which does not say whether another record stands for it. */
export function findPair(history: readonly HistoryStep[], earlier: string, later: string): CountLetterPair {
  return { was: findLetter(history, earlier), is: findLetter(history, later), moved: false };
}
