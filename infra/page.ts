/** Makes `src/reports/page/assets.ts`, the page's script and style as text, which `src` imports and git ignores. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type * as Esbuild from 'esbuild';
import lock from '../package-lock.json' with { type: 'json' };

const folder = join(import.meta.dirname, '..', 'src', 'reports', 'page');

/** Makes the assets. Every packaging of `src` calls it first, since packages are also built after `npm ci --ignore-scripts`. */
export async function makePageAssets(): Promise<void> {
  const file = join(folder, 'assets.ts');
  const text = await loadEsbuild(async (esbuild) => {
    const [script, style] = await Promise.all(['browser/main.ts', 'style.css'].map((entry) => bundle(esbuild, entry)));
    return `/** Made by \`npm run page\` from browser/ and style.css. */
export const script =
  ${JSON.stringify(script)};
export const style =
  ${JSON.stringify(style)};
`;
  });
  // Replaces the file as a whole, since another process may be reading it.
  if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    const whole = `${file}.${randomUUID()}`;
    await writeFile(whole, text);
    await rename(whole, file);
  }
}

/** Calls `use` with esbuild; after `npm ci --omit=dev`, fetches the lockfile's version for this call. */
async function loadEsbuild<T>(use: (esbuild: typeof Esbuild) => Promise<T>): Promise<T> {
  try {
    createRequire(import.meta.url).resolve('esbuild');
  } catch {
    const temporary = await mkdtemp(join(tmpdir(), 'muster-page-'));
    try {
      await fetchEsbuild(temporary);
      const esbuild: typeof Esbuild = await import(
        pathToFileURL(join(temporary, 'node_modules', 'esbuild', 'lib', 'main.js')).href
      );
      return await use(esbuild).finally(() => esbuild.stop());
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  }
  return use(await import('esbuild'));
}

/** Installs esbuild with the hashes of our lockfile, and nothing else. */
async function fetchEsbuild(into: string): Promise<void> {
  const dependencies = { esbuild: lock.packages['node_modules/esbuild'].version };
  const packages = Object.entries(lock.packages).filter(([path]) => /^node_modules\/(@esbuild\/|esbuild$)/.test(path));
  const manifest = { name: 'page', dependencies };
  await writeFile(join(into, 'package.json'), JSON.stringify(manifest));
  await writeFile(
    join(into, 'package-lock.json'),
    JSON.stringify({ ...manifest, lockfileVersion: 3, packages: { '': manifest, ...Object.fromEntries(packages) } }),
  );
  const options = [
    '--include=dev',
    '--include=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--prefix=.',
  ];
  await promisify(execFile)('npm', ['ci', ...options], { cwd: into, shell: process.platform === 'win32' });
}

/** Bundles a module so that it shares no name with the page, and can be written into it. */
async function bundle(esbuild: typeof Esbuild, entry: string): Promise<string> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(folder, entry)],
    bundle: true,
    write: false,
    minify: true,
    charset: 'ascii',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    format: 'esm',
    legalComments: 'none',
  });
  return outputFiles[0]?.text.trim() ?? '';
}

if (import.meta.main) {
  await makePageAssets();
}
