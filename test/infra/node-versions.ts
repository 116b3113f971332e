/** Other versions of Node than the one that runs the tests, from npm: for what has to run on them too. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import lock from './node-22/package-lock.json' with { type: 'json' };

const run = promisify(execFile);
const cache = join(import.meta.dirname, '../../node_modules/.cache');
const platform = `node-${process.platform}-${process.arch}`;
const versions: Readonly<Record<string, string>> = lock.packages[''].optionalDependencies;

/**
 * The folder of Node 22's program. It has a lockfile of its own: in that of the repository, its `node` would stand in
 * `node_modules/.bin` beside that of the pinned version. Without it, where npm cannot fetch it.
 */
export async function installNode22(): Promise<string | undefined> {
  const version = versions[platform];
  if (version === undefined) {
    return undefined;
  }
  const installed = join(cache, `node-${version}`);
  const folder = join(installed, 'node_modules', platform, 'bin');
  if (!existsSync(folder)) {
    await mkdir(cache, { recursive: true });
    const fresh = await mkdtemp(join(cache, 'node-'));
    for (const file of ['package.json', 'package-lock.json']) {
      await copyFile(join(import.meta.dirname, 'node-22', file), join(fresh, file));
    }
    // Fetched by its hash; without its link, as nothing may find it but who asks for it.
    await run('npm', ['ci', '--ignore-scripts', '--no-bin-links', '--prefer-offline'], { cwd: fresh });
    await rm(installed, { recursive: true, force: true });
    await rename(fresh, installed);
  }
  return existsSync(folder) ? folder : undefined;
}
