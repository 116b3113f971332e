/** Contenders for the next number of a log, switched between at every effect they can notice of each other. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/http/clock.ts';
import type { Disk } from '../../src/storage/folder/disk.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { addOne, countIn } from '../contracts/counter.ts';
import { memoryDisk, type Paused, paused } from './disks.ts';
import { actInTurn, takeTurns } from './take-turns.ts';

const path = '/store';

/** Runs of steps, by turns: 3 of the first, 1 of the second, 4 of the first; then everybody is paused. */
type Turns = readonly number[];

describe.each([
  { start: 0, title: 'the first contents' },
  { start: 2, title: 'later contents' },
])('two contenders for $title', ({ start }) => {
  test('lose no update in any interleaving of four turns, whoever is paused in between', async () => {
    let schedules = 0;
    const seen = { bothWon: 0, oneWon: 0 };
    const explore = async (turns: Turns) => {
      const { exhausted, wins } = await play(start, turns);
      schedules += 1;
      if (wins === 2) {
        seen.bothWon += 1;
      } else {
        seen.oneWon += 1;
      }
      return exhausted;
    };
    // A turn longer than its contender needs repeats the one before it, so the search stops there.
    for (let first = 1; ; first += 1) {
      let over = false;
      for (let second = 1; ; second += 1) {
        let secondOver = false;
        for (let third = 0; ; third += 1) {
          const exhausted = await explore([first, second, third]);
          over ||= exhausted[0] === true;
          secondOver ||= exhausted[1] === true;
          if (exhausted[2] === true) {
            break;
          }
        }
        if (secondOver) {
          break;
        }
      }
      if (over) {
        break;
      }
    }
    expect(schedules).toBeGreaterThan(10);
    expect(seen.bothWon).toBeGreaterThan(0);
    expect(seen.oneWon).toBeGreaterThan(0);
  });
});

const isDeep = process.env.DEEP !== undefined;
const lengths = fc.array(fc.constantFrom(1, 2, 5, 12), { minLength: 1, maxLength: 4 });

test('two to four contenders in any order lose no update, and no reader sees a gap or the count go back [C7, S16]', async () => {
  const property = fc.asyncProperty(
    fc.scheduler({ act: actInTurn }),
    fc.record({ start: fc.nat(2), contenders: fc.array(lengths, { minLength: 2, maxLength: 4 }), reader: lengths }),
    async (scheduler, { start, contenders, reader }) => {
      const disk = memoryDisk();
      await countTo(disk, start);
      let wins = 0;
      const seen: number[] = [];
      const seat = (name: string, own: readonly number[]) => ({ name, lengths: own, disk, clock: systemClock });
      const adding = contenders.map((own, index) =>
        takeTurns(scheduler, seat(`contender ${index + 1}`, own), async (at) => {
          for (const time of [1, 2]) {
            const isMine = await addOne(createFolderStore(path, at.disk), `${index} ${time}`);
            wins += isMine ? 1 : 0;
          }
        }),
      );
      const reading = takeTurns(scheduler, seat('a reader', reader), async (at) => {
        const store = createFolderStore(path, at.disk);
        for (let look = 0; look < 4; look += 1) {
          seen.push(await countIn(store));
        }
      });
      await scheduler.waitFor(Promise.all([...adding, reading]));
      expect(await countAt(disk)).toBe(start + wins);
      expect(wins).toBeGreaterThan(0);
      expect(seen).toEqual(seen.toSorted((one, other) => one - other));
    },
  );
  await fc.assert(property, { numRuns: isDeep ? 20_000 : 300, seed: isDeep ? Date.now() : 20261122 });
});

test('four processes adding fifty each make two hundred', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-processes-'));
  try {
    const program = fileURLToPath(new URL('add.ts', import.meta.url));
    const run = promisify(execFile);
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => run(process.execPath, [program, folder, name, '50'])));
    expect(await countIn(createFolderStore(folder))).toBe(200);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/**
 * Plays the turns, then lets a third party work as if the two were dead, then lets them go on after all: what was
 * confirmed is counted whenever anybody looks, and no number is missing.
 */
async function play(start: number, turns: Turns): Promise<{ exhausted: boolean[]; wins: number }> {
  const disk = memoryDisk();
  await countTo(disk, start);
  const wins: string[] = [];
  const contenders = [contender(disk, 'one', wins, 1), contender(disk, 'two', wins, 1)];
  const exhausted: boolean[] = [];
  for (const [turn, steps] of turns.entries()) {
    let going = true;
    for (let step = 0; step < steps && going; step += 1) {
      going = (await contenders[turn % 2]?.step()) ?? false;
    }
    exhausted.push(!going);
  }

  const store = createFolderStore(path, disk);
  const confirmed = start + wins.length;
  const seen = await countIn(store);
  expect(seen).toBeGreaterThanOrEqual(confirmed);
  expect(seen).toBeLessThanOrEqual(start + 2);
  expect(await addOne(store, 'third party')).toBe(true);
  expect(await countAt(disk)).toBe(seen + 1);

  for (const one of contenders) {
    while (await one.step()) {}
  }
  expect(await countAt(disk)).toBe(start + wins.length + 1);
  return { exhausted, wins: wins.length };
}

function contender(disk: Disk, name: string, wins: string[], times: number): Paused {
  return paused(disk, async (own) => {
    for (let time = 0; time < times; time += 1) {
      const nonce = `${name} ${time}`;
      if (await addOne(createFolderStore(path, own), nonce)) {
        wins.push(nonce);
      }
    }
  });
}

async function countTo(disk: Disk, count: number): Promise<void> {
  for (let added = 0; added < count; added += 1) {
    await addOne(createFolderStore(path, disk), `start ${added}`);
  }
}

function countAt(disk: Disk): Promise<number> {
  return countIn(createFolderStore(path, disk));
}
