/** A state as files: a small head, and the ledger as lines, so that most readers read the head alone. */
import type { State } from '../../core/facts/state.ts';

/** A state without its ledger. */
export type StateHead = Omit<State, 'ledger'>;

/** Files of a run's own state, and of the one with which it was compared. */
export const stateFiles = {
  next: { head: 'state.json.gz', ledger: 'ledger.ndjson.gz' },
  previous: { head: 'facts/before.json.gz', ledger: 'facts/before/ledger.ndjson.gz' },
} as const;

export type StateFiles = (typeof stateFiles)[keyof typeof stateFiles];

export function toStateHead({ ledger: _, ...head }: State): StateHead {
  return head;
}
