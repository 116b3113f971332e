/** What several test files need is made once in a run of the tests, by the first that asks; the others wait for it. */
import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { mkdtemp, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readSystemCode } from '../src/storage/folder/disk.ts';

/** The folder of this run, gone at its end. `global-setup.ts` names it; the soak, which no runner starts, makes its own. */
const runFolder = process.env.MUSTER_TEST_RUN ?? makeOwnFolder();

export async function makeOnce(name: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(runFolder, name);
  const lock = `${folder}.lock`;
  while (!existsSync(folder)) {
    if (!takeLock(lock)) {
      await wait(50);
      continue;
    }
    try {
      if (!existsSync(folder)) {
        const fresh = await mkdtemp(`${folder}-`);
        await make(fresh);
        await rename(fresh, folder);
      }
    } finally {
      rmdirSync(lock);
    }
  }
  return folder;
}

/** Whether it is ours now: a folder is made by one alone. */
function takeLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (readSystemCode(error) === 'EEXIST') {
      return false;
    }
    throw error;
  }
}

function makeOwnFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-tests-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  return folder;
}
