/** The function as it is deployed: built, packaged by osls, and unpacked where nothing else of ours lies. */
import { mkdir, mkdtemp, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { openPromise } from 'yauzl';
import { bundle } from '../../infra/bundle.ts';
import { packageStack } from '../infra/packaged.ts';

interface Unpacked {
  readonly folder: string;
  /** The package's size. */
  readonly bytes: number;
}

export async function unpackedFunction(): Promise<Unpacked> {
  const stack = await packageStack({}, bundle);
  const folder = await mkdtemp(join(tmpdir(), 'muster-function-'));
  try {
    const file = join(stack.folder, '.serverless', 'muster.zip');
    const { size: bytes } = await stat(file);
    const zip = await openPromise(file, { lazyEntries: true });
    for await (const entry of zip.eachEntry()) {
      const path = join(folder, entry.fileName);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, await buffer(await zip.openReadStreamPromise(entry)));
    }
    return { folder, bytes };
  } finally {
    await stack.remove();
  }
}
