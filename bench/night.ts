/**
 * What a night costs beside the least that anybody needs: `npm run bench -- [--devices 10000,100000] [--latency 0+0,50+1]
 * [--runs 3] [--heap 690] [--healed] [--timeline] [--undated] [--s3] [--beside FOLDER]`. The simulated platforms run in a process of their own and answer from memory. For
 * each number of devices and each latency (milliseconds a request + a row) the same pages are fetched by a bare client that only parses them
 * (the floor), and by the packaged program on a first night and on one with a baseline; with `--healed` also on one
 * whose Windows devices could not be read, when that is healed, and when its reports are made again. Medians of several
 * runs. `--heap` is how many MB Node's heap may have, which collects late where memory is free; then the C library also
 * gives back what is freed, as in the image. With `--timeline`, each night is shown as its requests and stages instead:
 * when each began and ended, what it waited for, and the longest chain. With `--undated`, some devices have no enrolment
 * date, so that Intune's list is read serially in each night. With `--s3`, runs are kept in a bucket that takes 30 ms a
 * request. `--beside` measures another packaged program
 * (`node infra/bundle.ts cli` in its own repository makes one) in the same run, one after the other.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { bundle, commandLineEntry } from '../infra/bundle.ts';
import type { Asked, Latency, Started } from './platforms.ts';
import { formatTimeline, listFilesSince } from './timeline.ts';

/** Seconds of the clock and of the processor, and the largest resident size in MB. */
interface Cost {
  readonly seconds: number;
  readonly processor: number;
  readonly megabytes: number;
  /** Until the last source was read; only of a night. */
  readonly gathered?: number;
  /** When it began and ended, in milliseconds since 1970, and what it printed. */
  readonly began?: number;
  readonly ended?: number;
  readonly lines?: readonly string[];
}

interface Platforms extends Started {
  set(latency: Latency): Promise<void>;
  asked(): Promise<Asked>;
  stop(): void;
}

const day = 86_400_000;
/** Printed by the measured process itself when it ends. */
const measure = `data:text/javascript,process.on('exit',()=>process.stderr.write(JSON.stringify(process.resourceUsage())))`;

async function startPlatforms(devices: number): Promise<Platforms> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'platforms.ts'), [
    String(devices),
    ...(values.undated ? ['undated'] : []),
  ]);
  const [started] = (await once(child, 'message')) as [Started];
  const ask = async (message: Latency | 'asked'): Promise<unknown> => {
    child.send(message);
    return (await once(child, 'message'))[0];
  };
  return {
    ...started,
    set: async (latency) => void (await ask(latency)),
    asked: async () => (await ask('asked')) as Asked,
    stop: () => child.disconnect(),
  };
}

async function runMeasured(
  folder: string,
  environment: Started['environment'],
  words: readonly string[],
  expected = 0,
): Promise<Cost> {
  const began = performance.now();
  const start = Date.now();
  const child = spawn(process.execPath, ['--import', measure, ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment, ...allocator },
  });
  const ended = once(child, 'close');
  const [out, usage] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  const end = Date.now();
  const seconds = (performance.now() - began) / 1000;
  if (code !== expected) {
    throw new Error(`${words.join(' ')} ended with ${code}: ${usage}`);
  }
  const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(usage) as NodeJS.ResourceUsage;
  const read = out.split('\n').findLast((line) => line.includes('"event":"source.read"'));
  return {
    seconds,
    processor: (userCPUTime + systemCPUTime) / 1_000_000,
    megabytes: maxRSS / 1024,
    ...{ began: start, ended: end, lines: out.split('\n') },
    ...(read === undefined
      ? {}
      : { gathered: (Date.parse((JSON.parse(read) as { time: string }).time) - start) / 1000 }),
  };
}

const nights = ['first night', 'second night', 'partial night', 'healed night', 'rebuilt night'] as const;

interface Measured {
  readonly floor: Cost;
  readonly nights: Readonly<Partial<Record<(typeof nights)[number], Cost>>>;
  readonly asked: Asked;
}

interface Program {
  /** What starts it, before its own words. */
  readonly words: readonly string[];
  readonly isHealed: boolean;
}

/** Each time below a prefix of its own. */
function keepInBucket(settings: string): string {
  return `${settings.replace(/^store:.*\n/m, '')}store: s3://reports/${randomUUID()}\n`;
}

async function measureOnce(program: Program, platforms: Platforms, latency: Latency): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'));
  try {
    await writeFile(join(folder, 'muster.yaml'), values.s3 ? keepInBucket(platforms.settings) : platforms.settings);
    const { environment } = platforms;
    const run = (words: readonly string[], expected?: number) =>
      runMeasured(folder, environment, [...program.words, ...words], expected);
    const [first = '', second = '', last = ''] = [3, 2, 1].map((ago) =>
      new Date(Date.now() - ago * day).toISOString().slice(0, 10),
    );
    await platforms.set({ ...latency, ...(values.s3 && { bucket: 30 }) });
    const measured: Partial<Record<(typeof nights)[number], Cost>> = {};
    measured['first night'] = await run(['run', '--slot', first]);
    const asked = await platforms.asked();
    measured['second night'] = await run(['run', '--slot', second]);
    if (program.isHealed) {
      await platforms.set({ ...latency, isSignInRefused: true });
      measured['partial night'] = await run(['run', '--slot', last], 3);
      await platforms.set(latency);
      measured['healed night'] = await run(['run', '--slot', last]);
      measured['rebuilt night'] = await run(['rebuild', last, '--to', 'rebuilt']);
    }
    await writeFile(join(folder, 'pages.json'), JSON.stringify(asked.pages));
    const floor = await runMeasured(folder, environment, [
      join(import.meta.dirname, 'floor.ts'),
      join(folder, 'pages.json'),
    ]);
    return { floor, nights: measured, asked };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A first and a second night, each as its requests and stages. */
async function showTimelines(program: Program, platforms: Platforms, latency: Latency): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'));
  try {
    await writeFile(join(folder, 'muster.yaml'), platforms.settings);
    const shown: string[] = [];
    for (const [name, ago] of [
      ['First night', 2],
      ['Second night', 1],
    ] as const) {
      await platforms.set(latency);
      const slot = new Date(Date.now() - ago * day).toISOString().slice(0, 10);
      const words = [...program.words, 'run', '--slot', slot];
      const { began = 0, ended = 0, lines = [] } = await runMeasured(folder, platforms.environment, words);
      const { times: requests } = await platforms.asked();
      const files = await listFilesSince(folder, began);
      shown.push(`## ${name}`, '', ...formatTimeline({ began, ended, lines, requests, files }), '');
    }
    return shown;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function findMedian(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function findMedianCost(costs: readonly Cost[]): Cost {
  const of = (read: (cost: Cost) => number) => findMedian(costs.map(read));
  return {
    seconds: of(({ seconds }) => seconds),
    processor: of(({ processor }) => processor),
    megabytes: of(({ megabytes }) => megabytes),
    gathered: of(({ gathered = 0 }) => gathered),
  };
}

const header =
  '| devices | latency | what | seconds | times the floor | gathered | processor, s | ms a device | MB | requests | at once |';

function formatRow(devices: number, latency: Latency, what: string, cost: Cost, floor: Cost, asked?: Asked): string {
  const cells = [
    devices.toLocaleString('en'),
    `${latency.request} + ${latency.row} ms`,
    what,
    cost.seconds.toFixed(2),
    (cost.seconds / floor.seconds).toFixed(2),
    cost.gathered ? cost.gathered.toFixed(2) : '',
    cost.processor.toFixed(2),
    ((1000 * cost.processor) / devices).toFixed(3),
    Math.round(cost.megabytes).toLocaleString('en'),
    asked === undefined ? '' : String(asked.requests),
    asked === undefined ? '' : String(asked.jamfAtOnce),
  ];
  return `| ${cells.join(' | ')} |`;
}

function parseLatency(words: string): Latency {
  const [request = 0, row = 0] = words.split('+').map(Number);
  return { request, row };
}

const { values } = parseArgs({
  options: {
    devices: { type: 'string', default: '1000,10000,100000' },
    latency: { type: 'string', default: '0+0,50+1' },
    runs: { type: 'string', default: '3' },
    heap: { type: 'string' },
    healed: { type: 'boolean', default: false },
    timeline: { type: 'boolean', default: false },
    undated: { type: 'boolean', default: false },
    s3: { type: 'boolean', default: false },
    beside: { type: 'string' },
  },
});
const packaged = await mkdtemp(join(tmpdir(), 'muster-bench-program-'));
await bundle(packaged, commandLineEntry);
const heap = values.heap === undefined ? [] : [`--max-old-space-size=${values.heap}`, '--max-semi-space-size=8'];
const dockerfile = readFileSync(join(import.meta.dirname, '../infra/Dockerfile'), 'utf8');
const allocator: Readonly<Record<string, string | undefined>> =
  values.heap === undefined
    ? {}
    : Object.fromEntries([...dockerfile.matchAll(/\b(MALLOC_\w+)=(\d+)/g)].map(([, name, value]) => [name, value]));
const programs = [packaged, ...(values.beside === undefined ? [] : [values.beside])].map((place) => ({
  place,
  words: [...heap, join(place, 'cli.mjs')],
  isHealed: values.healed,
}));
const print = (line: string) => process.stdout.write(`${line}\n`);
if (!values.timeline) {
  print(header);
  print(header.replaceAll(/[^|]+/g, '---'));
}
for (const devices of values.devices.split(',').map(Number)) {
  const platforms = await startPlatforms(devices);
  for (const latency of values.latency.split(',').map(parseLatency)) {
    // The first of all only fills the simulator's memory.
    await measureOnce({ words: programs[0]?.words ?? [], isHealed: false }, platforms, { request: 0, row: 0 });
    if (values.timeline) {
      for (const program of programs) {
        print(
          `# ${devices} devices, ${latency.request} + ${latency.row} ms${programs.length > 1 ? `, ${program.place}` : ''}`,
        );
        (await showTimelines(program, platforms, latency)).forEach(print);
      }
    } else {
      await printMeasured(devices, platforms, latency);
    }
  }
  platforms.stop();
}
await rm(packaged, { recursive: true });

async function printMeasured(devices: number, platforms: Platforms, latency: Latency): Promise<void> {
  const measured = programs.map((): Measured[] => []);
  for (let run = 0; run < Number(values.runs); run += 1) {
    for (const [index, program] of programs.entries()) {
      measured[index]?.push(await measureOnce(program, platforms, latency));
    }
  }
  const floor = findMedianCost(measured.flat().map((one) => one.floor));
  print(formatRow(devices, latency, 'floor', floor, floor));
  for (const [index, all] of measured.entries()) {
    for (const night of nights) {
      const costs = all.flatMap((one) => one.nights[night] ?? []);
      if (costs.length > 0) {
        const what = index === 0 ? night : `${night}, beside`;
        print(
          formatRow(
            devices,
            latency,
            what,
            findMedianCost(costs),
            floor,
            night === 'first night' ? all[0]?.asked : undefined,
          ),
        );
      }
    }
  }
}
