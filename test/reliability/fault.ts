/** What is said of a fault, and what may come of one. */

export const outcomes = {
  SAME: 'the tables are the same as without the fault',
  PART: 'published with exit 3; a source that could not be read completely is carried (missing, without a baseline), keeps its devices’ status and says why',
  CLOSED: 'nothing is published; the log is as it was, the error has a code, the exit is not 0',
  REFUSE: 'refused by name before anything is sent',
  RULE: 'a rule of its own, in the last column',
} as const;

export interface Fault {
  readonly fault: string;
  readonly outcome: keyof typeof outcomes;
  /** The rule, or what is different here from what one would expect. */
  readonly note?: string;
  /** Why there can be no test of it here. */
  readonly untested?: string;
}

export interface FaultArea {
  readonly title: string;
  readonly faults: Readonly<Record<string, Fault>>;
}
