/** `muster` as a process of its own, against a sandbox in this one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.ts';
import { program, programEnvironment } from './program.ts';

interface Ended {
  /** Null when it was killed. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Started {
  readonly child: ChildProcess;
  /** The last platform has answered; from here on the run judges and publishes. */
  readonly gathered: Promise<void>;
  readonly ended: Promise<Ended>;
}

export interface Site {
  readonly sandbox: Sandbox;
  readonly folder: string;
  /** What every process has in its environment; more can be added. */
  readonly environment: Record<string, string>;
  /** A settings file of its own for a store, which is made beside it. */
  settingsFor(name: string, change?: (yaml: string) => string): Promise<{ settings: string; store: string }>;
  start(settings: string, ...words: readonly string[]): Started;
  run(settings: string, ...words: readonly string[]): Promise<Ended>;
  close(): Promise<void>;
}

/** Nights of the past, so that no clock is before them. */
export const pastSlots = ['2025-06-01', '2025-06-02', '2025-06-03'] as const;

export const momentOf = (slot: string): Date => new Date(`${slot}T05:15:00Z`);

export async function openSite(options: SandboxOptions = {}): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-site-'));
  const sandbox = await startSandbox({
    ...{ devices: 40, seed: 3, moment: momentOf(pastSlots[0]), graph: { exportPolls: 0 } },
    ...options,
  });
  const environment: Record<string, string> = { ...sandbox.environment };
  const start = (settings: string, ...words: readonly string[]): Started => {
    const child = spawn(process.execPath, [program, '--settings', settings, ...words], {
      cwd: folder,
      env: { ...programEnvironment, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return { child, gathered: gatheringOf(child), ended: endOf(child) };
  };
  return {
    sandbox,
    folder,
    environment,
    async settingsFor(name, change = (yaml) => yaml) {
      const settings = join(folder, `${name}.yaml`);
      await writeFile(settings, change(sandbox.settings()).replace('./muster-data', `./${name}`));
      return { settings, store: join(folder, name) };
    },
    start,
    run: (settings, ...words) => start(settings, ...words).ended,
    async close() {
      await sandbox.close();
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
      // Commands other than a night speak to people.
      for (const line of lines.filter((candidate) => candidate.startsWith('{'))) {
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

function endOf(child: ChildProcess): Promise<Ended> {
  return new Promise((resolve, reject) => {
    let out = '';
    let err = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.once('error', reject).once('close', (code) => resolve({ code, out, err }));
  });
}
