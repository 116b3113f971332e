/**
 * Housekeeping: what follows publishing. Copies, messages, the audit, retention. Every step can be done twice, and
 * whoever starts next does what was left undone. A step that fails stops neither the others nor a run: it is said.
 */

import type { AlertContext } from '../alerts/delivery/compose-messages.ts';
import {
  addDeliveries,
  type Delivery,
  type DroppedCount,
  deliver,
  isDelivered,
  toUndeliveredFacts,
} from '../alerts/delivery/deliver.ts';
import { MusterError, toMusterError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { startTimeLimit, type TimeLimit } from '../base/time-limit.ts';
import type { Facts } from '../core/facts/facts.ts';
import type { UnfinishedStep } from '../core/facts/operations.ts';
import { type HousekeepingStep, housekeepingSteps } from '../core/facts/vocabulary.ts';
import type { Clock } from '../http/clock.ts';
import { keepCommits } from '../storage/commits/audit.ts';
import type { CurrentRun } from '../storage/commits/commit.ts';
import { readCurrentRun } from '../storage/commits/log.ts';
import { updateCopies } from '../storage/runs/copies.ts';
import { applyRetention } from '../storage/runs/retention.ts';
import type { Signer } from '../storage/signing/signer.ts';
import type { Store } from '../storage/store.ts';
import { limitStores } from '../storage/with-deadline.ts';

export interface FinishParts {
  readonly store: Store;
  /** Where commits are also kept. */
  readonly audit?: Store;
  readonly signer?: Signer;
  /** Where messages go; without it none are made. */
  readonly alerts?: AlertContext;
  readonly clock: Clock;
  /** When the reading of the platforms must end, on the clock's `elapsed` scale. */
  readonly deadline?: number;
}

export interface Finished {
  /** What channels accepted, and what is still to be delivered; undefined without channels. */
  readonly delivery?: Delivery;
  /** What could not be done, and why; the next run tries it again. Absent where everything was. */
  readonly unfinished?: readonly UnfinishedStep[];
}

/** Longest housekeeping before a run is begun, in milliseconds, and its largest share of the run's time. */
const longestEarlierHousekeeping = 300_000;
const earlierHousekeepingShare = 0.25;

/** What an earlier run left undone, within a share of the time, so that a store that hangs does not cost the next run. */
export async function finishEarlierRun(parts: FinishParts, currentRun: CurrentRun): Promise<Finished> {
  const { alerts } = parts;
  using limit = startHousekeepingLimit(parts, new MusterError('deadline', 'Housekeeping took too long.'));
  const limitedAlerts = alerts && { ...alerts, signal: AbortSignal.any([alerts.signal, limit.signal]) };
  const limited = { ...limitStores(parts, limit.signal), ...omitUndefined({ alerts: limitedAlerts }) };
  return await finishRun(limited, currentRun);
}

/** Ends what is done before a run is begun. */
export function startHousekeepingLimit({ clock, deadline }: FinishParts, reason: MusterError): TimeLimit {
  const left = deadline === undefined ? Number.POSITIVE_INFINITY : deadline - clock.elapsed();
  return startTimeLimit(Math.min(longestEarlierHousekeeping, left * earlierHousekeepingShare), reason);
}

/** After a run is published: it stands whatever happens here. */
export async function finishPublishedRun(parts: FinishParts, dropped: readonly DroppedCount[] = []): Promise<Finished> {
  try {
    const currentRun = await readCurrentRun(parts.store);
    const { delivery, ...others } = currentRun === undefined ? {} : await finishRun(parts, currentRun);
    return { ...others, ...(delivery && { delivery: { ...delivery, ...(dropped.length > 0 && { dropped }) } }) };
  } catch (error) {
    return { unfinished: [toUnfinishedStep('copies', error)] };
  }
}

async function finishRun({ store, audit, alerts }: FinishParts, currentRun: CurrentRun): Promise<Finished> {
  const unfinished: UnfinishedStep[] = [];
  const attempt = async <Result>(step: HousekeepingStep, work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work();
    } catch (error) {
      unfinished.push(toUnfinishedStep(step, error));
      return undefined;
    }
  };
  // Copies come first, since messages link to them; yet copies that cannot be made silence nobody.
  const last = (await attempt('copies', () => updateCopies(store, currentRun))) ?? currentRun;
  const delivered = alerts && (await attempt('messages', () => deliver(store, last, alerts)));
  if (delivered?.unread !== undefined) {
    unfinished.push(toUnfinishedStep('messages', delivered.unread));
  }
  if (audit) {
    await attempt('audit', () => keepCommits(store, audit, last.head.commit.number));
  }
  await attempt('retention', () => applyRetention(store, last));
  const delivery = delivered?.delivery;
  return { ...omitUndefined({ delivery }), ...(unfinished.length === 0 ? {} : { unfinished }) };
}

function toUnfinishedStep(step: HousekeepingStep, error: unknown): UnfinishedStep {
  const { doing } = housekeepingSteps[step];
  const { code, message } = toMusterError(error, doing);
  // The reason of a deadline speaks of the run, which is published.
  return { step, code, message: code === 'deadline' ? 'No time was left; the run itself is published.' : message };
}

/** One sentence, for people. */
export function describeUnfinished({ step, message }: UnfinishedStep): string {
  return `${housekeepingSteps[step].doing} is not finished: ${message} The next run tries it again.`;
}

/** What was delivered before belongs to the outcome too; what is unfinished, the later one says, which tried all of it. */
export function combineFinished(earlier: Finished, later: Finished): Finished {
  if (earlier.delivery === undefined || later.delivery === undefined) {
    return later;
  }
  return { ...later, delivery: addDeliveries(earlier.delivery, later.delivery) };
}

export function isFinished({ delivery, unfinished }: Finished): boolean {
  return unfinished === undefined && isDelivered(delivery);
}

/** The events of the run that begins name them. The text of an unexpected error may contain anything, so it is only in the log. */
export function toHousekeepingFacts(finished: Finished | undefined): Pick<Facts, 'undelivered' | 'unfinished'> {
  if (finished === undefined) {
    return {};
  }
  const unfinished = (finished.unfinished ?? []).map((step) =>
    step.code === 'unexpected' ? { ...step, message: 'An unexpected error; see the log.' } : step,
  );
  return { ...toUndeliveredFacts(finished.delivery), unfinished };
}
