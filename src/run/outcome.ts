/** How a run ended. */

import type { Night } from '../core/facts/judged.ts';
import type { PublishedRun } from '../storage/commits/commit.ts';
import { decideExitCode } from '../storage/runs/publish.ts';
import { type Finished, isFinished } from './finish-run.ts';

export interface RunOutcome extends Finished {
  /** 0: published, complete, delivered · 3: published, but not all of that · 4: another run published this slot meanwhile. */
  readonly exit: 0 | 3 | 4;
  readonly did: 'published' | 'unchanged' | 'superseded' | 'dryRun';
  /** The night as judged now; undefined where the published run was left as it is. */
  readonly night: Night | undefined;
  /** True where a source of the published run was not complete and sound. */
  readonly isUnsound?: true;
  /** True where the platforms were asked once more without a better result. */
  readonly isRetry?: true;
  /** True where the slot was retracted: only a person runs it again. */
  readonly isRetracted?: true;
}

const sentences: Readonly<Record<RunOutcome['did'], string>> = {
  published: 'The run is published.',
  unchanged: 'The run of this date is already published; no platform was asked, and nothing was changed.',
  superseded: 'Another run of this date was published meanwhile; this run changed nothing.',
  dryRun: 'Dry run: nothing was written.',
};

/** A sentence for the command line and for the function's answer. */
export function describeResult({
  did,
  isRetry,
  isRetracted,
}: Pick<RunOutcome, 'did' | 'isRetry' | 'isRetracted'>): string {
  if (isRetracted) {
    return 'The run of this date was retracted, so only a person runs it again, by its date: muster run --slot, or the event {"slot": …}. Nothing was changed.';
  }
  return isRetry
    ? 'The run of this date is already published, and the retry was no more complete; nothing was changed.'
    : sentences[did];
}

export function createPublishedOutcome(night: Night, finished: Finished): RunOutcome {
  const exit = decideExitCode(night);
  return { exit: isFinished(finished) ? exit : 3, did: 'published', night, ...describeUnsound(exit), ...finished };
}

/** The outcome of a run that leaves the published one as it is. */
export function createUnchangedOutcome({ commit }: PublishedRun, finished: Finished = {}): RunOutcome {
  return {
    exit: isFinished(finished) ? commit.exit : 3,
    did: 'unchanged',
    night: undefined,
    ...describeUnsound(commit.exit),
    ...finished,
  };
}

export function createRetractedOutcome(finished: Finished = {}): RunOutcome {
  return { exit: isFinished(finished) ? 0 : 3, did: 'unchanged', night: undefined, isRetracted: true, ...finished };
}

export function createSupersededOutcome(): RunOutcome {
  return { exit: 4, did: 'superseded', night: undefined };
}

export function createDryRunOutcome(night: Night): RunOutcome {
  return { exit: decideExitCode(night), did: 'dryRun', night };
}

function describeUnsound(exit: 0 | 3): Pick<RunOutcome, 'isUnsound'> {
  return exit === 3 ? { isUnsound: true } : {};
}
