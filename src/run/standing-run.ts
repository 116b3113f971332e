/** What stands, for whoever builds on it; and what a run makes of another one that was published meanwhile. */

import { MusterError } from '../base/errors.ts';
import { requireCurrentRun } from '../storage/commits/check-log.ts';
import type { CurrentRun } from '../storage/commits/commit.ts';
import { readCurrentRun } from '../storage/commits/log.ts';
import type { Store } from '../storage/store.ts';
import { isDamageError } from '../storage/stored-json.ts';
import { withDeadline } from '../storage/with-deadline.ts';
import { type FinishParts, startHousekeepingLimit } from './finish-run.ts';
import { createSupersededOutcome, type RunOutcome } from './outcome.ts';
import type { Parts } from './parts.ts';

/** Refused where its log cannot be trusted. An audit store that hangs does not cost the run. */
export async function requireStandingRun(parts: FinishParts): Promise<CurrentRun | undefined> {
  const { store, audit, signer } = parts;
  const reason = new MusterError('store-unreachable', `${audit?.name} did not answer in time.`);
  using limit = startHousekeepingLimit(parts, reason);
  return await requireCurrentRun(store, { signer, audit: audit && withDeadline(audit, limit.signal) });
}

export function refuseOlder(slot: string, currentRun: CurrentRun | undefined): void {
  if (currentRun === undefined || slot >= currentRun.commit.slot) {
    return;
  }
  throw new MusterError(
    'slot-refused',
    `The run of ${slot} was not published: ${currentRun.commit.slot} is already published, and only later slots can follow.`,
  );
}

/**
 * Files of the run that this one began with may be gone because another one was published meanwhile, whose retention
 * removed them: then this one is a loser, and not a failure. Every other error is thrown.
 */
export async function settleRace(
  slot: string,
  currentRun: CurrentRun | undefined,
  { store }: Pick<Parts, 'store'>,
  run: () => Promise<RunOutcome>,
): Promise<RunOutcome> {
  try {
    return await run();
  } catch (error) {
    if (!(await isSuperseded(error, currentRun, store))) {
      throw error;
    }
    refuseOlder(slot, await readCurrentRun(store));
    return createSupersededOutcome();
  }
}

/** The number that it began with decides. */
export async function isSuperseded(error: unknown, currentRun: CurrentRun | undefined, store: Store): Promise<boolean> {
  const now = isDamageError(error) ? await readCurrentRun(store) : undefined;
  return now !== undefined && now.head.commit.number !== currentRun?.head.commit.number;
}
