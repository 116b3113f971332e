/** `muster` as people start it: a process of its own, on its own or against a simulator in this one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { vi } from 'vitest';
import { bundle, commandLineEntry } from '../../infra/bundle.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../simulator/simulator.ts';
import { runProgram } from '../../src/cli.ts';
import { storeOpeners } from '../../src/compose/parts.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { makeOnce } from '../make-once.ts';
import { quickDisk } from '../storage/quick-disk.ts';

/** As the image runs it: hundreds of processes start it, and loading each source file for itself is half of what they do. */
const programFolder = await makeOnce('command-line', (folder) => bundle(folder, commandLineEntry));
export const program = join(programFolder, 'cli.mjs');

export const programEnvironment: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? '',
  // What one process has compiled, the next need not.
  NODE_COMPILE_CACHE: join(programFolder, 'compiled'),
};

interface Surroundings {
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
}

interface Ended {
  /** Null when it was killed. */
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

let isRunningHere = false;

/**
 * The same command in this process, in a tenth of the time: for what does not ask how a process begins, prints to a
 * terminal or ends. Only one at a time: environment, folder and output are those of the process. No file is synced.
 */
export async function musterHere(
  words: readonly string[],
  { folder, environment = {}, isTerminal = false }: Surroundings & { readonly isTerminal?: boolean },
): Promise<Ended> {
  if (isRunningHere) {
    throw new Error('Another command is running in this process: start this one in a process of its own.');
  }
  isRunningHere = true;
  const { argv } = process;
  const { isTTY } = process.stdout;
  const startedIn = process.cwd();
  vi.spyOn(storeOpeners, 'folder').mockImplementation((place, from) =>
    createFolderStore(resolve(from, place), quickDisk),
  );
  const [output, errors] = [keepWritten(process.stdout), keepWritten(process.stderr)];
  for (const [name, value] of Object.entries(environment)) {
    vi.stubEnv(name, value);
  }
  process.argv = [process.execPath, program, ...words];
  process.stdout.isTTY = isTerminal;
  process.chdir(folder);
  try {
    await runProgram();
    return { code: Number(process.exitCode ?? 0), output: output(), errors: errors() };
  } finally {
    isRunningHere = false;
    process.exitCode = undefined;
    process.argv = argv;
    process.stdout.isTTY = isTTY;
    process.chdir(startedIn);
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  }
}

function keepWritten(stream: NodeJS.WriteStream): () => string {
  const write = vi.spyOn(stream, 'write').mockReturnValue(true);
  return () => write.mock.calls.map(([text]) => String(text)).join('');
}

export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-cli-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Started {
  readonly child: ChildProcess;
  /** The last platform has answered; from here on the run judges and publishes. */
  readonly gathered: Promise<void>;
  readonly ended: Promise<Ended>;
}

export interface Site {
  readonly simulator: Simulator;
  readonly folder: string;
  /** What every process has in its environment; more can be added. */
  readonly environment: Record<string, string>;
  /** A settings file of its own for a store, which is made beside it. */
  settingsFor(name: string, change?: (yaml: string) => string): Promise<{ settings: string; store: string }>;
  /** A process of its own. */
  start(settings: string, ...words: readonly string[]): Started;
  /** In this process. */
  run(settings: string, ...words: readonly string[]): Promise<Ended>;
  close(): Promise<void>;
}

/** The last log line of a run. */
export function lastLineOf({ output }: Pick<Ended, 'output'>) {
  return JSON.parse(output.trim().split('\n').at(-1) ?? '{}');
}

/** Nights of the past, so that no clock is before them. */
export const pastSlots = ['2025-06-01', '2025-06-02', '2025-06-03'] as const;

export const momentOf = (slot: string): Date => new Date(`${slot}T05:15:00Z`);

export async function openSite(options: SimulatorOptions = {}): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-site-'));
  const simulator = await startSimulator({
    devices: 40,
    seed: 3,
    moment: momentOf(pastSlots[0]),
    graph: { exportPolls: 0 },
    ...options,
  });
  const environment: Record<string, string> = { ...simulator.environment };
  const start = (settings: string, ...words: readonly string[]): Started => {
    const child = startMuster(['--settings', settings, ...words], { folder, environment });
    return { child, gathered: gatheringOf(child), ended: finished(child) };
  };
  return {
    simulator,
    folder,
    environment,
    async settingsFor(name, change = (yaml) => yaml) {
      const settings = join(folder, `${name}.yaml`);
      await writeFile(settings, change(simulator.settings()).replace('./muster-data', `./${name}`));
      return { settings, store: join(folder, name) };
    },
    start,
    run: (settings, ...words) => musterHere(['--settings', settings, ...words], { folder, environment }),
    async close() {
      await simulator.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Windows' reports make a run wait; what is about the store alone does without. */
export function onlyMacs(yaml: string): string {
  return yaml.replace(/ {2}- name: windows\n(?: {4}.*\n)+/, '');
}

function gatheringOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    let asked = new Set<unknown>();
    let rest = '';
    child.stdout?.on('data', (text: Buffer) => {
      const lines = (rest + text.toString()).split('\n');
      rest = lines.pop() ?? '';
      // Commands other than a night speak to people, or print a document of many lines.
      for (const line of lines.filter((candidate) => candidate.startsWith('{"'))) {
        const { event, source } = JSON.parse(line);
        if (event === 'source.progress') {
          asked = asked.add(source);
        }
        if (event === 'source.read' && asked.delete(source) && asked.size === 0) {
          resolve();
        }
      }
    });
  });
}
