/**
 * How a night grows with the fleet: `node bench/night.ts [devices...]`. The simulated platforms run in a process of
 * their own; each size has a first night and one with a baseline. Some seconds of every night are the wait for the
 * export job, so the processor's time says more about Muster than the clock's does.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

interface Figures {
  readonly night: string;
  readonly devices: number;
  readonly seconds: number;
  readonly processor: number;
  readonly megabytes: number;
}

const program = join(import.meta.dirname, '../src/cli.ts');
/** Printed by the measured process itself when it ends. */
const measure = `data:text/javascript,process.on('exit',()=>process.stderr.write(JSON.stringify(process.resourceUsage())))`;
const day = 86_400_000;

function start(folder: string, environment: Readonly<Record<string, string>>, ...words: string[]) {
  const child = spawn(process.execPath, ['--import', measure, program, ...words], {
    cwd: folder,
    env: { ...process.env, ...environment },
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, ended };
}

async function settingsOf(child: ReturnType<typeof start>['child'], folder: string) {
  child.stdout.setEncoding('utf8');
  let settings = '';
  for await (const piece of child.stdout) {
    settings += String(piece);
    if (settings.includes('groups: [')) {
      break;
    }
  }
  await writeFile(join(folder, 'muster.yaml'), settings);
  return Object.fromEntries([...settings.matchAll(/^# export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
}

async function night(folder: string, environment: Readonly<Record<string, string>>, devices: number, slot: string[]) {
  const began = performance.now();
  const { child, ended } = start(folder, environment, 'run', ...slot);
  const [, usage] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const exit = await ended;
  if (exit !== 0) {
    throw new Error(`A night of ${devices} devices ended with ${exit}: ${usage}`);
  }
  const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(usage) as NodeJS.ResourceUsage;
  return {
    devices,
    seconds: (performance.now() - began) / 1000,
    processor: (userCPUTime + systemCPUTime) / 1_000_000,
    megabytes: maxRSS / 1024,
  };
}

async function nightsOf(devices: number): Promise<Figures[]> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'));
  let platforms: ChildProcess | undefined;
  try {
    const { child } = start(folder, {}, 'sandbox', '--devices', String(devices));
    platforms = child;
    const environment = await settingsOf(child, folder);
    const yesterday = new Date(Date.now() - 2 * day).toISOString().slice(0, 10);
    const first = await night(folder, environment, devices, ['--slot', yesterday]);
    const second = await night(folder, environment, devices, []);
    return [
      { night: 'first', ...first },
      { night: 'second', ...second },
    ];
  } finally {
    platforms?.kill();
    await rm(folder, { recursive: true });
  }
}

function line(figures: Figures, least: Figures): string {
  const { night: name, devices, seconds, processor, megabytes } = figures;
  const ratio = (value: number, one: number) => `×${(value / one).toFixed(1)}`.padStart(7);
  return [
    name.padEnd(7),
    devices.toLocaleString('en').padStart(9),
    ratio(devices, least.devices),
    seconds.toFixed(1).padStart(9),
    processor.toFixed(1).padStart(9),
    ratio(processor, least.processor),
    Math.round(devices / processor)
      .toLocaleString('en')
      .padStart(9),
    Math.round(megabytes).toLocaleString('en').padStart(7),
    ratio(megabytes, least.megabytes),
  ].join(' ');
}

const sizes = process.argv.slice(2).map(Number);
const least = new Map<string, Figures>();
process.stdout.write('night     devices           seconds processor           rows/s      MB\n');
for (const devices of sizes.length > 0 ? sizes : [1_000, 10_000, 100_000]) {
  for (const figures of await nightsOf(devices)) {
    if (!least.has(figures.night)) {
      least.set(figures.night, figures);
    }
    process.stdout.write(`${line(figures, least.get(figures.night) ?? figures)}\n`);
  }
}
