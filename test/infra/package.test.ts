/** The package as people install it: compiled, with its own dependencies alone, and it runs. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

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
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('holds compiled JavaScript and what a person reads, and no test or source', async () => {
  const files = await readdir(join(folder, 'node_modules', manifest.name), { recursive: true });
  expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'CHANGELOG.md', manifest.bin.muster]));
  expect(files.filter((file) => /\.ts$|^test\b|^infra\b/.test(file))).toEqual([]);
});

it('starts as a program of its own', async () => {
  expect((await readFile(program, 'utf8')).split('\n')[0]).toBe('#!/usr/bin/env node');
  expect((await run(process.execPath, [program, '--version'])).stdout).toBe(`${manifest.version}\n`);
});

it('runs the demo in an empty folder, and its store is sound', async () => {
  const empty = await mkdtemp(join(folder, 'empty-'));
  const { stdout } = await run(process.execPath, [program, 'demo', '--nights', '2', '--devices', '60'], { cwd: empty });
  expect(stdout).toContain('muster-demo/latest/index.html');
  const verified = await run(process.execPath, [program, 'verify'], { cwd: join(empty, 'muster-demo') });
  expect(verified.stdout).toMatch(/2 runs/);
});
