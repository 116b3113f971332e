/** Contenders for the next number of a log, switched between at every effect they can notice of each other. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/http/clock.ts';
import type { Disk } from '../../src/storage/folder/disk.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { addOne, countIn } from '../contracts/counter.ts';
import { memoryDisk } from './disks.ts';
import { actInTurn, takeTurns } from './take-turns.ts';

const path = '/store';

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
  await fc.assert(property, { numRuns: isDeep ? 20_000 : 60, seed: isDeep ? Date.now() : 20261122 });
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

async function countTo(disk: Disk, count: number): Promise<void> {
  for (let added = 0; added < count; added += 1) {
    await addOne(createFolderStore(path, disk), `start ${added}`);
  }
}

function countAt(disk: Disk): Promise<number> {
  return countIn(createFolderStore(path, disk));
}
