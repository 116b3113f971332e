/** A state as files: a small head, and the ledger as lines, so that whoever needs only the head reads only the head. */
import type { State } from '../../core/facts/state.ts';

/** A state without its ledger. */
export type StateHead = Omit<State, 'ledger'>;

/** A run's own state, and the one that it was compared with. */
export const stateFiles = {
  next: { head: 'state.json.gz', ledger: 'ledger.ndjson.gz' },
  previous: { head: 'facts/before.json.gz', ledger: 'facts/before/ledger.ndjson.gz' },
} as const;

export type StateFiles = (typeof stateFiles)[keyof typeof stateFiles];

export function toStateHead({ ledger: _, ...head }: State): StateHead {
  return head;
}
