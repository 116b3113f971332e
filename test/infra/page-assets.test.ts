/** The page's script and style, which are not in the repository: whatever is made of a checkout has them. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPromise } from 'yauzl';
import type * as Page from '../../infra/page.ts';
import manifest from '../../package.json' with { type: 'json' };
import { style } from '../../src/reports/page/assets.ts';
import { compileCache } from '../compile-cache.ts';
import { oslsCache } from './packaged.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const assets = join('src', 'reports', 'page', 'assets.ts');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-checkout-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const parts = ['package.json', 'package-lock.json', 'serverless.yml', 'tsconfig.json', 'README.md'];

/** The folder of a fresh checkout: the tracked files that anything is made of. */
async function checkOut(name: string): Promise<string> {
  const checkout = join(folder, name);
  for (const part of [...parts, 'infra', 'simulator', 'src']) {
    await cp(join(root, part), join(checkout, part), { recursive: true });
  }
  await rm(join(checkout, assets));
  return checkout;
}

async function callNode(cwd: string, ...parameters: readonly string[]) {
  return run(process.execPath, parameters, { cwd, env: { ...process.env, ...compileCache, NO_COLOR: '1' } });
}

it('builds the function and the package after `npm ci --ignore-scripts`', async () => {
  const checkout = await checkOut('ignore-scripts');
  await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'));
  await expect(callNode(checkout, 'src/bin.ts', 'demo')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Run `npm run page` first.'),
  });
  await callNode(checkout, 'infra/bundle.ts');
  expect(await readFile(join(checkout, assets), 'utf8')).toContain(JSON.stringify(style));

  await rm(join(checkout, assets));
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json'], { cwd: checkout });
  expect(stdout).toContain('dist-package/src/reports/page/assets.js');
});

it('packages the stack after `npm ci --ignore-scripts`, with the function that it builds', async () => {
  const checkout = await checkOut('stack');
  await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'));
  const osls = join(root, 'node_modules', 'osls', 'bin', 'serverless.js');
  await run(process.execPath, [osls, 'package'], { cwd: checkout, env: { HOME: checkout, ...oslsCache } });
  const zip = await openPromise(join(checkout, '.serverless', 'muster.zip'), { lazyEntries: true });
  const names: string[] = [];
  for await (const { fileName } of zip.eachEntry()) {
    names.push(fileName);
  }
  expect(names).toContain('dist/lambda.mjs');
});

it('never shows a part of the assets to a process that reads them', async () => {
  const checkout = await checkOut('readers');
  await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'));
  const { makePageAssets }: typeof Page = await import(pathToFileURL(join(checkout, 'infra', 'page.ts')).href);
  const file = join(checkout, assets);
  const seen = new Set<string>();
  let isMade = false;
  const making = Promise.all([makePageAssets(), makePageAssets()]).finally(() => {
    isMade = true;
  });
  while (!isMade) {
    if (existsSync(file)) {
      seen.add(readFileSync(file, 'utf8'));
    }
    await setImmediate();
  }
  await making;
  expect([...seen, readFileSync(file, 'utf8')].every((text) => text.includes(JSON.stringify(style)))).toBe(true);
  expect((await readdir(dirname(file))).filter((name) => name.startsWith('assets.ts.'))).toEqual([]);
});

it('makes the page by `npm ci --omit=dev --omit=optional`, which runs `prepare`', async () => {
  const checkout = await checkOut('omit-dev');
  for (const name of Object.keys(manifest.dependencies)) {
    const installed = join(checkout, 'node_modules', name);
    await mkdir(dirname(installed), { recursive: true });
    await symlink(join(root, 'node_modules', name), installed);
  }
  await run('npm', ['run', 'prepare'], { cwd: checkout, env: { ...process.env, npm_config_omit: 'dev\n\noptional' } });
  await callNode(checkout, 'src/bin.ts', 'demo', '--nights', '1', '--devices', '20');
  const page = await readFile(join(checkout, 'muster-demo', 'latest', 'index.html'), 'utf8');
  expect(page).toContain(`<style>${style}</style>`);
});
