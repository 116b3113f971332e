/** Packages or deploys the stack with the function, which osls builds before (`build-function.cjs`): in a process of its own. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseTemplate, type Template } from './plan/deployed.ts';
import type { StackSettings } from './stack/stack-settings.ts';

const root = resolve(import.meta.dirname, '..');

/** The template that osls would deploy. */
export async function packageStack(stack: StackSettings, region: string): Promise<Template> {
  return withStackFile(stack, async (file) => {
    const folder = join(file, '..', 'packaged');
    await runWithStack('package', stack, region, file, `--package=${folder}`);
    return parseTemplate(await readFile(join(folder, 'cloudformation-template-update-stack.json'), 'utf8'));
  });
}

export async function deployStack(stack: StackSettings, region: string): Promise<void> {
  await withStackFile(stack, (file) => runWithStack('deploy', stack, region, file));
}

/** Writes the stack's settings to a file that `stack.cjs` reads. */
async function withStackFile<Result>(stack: StackSettings, use: (file: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-deploy-'));
  try {
    const file = join(folder, 'stack.json');
    await writeFile(file, JSON.stringify(stack));
    return await use(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function runWithStack(command: string, { stage }: StackSettings, region: string, file: string, ...more: string[]) {
  return runOsls(command, '--stage', stage, '--region', region, `--param=stack=${file}`, ...more);
}

export function runOsls(...words: readonly string[]): Promise<void> {
  const osls = join(root, 'node_modules', 'osls', 'bin', 'serverless.js');
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [osls, ...words], { cwd: root, stdio: 'inherit' });
    child.once('error', fail);
    child.once('exit', (code) => (code === 0 ? done() : fail(new Error(`osls ${words[0]} ended with ${code}.`))));
  });
}
