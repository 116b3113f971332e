/** The letters of a machine's history: its state in a run, and why figures differ between any two runs. */

import type { CountLetter, Entry, HistoryStep } from '../facts/ledger.ts';
import type { ChangeKind, DifferenceKind, ShareKind, Status } from '../facts/vocabulary.ts';

export function toCountLetter({ counted, status }: Pick<Entry, 'counted' | 'status'>, proven: boolean): CountLetter {
  if (!counted) {
    return status === 'Installed' ? 'X' : 'x';
  }
  return status === 'Installed' ? (proven ? 'I' : 'i') : proven ? 'N' : 'n';
}

/** The state that the last letter of a history says; for a machine that is gone, the last letter before that. */
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

/** Changes of status. A machine that is gone and comes back with the same status has one transition, to gone. */
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
  /** True where the machine has another standing record than before. */
  readonly moved: boolean;
  /** True where that record's last contact is earlier, so that its answer counts as no change. */
  readonly isOlderAnswer?: boolean;
  /** True where the earlier run's figures lack the machine's source. */
  readonly isNewToFigures?: boolean;
}

/** The machine's one reason for a difference of the figures, also given by its row; undefined where it makes none. */
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

/** The rows of a comparison: the changes, and the machines that differ only in proof. */
export function decideDifferenceKinds(pair: CountLetterPair): DifferenceKind[] {
  const kind = decideShareKind(pair);
  const isRow = kind !== undefined && kind !== 'moved' && kind !== 'other';
  return [...(pair.moved ? ['moved' as const] : []), ...(isRow ? [kind] : [])];
}

/** The letter of a machine after the run of a slot; `-` before the run that listed it first. */
export function findLetter(history: readonly HistoryStep[], slot: string): CountLetter {
  return history.findLast(([since]) => since <= slot)?.[1] ?? '-';
}

/** The letters of a machine in two runs of its history, which does not show moves between records. */
export function findPair(history: readonly HistoryStep[], earlier: string, later: string): CountLetterPair {
  return { was: findLetter(history, earlier), is: findLetter(history, later), moved: false };
}
