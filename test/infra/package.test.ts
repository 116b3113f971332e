/** The package as people install it: compiled, with its own dependencies alone, and it runs. And how it is audited. */
import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import {
  chmod,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { compileCache } from '../compile-cache.ts';
import { findBrokenLinks } from '../docs/documents.ts';
import lock from './oldest-node/package-lock.json' with { type: 'json' };

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
let folder: string;
let program: string;

/** As `npm install` does, with links to what is installed here already: everything else cannot be found. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-package-'));
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root });
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  await run('tar', ['-xzf', join(folder, `${manifest.name}-${manifest.version}.tgz`), '-C', modules]);
  await run('mv', [join(modules, 'package'), join(modules, manifest.name)]);
  for (const name of Object.keys(manifest.dependencies)) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(root, 'node_modules', name), join(modules, name));
  }
  program = join(modules, manifest.name, manifest.bin.muster);
  await chmod(program, 0o755);
  await mkdir(join(modules, '.bin'));
  await symlink(program, join(modules, '.bin', 'muster'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('holds compiled JavaScript and what a person reads, and no test or source', async () => {
  const files = await readdir(join(folder, 'node_modules', manifest.name), { recursive: true });
  expect(files).toEqual(
    expect.arrayContaining([
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
      'docs/coverage.md',
      'docs/schemas/settings.schema.json',
      manifest.bin.muster,
    ]),
  );
  expect(files.filter((file) => /\.ts$|^test\b|^infra\b|^docs.dev\b/.test(file))).toEqual([]);
});

it('has every page that its pages link to', () => {
  const installed = join(folder, 'node_modules', manifest.name);
  const pages = globSync('{*,docs/**/*}.md', { cwd: installed });
  expect(pages.length).toBeGreaterThan(12);
  expect(pages.flatMap((page) => findBrokenLinks(installed, page).map((link) => `${page}${link}`))).toEqual([]);
});

it('starts as a program of its own', async () => {
  expect((await readFile(program, 'utf8')).split('\n')[0]).toBe('#!/usr/bin/env node');
  expect((await run(process.execPath, [program, '--version'])).stdout).toBe(`${manifest.version}\n`);
});

it('runs the demo by `npx` on the oldest Node, and the pinned one finds its store sound [W4]', async () => {
  const pinned = dirname(process.execPath);
  // Without it, where npm cannot fetch it for this machine.
  const oldest = (await installOldestNode()) ?? pinned;
  const empty = await mkdtemp(join(folder, 'empty-'));
  // By the name of the package, as before it is installed; its one program has another name.
  expect(await callByHand(oldest, folder, `npx --offline ${manifest.name} --version`)).toContain(manifest.version);
  const demo = await callByHand(oldest, empty, 'npx --offline muster demo --nights 2 --devices 60');
  expect(demo).toMatch(oldest === pinned ? /^v24\./ : new RegExp(`^v${manifest.engines.node.slice('>='.length)}\\.`));
  expect(demo).toContain('muster-demo/latest/index.html');
  expect(await callByHand(pinned, join(empty, 'muster-demo'), 'muster verify')).toMatch(/^v24\.[\s\S]*2 runs/);
});

/** In a shell, with that Node alone. */
async function callByHand(node: string, cwd: string, command: string): Promise<string> {
  const path = [node, join(folder, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  const env = { ...process.env, ...compileCache, PATH: path };
  const { stdout, stderr } = await run('sh', ['-c', `node --version && ${command}`], { cwd, env });
  expect(stderr).not.toMatch(/warning/i);
  return stdout;
}

const cache = join(root, 'node_modules', '.cache');
const platform = `node-${process.platform}-${process.arch}`;
const versions: Readonly<Record<string, string>> = lock.packages[''].optionalDependencies;

/**
 * The folder of the oldest Node that Muster runs on, from npm. It has a lockfile of its own: in that of the repository, its `node` would
 * stand in `node_modules/.bin` beside that of the pinned version. Undefined where npm has none for this machine.
 */
async function installOldestNode(): Promise<string | undefined> {
  const version = versions[platform];
  if (version === undefined) {
    return undefined;
  }
  const installed = join(cache, `node-${version}`);
  const program = join(installed, 'node_modules', platform, 'bin');
  if (!existsSync(program)) {
    await mkdir(cache, { recursive: true });
    const fresh = await mkdtemp(join(cache, 'node-'));
    await copyFile(join(import.meta.dirname, 'oldest-node', 'package-lock.json'), join(fresh, 'package-lock.json'));
    await writeFile(join(fresh, 'package.json'), JSON.stringify(lock.packages['']));
    // Fetched by its hash; without its link, as nothing may find it but who asks for it.
    await run('npm', ['ci', '--ignore-scripts', '--no-bin-links', '--prefer-offline'], { cwd: fresh });
    await rm(installed, { recursive: true, force: true });
    await rename(fresh, installed);
  }
  return existsSync(program) ? program : undefined;
}

it('is published only with the addresses of its repository, its site and its defects', async () => {
  const path = join(folder, 'publishable.json');
  const check = async (addresses: object) => {
    await writeFile(path, JSON.stringify({ ...manifest, ...addresses }));
    return run(process.execPath, [join(root, 'infra', 'publishable.ts'), path]);
  };
  const homepage = 'https://muster.example.com';
  const refusal = { code: 1, stderr: expect.stringContaining('lacks repository, bugs.') };
  await expect(check({ homepage })).rejects.toMatchObject(refusal);
  await expect(check({ homepage, repository: homepage, bugs: homepage })).resolves.toMatchObject({ stderr: '' });
});

it.each([
  ['is clean', '{"auditReportVersion": 2, "vulnerabilities": {}}', 0, 0, 'audit: clean'],
  [
    'has vulnerabilities that are known',
    '{"auditReportVersion": 2, "vulnerabilities": {"a": {}}}',
    1,
    1,
    'audit: known',
  ],
  ['could not be audited, with an error', '{"message": "405 Method Not Allowed"}', 1, 0, 'NOT AUDITED: '],
  ['could not be audited, without one', '', 0, 0, 'NOT AUDITED: '],
])('.ci/run says in its last line where what ships %s', async (_, report, exit, code, last) => {
  const checkout = await mkdtemp(join(folder, 'ci-'));
  await cp(join(root, '.ci'), join(checkout, '.ci'), { recursive: true });
  const npm = `#!/bin/sh\n[ "$1" = audit ] || exit 0\necho '${report}'\nexit ${exit}\n`;
  await writeFile(join(checkout, 'npm'), npm, { mode: 0o755 });
  const env = { PATH: [checkout, process.env.PATH].join(delimiter) };
  const ended = await run(join(checkout, '.ci', 'run'), [], { env }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (failed: { code: number; stdout: string }) => failed,
  );
  expect(ended.code).toBe(code);
  expect(ended.stdout.trimEnd().split('\n').at(-1)).toMatch(new RegExp(`^${last}`));
});
