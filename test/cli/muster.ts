/** `muster` as people start it: a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program, programEnvironment } from './program.ts';

interface Surroundings {
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

export function startMuster(words: readonly string[], { folder, environment = {} }: Surroundings): ChildProcess {
  return spawn(process.execPath, [program, ...words], {
    cwd: folder,
    env: { ...programEnvironment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export function finished(child: ChildProcess): Promise<Ended> {
  return new Promise((resolve, reject) => {
    let output = '';
    let errors = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    child.once('error', reject).once('close', (code) => resolve({ code, output, errors }));
  });
}

export function muster(words: readonly string[], surroundings: Surroundings): Promise<Ended> {
  return finished(startMuster(words, surroundings));
}

export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-cli-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
