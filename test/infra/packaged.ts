/** The stack as `osls package` makes it: with no account, no credentials and an empty environment. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { compileCache } from '../cli/muster.ts';
import type { Template } from './resolve.ts';

const root = resolve(import.meta.dirname, '..', '..');

export interface Packaged {
  readonly folder: string;
  /** The template's file. */
  readonly path: string;
  readonly template: Template;
  remove(): Promise<void>;
}

async function stub(folder: string): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, 'lambda.mjs'), 'export const handler = async () => {};\n');
}

/** In a folder of its own, around a stub of the function where the function itself does not matter. */
export async function packageStack(
  parameters: Readonly<Record<string, string>> = {},
  build: (folder: string) => Promise<unknown> = stub,
): Promise<Packaged> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-stack-'));
  await cp(join(root, 'serverless.yml'), join(folder, 'serverless.yml'));
  for (const part of ['infra', 'src']) {
    await cp(join(root, part), join(folder, part), { recursive: true });
  }
  await cp(join(root, 'package.json'), join(folder, 'package.json'));
  await build(join(folder, 'dist'));
  const given = Object.entries(parameters).map(([name, value]) => `--param=${name}=${value}`);
  const osls = join(root, 'node_modules', 'osls', 'bin', 'serverless.js');
  await promisify(execFile)(process.execPath, [osls, 'package', ...given], {
    cwd: folder,
    env: { HOME: folder, ...compileCache },
  });
  const path = join(folder, '.serverless', 'cloudformation-template-update-stack.json');
  const template = JSON.parse(await readFile(path, 'utf8')) as Template;
  return { folder, path, template, remove: () => rm(folder, { recursive: true }) };
}
