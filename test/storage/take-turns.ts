/** Runs side by side whose effects wait for their turn, in an order that fast-check's scheduler draws and prints. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Scheduler } from 'fast-check';
import type { Clock } from '../../src/http/clock.ts';
import type { Disk } from '../../src/storage/folder/disk.ts';
import { around, type Effect } from './disks.ts';

export interface Seat {
  readonly disk: Disk;
  /** Waiting is a turn too, and takes no time. */
  readonly clock: Clock;
}

/** What another process can notice, or be noticed by. */
const noticed: readonly Effect[] = ['read', 'list', 'link', 'rename', 'unlink'];

/** For the scheduler: whoever was let go gets on with what nobody notices before the next is. */
export async function actInTurn(go: () => Promise<void>): Promise<void> {
  await go();
  await turn();
}

/** A turn is as many effects as the next of `lengths` says. */
export async function takeTurns<Result>(
  scheduler: Scheduler,
  { name, lengths, disk, clock }: Seat & { readonly name: string; readonly lengths: readonly number[] },
  work: (seat: Seat) => Promise<Result>,
): Promise<Result> {
  let left = 0;
  let turns = 0;
  const waitForTurn = async () => {
    left -= 1;
    if (left > 0) {
      return;
    }
    left = lengths[turns % lengths.length] ?? 1;
    turns += 1;
    await scheduler.schedule(Promise.resolve(), name);
  };
  await waitForTurn();
  return work({
    disk: around(disk, async (effect, run) => {
      if (noticed.includes(effect)) {
        await waitForTurn();
      }
      return run();
    }),
    clock: {
      ...clock,
      async sleep(_, signal) {
        signal.throwIfAborted();
        left = 0;
        await waitForTurn();
      },
    },
  });
}
