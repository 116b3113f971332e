/** Removes released runs. */

import { MusterError, toMusterError } from '../../base/errors.ts';
import type { OwedWork, RunsLeft } from '../../core/facts/operations.ts';
import type { PublishedRun } from '../commits/commit.ts';
import { readKeptRun } from '../commits/log.ts';
import { deliveriesPrefix, parseDeliveryKey, parseSlotFromKey } from '../keys.ts';
import type { Store } from '../store.ts';
import { removeDatedCopies } from './copies.ts';

/** Failures after which removal stops, since the store would refuse the other runs too. */
const maximumFailures = 3;

/**
 * Removes at most the given number of runs that a checked head owes, oldest first, all but their commits; then attempts
 * of released slots that no commit names. Returns the work that is left. A failure does not protect other runs.
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
    // Slots that the state still keeps are spared, even if they are before `keptFrom`.
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

/** Removes a run, first the copies that query engines read. */
async function removeRun(store: Store, { run }: OwedWork): Promise<void> {
  await removeDatedCopies(store, await readKeptRun(store, run));
  for await (const key of store.list(`runs/${run.slot}/`)) {
    await store.remove(key);
  }
}

/** Removes everything below `runs/` of slots before the first one that is kept. */
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

/** Removes failure reports of slots before the first kept one. Claims and marks go when a later message is marked. */
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
