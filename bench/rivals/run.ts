/**
 * Devices lost: `node bench/rivals/run.ts [--devices 1200] [--only WORD] [--with NAME=FOLDER]...`. Every tool reads the
 * same simulated platforms, which behave as real servers sometimes do; the table says how many devices are there, what
 * each tool reports, how it exits and how long it took. Without rivals it runs for Muster alone.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { SourceName } from '../../simulator/devices/model.ts';
import { type Simulator, startSimulator } from '../../simulator/simulator.ts';
import { type Behaviour, behaviours } from './behaviours.ts';
import { type Counts, muster, rivals, type Tool } from './tools.ts';

/** A tool that goes on for longer is ended, and the table says so. */
const limitSeconds = 200;

interface Outcome {
  readonly exit: string;
  readonly seconds: number;
  /** Undefined where the tool gave no answer. */
  readonly reported: Readonly<Partial<Record<SourceName, Counts>>>;
}

interface Entry {
  readonly behaviour: Behaviour;
  readonly truth: Readonly<Record<SourceName, Counts>>;
  readonly outcomes: readonly Outcome[];
}

interface Runnable {
  readonly tool: Tool;
  readonly checkout: string;
}

/** Each tool has a simulator of its own, since a fault may heal and a device be deleted. */
export async function runBehaviour(behaviour: Behaviour, tools: readonly Runnable[], devices: number): Promise<Entry> {
  const outcomes: Outcome[] = [];
  let truth: Entry['truth'] | undefined;
  for (const runnable of tools) {
    const simulator = await startSimulator({ devices, ...behaviour.options });
    try {
      simulator.setFaults(behaviour.faults(countTruth(simulator).macs.devices));
      behaviour.change?.(simulator);
      outcomes.push(await runTool(runnable, simulator));
      // What is true afterwards is what is left, and the same for each tool.
      truth ??= countTruth(simulator);
    } finally {
      await simulator.close();
    }
  }
  if (truth === undefined) {
    throw new Error('No tool was named.');
  }
  return { behaviour, truth, outcomes };
}

function countTruth(simulator: Simulator): Entry['truth'] {
  const count = (name: SourceName): Counts => {
    const rows = simulator.listRecords().filter(({ source }) => source === name);
    const ids = rows.map(({ id }) => id);
    return { devices: rows.length, installed: rows.filter(({ hasAgent }) => hasAgent).length, ids };
  };
  return { macs: count('macs'), windows: count('windows') };
}

async function runTool({ tool, checkout }: Runnable, simulator: Simulator): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-rivals-'));
  try {
    for (const [name, content] of Object.entries(tool.files?.(simulator) ?? {})) {
      await writeFile(join(folder, name), content);
    }
    const [program, ...words] = tool.command(checkout);
    const began = performance.now();
    const child = spawn(program, words, {
      cwd: folder,
      env: { PATH: process.env.PATH, PYTHONPATH: process.env.PYTHONPATH, ...tool.environment(simulator) },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: limitSeconds * 1000,
    });
    const ended = once(child, 'close');
    const output = await text(child.stdout);
    const [code] = (await ended) as [number | null];
    const seconds = (performance.now() - began) / 1000;
    const reported: Partial<Record<SourceName, Counts>> = {};
    for (const source of tool.sources) {
      const answer = await tool.read(folder, output, source).catch(() => undefined);
      Object.assign(reported, answer === undefined ? {} : { [source]: answer });
    }
    return { exit: code === null ? `none in ${limitSeconds} s` : String(code), seconds, reported };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function formatTable(entries: readonly Entry[], tools: readonly Tool[]): string {
  const titles = { macs: 'Macs', windows: 'PCs' };
  const columns = tools.flatMap(({ name, sources }) => [
    ...sources.map((source, index) => `${index === 0 ? `${name}: ` : ''}${titles[source]}`),
    ...['exit', 's'],
  ]);
  const header = ['behaviour', 'true: Macs', 'PCs', ...columns];
  const rows = entries.map(({ behaviour, truth, outcomes }) => [
    behaviour.name,
    formatCounts(truth.macs),
    formatCounts(truth.windows),
    ...outcomes.flatMap(({ exit, seconds, reported }, index) => [
      ...(tools[index]?.sources ?? []).map((source) => formatReported(reported[source], truth[source])),
      ...[exit, seconds.toFixed(1)],
    ]),
  ]);
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function formatCounts({ devices, installed }: Counts): string {
  return installed === undefined ? String(devices) : `${devices} / ${installed}`;
}

/** Bold where it differs from the truth by more than what the tool names as unread. */
function formatReported(reported: Counts | undefined, truth: Counts): string {
  if (reported === undefined) {
    return 'no answer';
  }
  const { ids = [], unread = 0, installed = truth.installed ?? 0, soundness } = reported;
  const lost = countOthers(truth.ids ?? [], reported.ids);
  const gone = countOthers(ids, truth.ids);
  const difference = Math.abs(installed - (truth.installed ?? 0));
  const isRight = reported.devices === truth.devices && lost + gone === 0 && difference <= unread;
  const counts = isRight ? formatCounts(reported) : `**${formatCounts(reported)}**`;
  const remarks = [
    lost > 0 && `${lost} lost`,
    gone > 0 && `${gone} that is gone`,
    unread > 0 && `${unread} named as unread`,
    soundness,
  ];
  return [counts, ...remarks.filter(Boolean)].join(', ');
}

/** Those of a list that another one lacks; none where there is no other list. */
function countOthers(ids: readonly string[], known: readonly string[] = ids): number {
  const others = new Set(known);
  return ids.filter((id) => !others.has(id)).length;
}

function findRival(words: string): Runnable {
  const [name = '', folder = ''] = words.split('=');
  const tool = rivals.find((rival) => rival.name === name);
  if (tool === undefined || folder === '') {
    throw new Error(`--with takes NAME=FOLDER; the names are ${rivals.map((rival) => rival.name).join(', ')}.`);
  }
  return { tool, checkout: resolve(folder) };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      devices: { type: 'string', default: '1200' },
      only: { type: 'string', default: '' },
      with: { type: 'string', multiple: true, default: [] },
    },
  });
  const tools = [{ tool: muster, checkout: '' }, ...values.with.map(findRival)];
  const entries: Entry[] = [];
  for (const behaviour of behaviours.filter(({ name }) => name.includes(values.only))) {
    process.stderr.write(`${behaviour.name}\n`);
    entries.push(await runBehaviour(behaviour, tools, Number(values.devices)));
  }
  const notes = tools.map(({ tool }) => `* ${tool.name}: ${[tool.origin, tool.note].filter(Boolean).join('. ')}`);
  process.stdout.write(
    `${formatTable(
      entries,
      tools.map(({ tool }) => tool),
    )}\n\n${notes.join('\n')}\n`,
  );
}

if (process.argv[1] === import.meta.filename) {
  await main();
}
