/**
 * Housekeeping: what follows publishing. Copies, messages, the audit, retention. Every step can be done twice, and
 * whoever starts next does what was left undone. A step that fails stops neither the others nor a run: it is said.
 */

import type { AlertContext, DroppedMessages } from '../alerts/delivery/compose-messages.ts';
import {
  addDeliveries,
  type Delivery,
  deliver,
  isDelivered,
  summarizeDropped,
  toUndeliveredFacts,
} from '../alerts/delivery/deliver.ts';
import type { Facts, UnfinishedStep } from '../core/facts.ts';
import { type HousekeepingStep, housekeepingSteps } from '../core/vocabulary.ts';
import { MusterError, toMusterError } from '../errors.ts';
import type { Clock } from '../http/clock.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { keepManifests } from '../storage/runs/audit.ts';
import { updateCopies } from '../storage/runs/copies.ts';
import { type CurrentRun, readCurrentRun } from '../storage/runs/published-runs.ts';
import { applyRetention } from '../storage/runs/retention.ts';
import { trialStatement } from '../storage/runs/signatures.ts';
import type { Signer } from '../storage/signing/signer.ts';
import type { Store } from '../storage/store.ts';
import { withDeadline } from './with-deadline.ts';

export interface FinishParts {
  readonly store: Store;
  /** Where manifests are also kept. */
  readonly audit?: Store;
  /** Signs manifests. */
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
  const { store, audit, alerts, clock, deadline, signer } = parts;
  const left = deadline === undefined ? Number.POSITIVE_INFINITY : deadline - clock.elapsed();
  const limit = new AbortController();
  const reason = new MusterError('deadline', 'Housekeeping took too long.');
  const time = Math.min(longestEarlierHousekeeping, Math.max(0, left * earlierHousekeepingShare));
  const timer = setTimeout(() => limit.abort(reason), time);
  try {
    const finished = await finishRun(
      {
        ...parts,
        store: withDeadline(store, limit.signal),
        ...omitUndefined({
          audit: audit && withDeadline(audit, limit.signal),
          alerts: alerts && { ...alerts, signal: AbortSignal.any([alerts.signal, limit.signal]) },
        }),
      },
      currentRun,
    );
    return signer ? addUnsigned(finished, await trySigner(signer)) : finished;
  } finally {
    clearTimeout(timer);
  }
}

/** Tried before there is a manifest to sign, so that the run that begins can say that the key does not. */
async function trySigner(signer: Signer): Promise<unknown> {
  try {
    await signer.sign(trialStatement);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** A manifest without its signature is published all the same. */
export function addUnsigned(finished: Finished, signingError: unknown): Finished {
  if (signingError === undefined) {
    return finished;
  }
  return { ...finished, unfinished: [...(finished.unfinished ?? []), toUnfinishedStep('signing', signingError)] };
}

/** After a run is published: it stands whatever happens here. */
export async function finishPublishedRun(parts: FinishParts, dropped: DroppedMessages): Promise<Finished> {
  try {
    const currentRun = await readCurrentRun(parts.store);
    const { delivery, ...others } = currentRun === undefined ? {} : await finishRun(parts, currentRun);
    return { ...others, ...(delivery && { delivery: { ...delivery, ...summarizeDropped(dropped) } }) };
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
    await attempt('audit', () => keepManifests(store, audit, last));
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

/** Everything was done and delivered. */
export function isFinished({ delivery, unfinished }: Finished): boolean {
  return unfinished === undefined && isDelivered(delivery);
}

/** For the events of the run that begins. The text of an unexpected error may contain anything, so it is only in the log. */
export function toHousekeepingFacts(finished: Finished | undefined): Pick<Facts, 'undelivered' | 'unfinished'> {
  if (finished === undefined) {
    return {};
  }
  const unfinished = (finished.unfinished ?? []).map((step) =>
    step.code === 'unexpected' ? { ...step, message: 'An unexpected error; see the log.' } : step,
  );
  return { ...toUndeliveredFacts(finished.delivery), unfinished };
}
