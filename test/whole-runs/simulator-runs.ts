/** Nights of the whole product against the simulator: real HTTP, files that are not synced, and waits that take no time. */
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../simulator/simulator.ts';
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import { composeParts } from '../../src/compose/parts.ts';
import { readSettings, type Settings } from '../../src/compose/read-settings.ts';
import { readRunContext } from '../../src/compose/run-context.ts';
import { createSecretReader } from '../../src/compose/secrets.ts';
import type { AnySourceKind } from '../../src/compose/source-kinds.ts';
import { type Clock, systemClock } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import type { RunOutcome } from '../../src/run/outcome.ts';
import type { Parts } from '../../src/run/parts.ts';
import type { Commit } from '../../src/storage/commits/commit.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { quickDisk } from '../storage/quick-disk.ts';

export type Row = Readonly<Record<string, string>>;

export const tableNames = [
  'devices',
  'not-installed',
  'changes',
  'groups',
  'coverage',
  'exemptions',
  'deployment',
] as const;
type TableName = (typeof tableNames)[number];

export interface SimulatorSetup {
  readonly simulator: Simulator;
  readonly settings: Settings;
  /** Other kinds of source than those of the registry. */
  readonly kinds?: readonly AnySourceKind[];
  close(): Promise<void>;
}

export interface RunChanges {
  /** Waits as long as it is told to. */
  readonly real?: boolean;
  /** Longest silence that the sources bear, in milliseconds. */
  readonly idle?: number;
  /** How long the sources wait for failures that pass, in milliseconds, where not as the settings say. */
  readonly patience?: number;
}

export const toMoment = (slot: string): Date => new Date(`${slot}T05:15:00Z`);

export async function openSimulator(options: SimulatorOptions, firstSlot = '2026-03-01'): Promise<SimulatorSetup> {
  const simulator = await startSimulator({ seed: 7, moment: toMoment(firstSlot), ...options });
  const { settings, problems } = readSettings(simulator.settings(), simulator.environment);
  if (settings === undefined) {
    throw new Error(problems.join('\n'));
  }
  return { simulator, settings, close: () => simulator.close() };
}

const folders: string[] = [];

export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-run-'));
  folders.push(folder);
  return folder;
}

export async function removeFolders(): Promise<void> {
  for (const folder of folders.splice(0)) {
    await rm(folder, { recursive: true });
  }
}

/** Set forward instead of waiting. */
function createLeapingClock(moment: Date): Clock {
  const began = systemClock.elapsed();
  let leapt = 0;
  const elapsed = () => systemClock.elapsed() + leapt;
  return {
    elapsed,
    now: () => new Date(moment.getTime() + elapsed() - began),
    async sleep(milliseconds, signal) {
      signal.throwIfAborted();
      leapt += milliseconds;
      await turn();
    },
  };
}

/** Shorter than the hour that a lasting throttle asks for. */
const timeLeft = 30 * 60 * 1000;

export async function composeSimulatorParts(
  setup: SimulatorSetup,
  folder: string,
  slot: string,
  changes: RunChanges = {},
): Promise<Parts> {
  const clock = changes.real ? systemClock : createLeapingClock(toMoment(slot));
  const parts = await composeParts(setup.settings, {
    secret: createSecretReader(setup.simulator.environment),
    folder,
    clock,
    signal: new AbortController().signal,
    deadline: clock.elapsed() + timeLeft,
    ...omitUndefined({ idle: changes.idle, patience: changes.patience, kinds: setup.kinds }),
  });
  return setup.settings.store.includes('://')
    ? parts
    : { ...parts, store: createFolderStore(locateStore(folder), quickDisk) };
}

/** One night, at its own moment; whatever it wrote is searched for secrets. */
export async function runSlot(
  setup: SimulatorSetup,
  folder: string,
  slot: string,
  changes: RunChanges = {},
): Promise<RunOutcome> {
  setup.simulator.setMoment(toMoment(slot));
  const parts = await composeSimulatorParts(setup, folder, slot, changes);
  const outcome = await runNight(
    { slot, moment: toMoment(slot), readRunContext: () => readRunContext(setup.settings, folder, toMoment(slot)) },
    parts,
  );
  expectClean(setup.simulator, folder);
  return outcome;
}

const locateStore = (folder: string): string => join(folder, 'muster-data');

export async function readTableText(folder: string, slot: string, table: TableName): Promise<string> {
  return readFile(join(locateStore(folder), table, `date=${slot}`, `${table}.csv`), 'utf8');
}

export async function readTableRows(folder: string, slot: string, table: TableName): Promise<Row[]> {
  return parse(await readTableText(folder, slot, table), { columns: true }) as Row[];
}

/** Every table of a night, byte by byte. */
export async function readAllTables(folder: string, slot: string): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const table of tableNames) {
    texts[table] = await readTableText(folder, slot, table);
  }
  return texts;
}

const proofColumns = new Set([
  ...['proven', 'unproven_because', 'proven_installed', 'proven_not_installed', 'coverage_low', 'coverage_high'],
]);

/** Tables without what depends on whether a value is proven, as the answers of canaries do. */
export function dropProof(tables: Readonly<Record<string, string>>): Record<string, Row[]> {
  const toRows = (text: string) =>
    (parse(text, { columns: true }) as Row[])
      .filter(({ check }) => check?.startsWith('canary.') !== true)
      .map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => !proofColumns.has(column))));
  return Object.fromEntries(Object.entries(tables).map(([name, text]) => [name, toRows(text)]));
}

export async function readStandingCommit(folder: string): Promise<Commit> {
  const latest = JSON.parse(await readFile(join(locateStore(folder), 'latest.json'), 'utf8')) as { manifest: string };
  return JSON.parse(await readFile(join(locateStore(folder), latest.manifest), 'utf8')) as Commit;
}

/** Texts that may stand in no output: secrets, tokens, and what scripts, policies and install commands say. */
function listForbiddenTexts({ canaries, jamf, graph, urls }: Simulator): string[] {
  const hosts = new Set(Object.values(urls).map((url) => new URL(url).host));
  const scripts = [
    ...jamf.scripts.map(({ contents }) => contents),
    ...jamf.attributes.map(({ script }) => script ?? ''),
  ];
  const parameters = jamf.policies.flatMap(({ scripts: used }) => used.flatMap((script) => script.parameters));
  const commands = graph.apps.flatMap((app) => [app.installCommandLine, app.uninstallCommandLine]);
  const telling = scripts.flatMap((script) => script.split('\n')).filter((line) => line.trim().length > 12);
  return [
    ...new Set([
      ...canaries,
      ...parameters.filter((text) => text.length > 8 && !hosts.has(text.replace(/\/.*/, ''))),
      ...commands,
      ...telling,
    ]),
  ];
}

/** The same bytes lie in several places, and are searched once for the same secrets. */
const searched = new Set<string>();

/** Searches every file below the folder, unpacked, and every other text. */
export function expectNoSecretIn(folder: string, forbidden: readonly string[], ...texts: readonly string[]): void {
  const written = [...new Set([...forbidden, ...forbidden.map((secret) => JSON.stringify(secret).slice(1, -1))])];
  const purpose = hash('sha256', written.join('\n'));
  const shown = (text: string) => written.filter((secret) => text.includes(secret));
  expect(texts.flatMap(shown)).toEqual([]);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile()) {
      continue;
    }
    const bytes = readFileSync(path);
    const content = `${purpose}/${hash('sha256', bytes)}`;
    if (searched.has(content)) {
      continue;
    }
    searched.add(content);
    const text = (entry.name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
    expect(shown(text), `what ${entry.name} shows`).toEqual([]);
  }
}

/** G10 and G12: no secret in any file, none sent elsewhere, and nobody asked more often than told. */
export function expectClean(simulator: Simulator, folder: string): void {
  expectNoSecretIn(folder, listForbiddenTexts(simulator));
  expect(simulator.leaks).toEqual([]);
  expect(simulator.violations).toEqual([]);
}
