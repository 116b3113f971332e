/** What several test files need is made once in a run of the tests, by the first that asks. */
import { existsSync } from 'node:fs';
import { mkdtemp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';

export async function makeOnce(name: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(inject('runFolder'), name);
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
