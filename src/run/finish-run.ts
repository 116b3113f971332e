/**
 * Housekeeping: copies, messages, the audit and retention, after publishing. Every step can be repeated, and the next
 * start finishes what is left. A failing step stops neither the others nor the run; the run reports it.
 */

import type { AlertContext } from '../alerts/delivery/alert-context.ts';
import { addDeliveries, type Delivery, deliver, isDelivered, toUndeliveredFacts } from '../alerts/delivery/deliver.ts';
import { MusterError, toMusterError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { startTimeLimit, type TimeLimit } from '../base/time-limit.ts';
import type { Facts } from '../core/facts/facts.ts';
import type { KeptRun, OwedWork, RunsLeft, UnfinishedStep } from '../core/facts/operations.ts';
import { type HousekeepingStep, housekeepingSteps } from '../core/facts/vocabulary.ts';
import type { Clock } from '../http/clock.ts';
import { keepCommits } from '../storage/commits/audit.ts';
import type { PublishedRun } from '../storage/commits/commit.ts';
import { type LogTrust, readNextCommit } from '../storage/commits/head.ts';
import { settleOwedCopies, updateCopies } from '../storage/runs/copies.ts';
import { removeOwedRuns } from '../storage/runs/retention.ts';
import type { Signing } from '../storage/signing/signing.ts';
import type { Store } from '../storage/store.ts';
import { limitStores } from '../storage/with-deadline.ts';

export interface FinishParts {
  readonly store: Store;
  /** A second store for commits. */
  readonly audit?: Store;
  readonly signing?: Signing;
  /** Channels for messages; undefined where the settings name none. */
  readonly alerts?: AlertContext;
  readonly clock: Clock;
  /** The end of the time for reading the platforms, on the clock's `elapsed` scale. */
  readonly deadline?: number;
}

export interface Finished {
  /** Messages that channels accepted, and those still to be delivered; undefined without channels. */
  readonly delivery?: Delivery;
  /** The steps that failed, with the reasons; the next run repeats them. Absent where none did. */
  readonly unfinished?: readonly UnfinishedStep[];
  /** Work in the store that is left for the next run. Absent where none is. */
  readonly owed?: readonly OwedWork[];
}

/** A published run, with its state's lists of kept runs and owed work. */
export interface OwingRun {
  readonly run: PublishedRun;
  readonly state: { readonly runs: Pick<RunsLeft, 'kept' | 'owed'> };
}

/** Limits of the housekeeping before a run: milliseconds, and a share of the run's time. */
const longestEarlierHousekeeping = 300_000;
const earlierHousekeepingShare = 0.25;

/** Finishes the head's housekeeping within a share of the time, so that a hanging store does not cost the next run. */
export async function finishEarlierRun(parts: FinishParts, head: OwingRun): Promise<Finished> {
  const { alerts } = parts;
  using limit = startHousekeepingLimit(parts, new MusterError('deadline', 'Housekeeping took too long.'));
  const limitedAlerts = alerts && { ...alerts, signal: AbortSignal.any([alerts.signal, limit.signal]) };
  const limited = { ...limitStores(parts, limit.signal), ...omitUndefined({ alerts: limitedAlerts }) };
  return await finishRun(limited, head, 1);
}

/** Starts the time limit of housekeeping before a run. */
export function startHousekeepingLimit({ clock, deadline }: FinishParts, reason: MusterError): TimeLimit {
  const left = deadline === undefined ? Number.POSITIVE_INFINITY : deadline - clock.elapsed();
  return startTimeLimit(Math.min(longestEarlierHousekeeping, left * earlierHousekeepingShare), reason);
}

/** Finishes a published run; no failure here takes the publication back. */
export function finishPublishedRun(parts: FinishParts, published: OwingRun): Promise<Finished> {
  return finishRun(parts, published, published.run.commit.prunes ? Number.POSITIVE_INFINITY : 1);
}

/** Removes everything that is owed, after an earlier start of a person's command was interrupted. */
export function finishAllOwed(parts: FinishParts, owing: OwingRun): Promise<Finished> {
  return finishRun(parts, owing, Number.POSITIVE_INFINITY);
}

/** Takes all steps; removes at most `removals` runs. */
async function finishRun(parts: FinishParts, { run, state }: OwingRun, removals: number): Promise<Finished> {
  const { store, audit, alerts, signing } = parts;
  const { kept, owed = [] } = state.runs;
  const unfinished: UnfinishedStep[] = [];
  const attempt = async <Result>(step: HousekeepingStep, work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work();
    } catch (error) {
      unfinished.push(toUnfinishedStep(step, error));
      return undefined;
    }
  };
  const { remove = [], others = [] } = Object.groupBy(owed, ({ work }) => (work === 'remove' ? 'remove' : 'others'));
  // Owed work comes first, because it removes copies that a new run of the slot writes again.
  const copies = await settleOwedCopies(store, others);
  // Copies come before messages, which link to them; messages are sent even when copies fail.
  const last = await attempt('copies', async () => {
    const trust = await readTrust(parts);
    return updateCopies(store, run, (one) => readNextCommit(store, one, trust));
  });
  const delivering = { store, signing, readTrust: () => readTrust(parts) };
  const delivered = alerts && (await attempt('messages', () => deliver(last ?? run, alerts, delivering)));
  if (delivered?.unfinished !== undefined) {
    unfinished.push(toUnfinishedStep('messages', delivered.unfinished));
  }
  if (audit) {
    await attempt('audit', () => keepCommits(store, audit, last ?? run));
  }
  // Removes nothing while readers still see an earlier run.
  const removed = await removeOwedRuns(store, run, { kept, owed: remove }, last === undefined ? 0 : removals);
  for (const [step, problem] of [
    ['copies', copies.problem],
    ['retention', removed.problem],
  ] as const) {
    if (problem !== undefined) {
      unfinished.push(toUnfinishedStep(step, problem));
    }
  }
  const own: OwedWork[] = last === undefined ? [{ work: 'copy', run: toKeptRun(run) }] : [];
  const left = [...copies.left, ...own, ...removed.left];
  const delivery = delivered?.delivery;
  return {
    ...omitUndefined({ delivery }),
    ...(unfinished.length > 0 && { unfinished }),
    ...(left.length > 0 && { owed: left }),
  };
}

export function toKeptRun({ commit: { slot, number }, sha256 }: PublishedRun): KeptRun {
  return { slot, number, sha256 };
}

/** Settings by which commits are checked. */
export async function readTrust({ audit, signing }: Pick<FinishParts, 'audit' | 'signing'>): Promise<LogTrust> {
  return { audit, keys: await signing?.readKeys() };
}

function toUnfinishedStep(step: HousekeepingStep, error: unknown): UnfinishedStep {
  const { doing } = housekeepingSteps[step];
  const { code, message } = toMusterError(error, doing);
  // The run itself is published, so that the deadline's own sentence about the run would be wrong.
  return { step, code, message: code === 'deadline' ? 'No time was left; the run itself is published.' : message };
}

/** A sentence for people. */
export function describeUnfinished({ step, message }: UnfinishedStep): string {
  return `${housekeepingSteps[step].doing} is not finished: ${message} The next run tries it again.`;
}

/** Joins the deliveries of both; the later one tried every step, so that its list of unfinished steps is complete. */
export function combineFinished(earlier: Finished, later: Finished): Finished {
  if (earlier.delivery === undefined || later.delivery === undefined) {
    return later;
  }
  return { ...later, delivery: addDeliveries(earlier.delivery, later.delivery) };
}

export function isFinished({ delivery, unfinished }: Finished): boolean {
  return unfinished === undefined && isDelivered(delivery);
}

/**
 * Facts about what earlier runs left unfinished; empty where nothing was tried. The text of an unexpected error may
 * contain anything, so that only the log has it.
 */
export function toHousekeepingFacts(finished: Finished | undefined): Pick<Facts, 'undelivered' | 'unfinished'> {
  if (finished === undefined) {
    return {};
  }
  const unfinished = (finished.unfinished ?? []).map((step) =>
    step.code === 'unexpected' ? { ...step, message: 'An unexpected error; see the log.' } : step,
  );
  return { ...toUndeliveredFacts(finished.delivery), unfinished };
}
