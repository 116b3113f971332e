/** A file system that refuses a write: nothing is published. */
import { expect, test } from 'vitest';
import { toExitCode } from '../../src/cli/console/failure.ts';
import { runNight } from '../../src/night.ts';
import { readCurrentRun } from '../../src/storage/commits/log.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { around, memoryDisk, systemError } from '../storage/disks.ts';
import { company, slots } from './small.ts';

const [first = '', second = ''] = slots;

test('ENOSPC, EROFS and EACCES, in turn at any write of a file system: nothing is published, or all of it [S2, S15, C22]', async () => {
  const codes = ['ENOSPC', 'EROFS', 'EACCES'];
  const made = company();
  const before = memoryDisk();
  await runNight(made.order(first), made.parts(createFolderStore('/store', before)));
  let published = 0;
  let unfinished = 0;
  for (let at = 1; ; at += 1) {
    const code = codes[at % codes.length] ?? '';
    const memory = before.clone();
    let writes = 0;
    // Full is full: from then on no write succeeds.
    const full = around(memory, async (effect, run) => {
      if (effect === 'write') {
        writes += 1;
      }
      if (effect === 'write' && writes >= at) {
        throw systemError(code);
      }
      return run();
    });
    const outcome = await runNight(made.order(second), made.parts(createFolderStore('/store', full))).catch(
      (error: unknown) => error,
    );
    const store = createFolderStore('/store', memory);
    const standing = (await readCurrentRun(store))?.commit;
    if (outcome instanceof Error) {
      expect(outcome).toMatchObject({ code: 'store-unreachable', message: expect.stringContaining(code) });
      expect(toExitCode(outcome)).toBe(1);
      expect(standing?.slot).toBe(first);
    } else {
      expect(standing?.slot).toBe(second);
      published += 1;
      if (writes >= at) {
        unfinished += 1;
        expect(outcome).toMatchObject({ exit: 3, did: 'published', unfinished: [{ code: 'store-unreachable' }] });
      }
    }
    const again = await runNight(made.order(second), made.parts(store));
    expect(again.exit).toBe(0);
    expect(await verifyRuns(store)).toMatchObject({ nights: 2, damage: [] });
    if (writes < at) {
      break;
    }
  }
  expect(unfinished).toBeGreaterThan(4);
  expect(published).toBe(unfinished + 1);
});
