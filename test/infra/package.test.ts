/** The package as people install it: compiled, with its own dependencies alone, and it runs. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { installNode22 } from './node-versions.ts';

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
  expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'CHANGELOG.md', manifest.bin.muster]));
  expect(files.filter((file) => /\.ts$|^test\b|^infra\b/.test(file))).toEqual([]);
});

it('starts as a program of its own', async () => {
  expect((await readFile(program, 'utf8')).split('\n')[0]).toBe('#!/usr/bin/env node');
  expect((await run(process.execPath, [program, '--version'])).stdout).toBe(`${manifest.version}\n`);
});

describe('npx muster demo in an empty folder: the demo runs, and its store is sound', () => {
  it('on Node 24', () => runDemo(dirname(process.execPath), 24));

  it('on Node 22', async ({ skip }) => {
    const node = await installNode22();
    skip(node === undefined, 'npm cannot fetch Node 22 for this machine');
    await runDemo(node ?? '', 22);
  });
});

/** By hand, in a shell, with that Node alone. */
async function runDemo(node: string, version: number): Promise<void> {
  const empty = await mkdtemp(join(folder, 'empty-'));
  const commands = 'node --version && muster demo --nights 2 --devices 60 && cd muster-demo && muster verify';
  const { stdout, stderr } = await run('npx', ['--offline', '-c', commands], {
    cwd: empty,
    env: { ...process.env, PATH: [node, process.env.PATH].join(delimiter) },
  });
  expect(stdout).toMatch(new RegExp(`^v${version}\\.`));
  expect(stdout).toContain('muster-demo/latest/index.html');
  expect(stdout).toMatch(/2 runs/);
  expect(stderr).not.toMatch(/warning/i);
}
