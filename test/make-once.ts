/** What several test files need is made once in a run of the tests, by the first that asks. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder of this run, gone at its end. `global-setup.ts` names it; the soak, which no runner starts, makes its own. */
const runFolder = process.env.MUSTER_TEST_RUN ?? makeOwnFolder();

export async function makeOnce(name: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(runFolder, name);
  if (existsSync(folder)) {
    return folder;
  }
  const fresh = await mkdtemp(`${folder}-`);
  await make(fresh);
  await rename(fresh, folder).catch((error: unknown) => {
    // Another file has made the same meanwhile.
    if (!existsSync(folder)) {
      throw error;
    }
  });
  return folder;
}

function makeOwnFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-tests-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  return folder;
}
