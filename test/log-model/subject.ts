/**
 * The contract of a subject: runs of the product, on a store of its own, that play the same schedules as the model.
 *
 * `playOnSubject` starts each run with stores whose every request waits until the scheduler releases it. One request is
 * released at a time, of one run; the next only when its run waits again, or has ended. A schedule names no request by
 * its count: a turn plays a run until its next request begins a section of a landmark (`landmarks.ts`), which is
 * recognised by place, kind and key, so that model and product may differ in what they read, and in how many files an
 * attempt or a copy has. They must agree in the order of sections: `read-latest`, `read-log`, what is finished for the
 * head, `attempt`, `commit`, `latest`, `copies`, `audit`, `removal`.
 *
 * A fault meets the n-th request of a section. A killed run gets no answer any more: its promise stays pending, so a
 * subject must hold neither timers nor locks for it. `compareOutcomes` says what is compared after each group.
 */
import type { Store } from '../../src/storage/store.ts';
import type { SeenRequest } from './landmarks.ts';
import type { StoreDescription } from './outcome.ts';
import type { RunPlan } from './schedule.ts';

export interface SubjectRun {
  readonly plan: RunPlan;
  /**
   * Names the run in descriptions: its first attempt is `<label>-1`. A subject whose attempts have other names knows a
   * run's attempts by the folders that its `store` is asked to create.
   */
  readonly label: string;
  readonly isSigned: boolean;
  /** Every request of the run goes through these two, and only they may wait. */
  readonly store: Store;
  readonly audit: Store | undefined;
}

export interface LogSubject {
  /** The store and the audit themselves, empty at first. */
  readonly store: Store;
  readonly audit: Store;
  /**
   * Plays one run to its exit code, without reading a clock but the plan's day, and without a network. A plan's
   * completeness of 0 to 3 is a source with 3 to 0 unreadable devices; a suspect one lacks most of its devices. `run`
   * names its slot, `scheduled` does not.
   */
  play(run: SubjectRun): Promise<number>;
  /** Describes what stands, past the gates; called when every run of a group has ended or was killed. */
  describe(settings: { readonly isSigned: boolean; readonly hasAudit: boolean }): Promise<StoreDescription>;
  /** The error that a run gets for a request that failed, or whose answer was lost. */
  makeFailure(request: SeenRequest): Error;
}
