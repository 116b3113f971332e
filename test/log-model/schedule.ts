/** A schedule as plain data: which runs start together, how they take turns, and what goes wrong. */
import type { Landmark } from './landmarks.ts';

/**
 * `run` names its slot (`muster run --slot`); `scheduled` does not; `heal` is a healing start. The clock and
 * completeness of a retract, accept or prune are not used: they judge a stored run.
 */
export type RunKind = 'run' | 'scheduled' | 'heal' | 'retract' | 'accept' | 'prune';

export interface RunPlan {
  readonly kind: RunKind;
  /** A day; retract and accept name the slot that they are about, and prune names none. */
  readonly slot: number;
  /** The day of this run's own clock, which may be wrong. */
  readonly clockDay: number;
  /** The completeness that a gathering run reaches: 3 is complete. */
  readonly completeness: number;
  readonly isSuspect: boolean;
  readonly retention: number;
  readonly fault?: Fault;
}

/**
 * `kill`: the run does nothing more. `lose`: the request fails for the run. `cut-off`: this request and all later ones
 * of the run fail. With `isDone` the request has its effect first.
 */
export interface Fault {
  readonly outcome: 'kill' | 'lose' | 'cut-off';
  readonly isDone: boolean;
  readonly landmark: Exclude<Landmark, 'read-latest' | 'read-log' | 'after-commit'>;
  /** The section of this landmark in the run, and the request in the section, both counted from 0. */
  readonly section: number;
  readonly request: number;
}

/** The run proceeds until its next request begins a section of this landmark, or it ends. */
export interface Turn {
  readonly run: number;
  readonly until: Landmark | 'end';
}

/** Requests that fail without an effect while a group of runs is under way. */
export type Unwritable = 'commits' | 'latest' | 'audit' | 'copies' | 'removals';

export interface Group {
  readonly runs: readonly RunPlan[];
  /** After the last turn the runs are played to their ends in order. */
  readonly turns: readonly Turn[];
  readonly unwritable: readonly Unwritable[];
}

export interface Schedule {
  readonly isSigned: boolean;
  readonly hasAudit: boolean;
  readonly groups: readonly Group[];
}

export function formatDay(day: number): string {
  return new Date(Date.UTC(2026, 2, day)).toISOString().slice(0, 10);
}

export function parseDay(slot: string): number {
  return (Date.parse(slot) - Date.UTC(2026, 2, 0)) / 86_400_000;
}
