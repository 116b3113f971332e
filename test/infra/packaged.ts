/** What `osls package` makes, with no account, no credentials and an empty environment: the stack, and the function. */
import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { openPromise } from 'yauzl';
import { bundle } from '../../infra/bundle.ts';
import { compileCache } from '../compile-cache.ts';
import { makeOnce } from '../make-once.ts';

const root = resolve(import.meta.dirname, '..', '..');

/** What osls compiles before it looks at the settings of a service, half of its work, is the same every time. */
export const oslsCache = { ...compileCache, SLS_SCHEMA_CACHE_BASE_DIR: compileCache.NODE_COMPILE_CACHE };

/** The name of the template's file, in every folder of a packaged stack. */
export const templateFile = 'cloudformation-template-update-stack.json';

/**
 * A folder with the function's code as it is built, for all tests of a run. `bundle.test.ts` compares it with what is
 * packaged, which takes osls much longer.
 */
export function openBundle(): Promise<string> {
  return makeOnce('bundle', (folder) => bundle(join(folder, 'dist')));
}

/**
 * A folder with the stack as it is with nothing set, and the function as it is deployed: built, packaged, and unpacked
 * where nothing else of ours lies. It is for all tests of a run: none writes into it.
 */
export function openFunction(): Promise<string> {
  return makeOnce('function', unpackFunction);
}

export async function unpackFunction(folder: string): Promise<void> {
  await packageStack(folder);
  const zip = await openPromise(join(folder, 'muster.zip'), { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    const path = join(folder, entry.fileName);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, await buffer(await zip.openReadStreamPromise(entry)));
  }
}

async function packageStack(folder: string): Promise<void> {
  const checkout = await mkdtemp(join(tmpdir(), 'muster-stack-'));
  for (const part of ['serverless.yml', 'package.json', 'package-lock.json', 'infra', 'src']) {
    await cp(join(root, part), join(checkout, part), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'));
  // Built from the repository: names of pieces depend on where node_modules is, here behind a link.
  await writeFile(join(checkout, 'infra', 'bundle.ts'), '');
  await bundle(join(checkout, 'dist'));
  const osls = join(root, 'node_modules', 'osls', 'bin', 'serverless.js');
  const env = { HOME: checkout, ...oslsCache };
  await promisify(execFile)(process.execPath, [osls, 'package'], { cwd: checkout, env });
  for (const made of [templateFile, 'muster.zip']) {
    await copyFile(join(checkout, '.serverless', made), join(folder, made));
  }
  await rm(checkout, { recursive: true });
}
