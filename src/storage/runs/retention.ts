/** Removing runs that were let go. */

import { MusterError, toMusterError } from '../../base/errors.ts';
import type { OwedWork, RunsLeft } from '../../core/facts/operations.ts';
import type { PublishedRun } from '../commits/commit.ts';
import { readKeptRun } from '../commits/log.ts';
import { deliveriesPrefix, parseDeliveryKey, parseSlotFromKey } from '../keys.ts';
import type { Store } from '../store.ts';
import { removeDatedCopies } from './copies.ts';

/** A store that refuses this many runs refuses the others too. */
const maximumFailures = 3;

/**
 * Removes the runs that a checked head owes, the oldest first and at most so many, whole but for their commits; then
 * attempts of let-go slots that no commit names. Returns what is left. A run that cannot be removed keeps no other one.
 */
export async function removeOwedRuns(
  store: Store,
  { commit: { slot, keptFrom = '' } }: PublishedRun,
  { kept, owed }: Required<Pick<RunsLeft, 'kept' | 'owed'>>,
  maximum: number,
): Promise<{ readonly left: readonly OwedWork[]; readonly problem: MusterError | undefined }> {
  const left: OwedWork[] = [];
  let removed = 0;
  let failures = 0;
  let problem: MusterError | undefined;
  for (const one of owed) {
    if (removed >= maximum || failures === maximumFailures || problem?.code === 'deadline') {
      left.push(one);
      continue;
    }
    try {
      await removeRun(store, one);
      removed += 1;
    } catch (cause) {
      const error = toMusterError(cause, `Removing the run of ${one.run.slot}`);
      const message = `The run of ${one.run.slot} is past its retention and was not removed. ${error.message}`;
      problem ??= new MusterError(error.code, message, { cause: error.cause });
      failures += 1;
      left.push(one);
    }
  }
  if (problem === undefined && maximum > 0) {
    // `keptFrom` alone lets nothing go that the state keeps.
    const spared = new Set([slot, ...kept.map((run) => run.slot), ...left.map(({ run }) => run.slot)]);
    problem = await removeAttempts(store, keptFrom, spared).catch((cause) =>
      toMusterError(cause, 'Removing attempts that were not published'),
    );
    problem ??= await removeFailureRecords(store, keptFrom).catch((cause) =>
      toMusterError(cause, 'Removing records of failed runs'),
    );
  }
  return { left, problem };
}

/** The copies that query engines read are the first to go. */
async function removeRun(store: Store, { run }: OwedWork): Promise<void> {
  await removeDatedCopies(store, await readKeptRun(store, run));
  for await (const key of store.list(`runs/${run.slot}/`)) {
    await store.remove(key);
  }
}

/** Everything below `runs/` of slots before the first one that is kept. */
async function removeAttempts(store: Store, keptFrom: string, spared: ReadonlySet<string>): Promise<undefined> {
  if (keptFrom === '') {
    return;
  }
  for await (const key of store.list('runs/')) {
    const slot = parseSlotFromKey(key);
    if (slot !== undefined && slot >= keptFrom) {
      return;
    }
    if (slot !== undefined && !spared.has(slot)) {
      await store.remove(key);
    }
  }
}

/** Removes those of slots before the first one that is kept. Claims and marks go when a later message is marked. */
async function removeFailureRecords(store: Store, keptFrom: string): Promise<undefined> {
  if (keptFrom === '') {
    return;
  }
  for await (const key of store.list(deliveriesPrefix)) {
    const parsed = parseDeliveryKey(key);
    if (parsed?.kind === 'failure' && parsed.slot < keptFrom) {
      await store.remove(key);
    }
  }
}
