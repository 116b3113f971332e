/** The function as it is deployed: built, packaged by osls, and unpacked where nothing else of ours lies. */
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { openPromise } from 'yauzl';
import { bundle } from '../../infra/bundle.ts';
import { packageStack } from '../infra/packaged.ts';
import { makeOnce } from '../make-once.ts';

/** The folder is for all tests of a run: none writes into it. */
export function openFunction(): Promise<string> {
  return makeOnce('function', unpackFunction);
}

/** Answers the size of the package, in bytes. */
export async function unpackFunction(folder: string): Promise<number> {
  const stack = await packageStack({}, bundle);
  try {
    const file = join(stack.folder, '.serverless', 'muster.zip');
    const zip = await openPromise(file, { lazyEntries: true });
    for await (const entry of zip.eachEntry()) {
      const path = join(folder, entry.fileName);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, await buffer(await zip.openReadStreamPromise(entry)));
    }
    return (await stat(file)).size;
  } finally {
    await stack.remove();
  }
}
