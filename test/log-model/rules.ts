/** The rules of the log that a broken variant of the model lacks, each used in one line. */

export interface LogRules {
  /** Reads the audit and `latest.json` before the log. */
  readonly readsLogLast: boolean;
  /** Takes its own bytes in the place of its commit for its own success. */
  readonly knowsOwnBytes: boolean;
  /** Ends with 4 where a rival published the slot no less complete. */
  readonly yieldsToRivals: boolean;
  /** Goes on with the commit after its head before and after it overwrites a copy. */
  readonly readsNumberAfter: boolean;
  /** Stops copying to the audit at the first commit that fails. */
  readonly stopsAtFailedAudit: boolean;
  /** Finishes the copies of an earlier run at its start. */
  readonly finishesAtStart: boolean;
  /** Removes nothing in a run that could not write `latest.json`. */
  readonly needsLatestToRemove: boolean;
  /** Replaces a run of the same slot only by a more complete one. */
  readonly replacesOnlyByBetter: boolean;
  /** Remembers which slots were retracted. */
  readonly remembersRetractedSlots: boolean;
  /** Removes only what a checked commit let go. */
  readonly removesAfterCommit: boolean;
  /** Lists in its state the copies that its head still lacks. */
  readonly passesOnOwedCopies: boolean;
  /** Takes the dated copies of a retracted slot away. */
  readonly takesCopiesAway: boolean;
  /** Checks a commit in its place without minding that `latest.json` names a later one. */
  readonly allowsOvertakenRivals: boolean;
  /** Takes `latest.json` that is ahead of the log for damage only after a second look. */
  readonly looksTwice: boolean;
}

export const writtenRules: LogRules = {
  readsLogLast: true,
  knowsOwnBytes: true,
  yieldsToRivals: true,
  readsNumberAfter: true,
  stopsAtFailedAudit: true,
  finishesAtStart: true,
  needsLatestToRemove: true,
  replacesOnlyByBetter: true,
  remembersRetractedSlots: true,
  removesAfterCommit: true,
  passesOnOwedCopies: true,
  takesCopiesAway: true,
  allowsOvertakenRivals: true,
  looksTwice: true,
};
