/** `muster demo`: nights against simulated platforms, with a life of their own. Real HTTP, real files, no waiting. */

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { composeParts } from '../compose/parts.ts';
import { createSettingsError, readSettings } from '../compose/read-settings.ts';
import { createSecretReader } from '../compose/secrets.ts';
import { computeInterval } from '../core/coverage.ts';
import type { Night } from '../core/judged.ts';
import { pluralize } from '../core/pluralize.ts';
import { MusterError } from '../errors.ts';
import { type Clock, systemClock } from '../http/clock.ts';
import { type RunOutcome, runNight } from '../night.ts';
import { toPrintableText } from '../reports/cell.ts';
import { readRunContext } from '../run/run-context.ts';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import { findLastSlot, findMoment, type Slot } from '../settings/schedule.ts';
import { formatNumber, formatSummary } from './summary.ts';

export interface DemoOptions {
  readonly nights: number;
  readonly devices: number;
}

const demoFolder = 'muster-demo';
const settingsHeader = '# Made by muster demo; made anew each time it runs.\n';

/** What happens besides a fleet's ordinary life, by night. */
const incidents: ReadonlyMap<number, { readonly told: string; readonly happen: (sandbox: Sandbox) => void }> = new Map([
  [4, { told: 'Microsoft Graph is down', happen: (sandbox) => sandbox.setFaults(['graph/down:lasting']) }],
  [5, { told: 'it is back', happen: (sandbox) => sandbox.setFaults([]) }],
  [
    7,
    {
      told: 'Jamf Pro suddenly lists a third fewer Macs',
      happen: (sandbox) => sandbox.removeShareOfDevices(35, 'macs'),
    },
  ],
  [8, { told: 'they are back', happen: (sandbox) => sandbox.restoreDevices() }],
  [
    10,
    {
      told: 'somebody renamed the attribute',
      happen: (sandbox) => sandbox.setFaults(['jamf/attribute-renamed:lasting']),
    },
  ],
  [11, { told: 'and named it back', happen: (sandbox) => sandbox.setFaults([]) }],
]);

export async function runDemo({ nights, devices }: DemoOptions): Promise<number> {
  await clearDemoFolder();
  const began = systemClock.elapsed();
  const schedule = { cron: '15 5 * * *', timezone: 'UTC' };
  const slots = listSlotsUpTo(findLastSlot(schedule, systemClock.now()), nights, schedule);
  const sandbox = await startSandbox({ devices, moment: slots[0]?.moment ?? systemClock.now() });
  try {
    printLines([
      `${formatNumber(devices)} made-up ${pluralize(devices, 'device')}, ${nights} ${pluralize(nights, 'night')}, two simulated platforms on this machine.`,
      '',
    ]);
    const yaml = settingsHeader + sandbox.settings().replace('./muster-data', '.');
    await writeFile(join(demoFolder, 'muster.yaml'), yaml);
    const { settings, problems } = readSettings(yaml, sandbox.environment);
    if (settings === undefined) {
      throw createSettingsError(join(demoFolder, 'muster.yaml'), problems);
    }
    let last: RunOutcome | undefined;
    for (const [index, slot] of slots.entries()) {
      const incident = incidents.get(index);
      sandbox.setMoment(slot.moment);
      incident?.happen(sandbox);
      const parts = await composeParts(settings, {
        secret: createSecretReader(sandbox.environment),
        folder: resolve(demoFolder),
        clock: createFastClock(slot.moment),
        signal: new AbortController().signal,
      });
      await parts.store.probe();
      last = await runNight({ ...slot, readRunContext: () => readRunContext(settings, resolve(demoFolder)) }, parts);
      printLines(formatNightLines(last, slot, incident?.told));
    }
    const seconds = ((systemClock.elapsed() - began) / 1000).toFixed(0);
    printLines([
      '',
      ...(last?.night === undefined ? [] : formatSummary(last.night)),
      '',
      ...formatNextSteps(nights, seconds),
    ]);
    return 0;
  } finally {
    await sandbox.close();
  }
}

function formatNightLines({ night, exit }: RunOutcome, { slot }: Slot, incident: string | undefined): string[] {
  if (night === undefined) {
    return [`${slot}  exit ${exit}`];
  }
  const told = incident === undefined ? [] : [`            (${incident})`];
  const all = night.coverage.at(-1);
  if (all === undefined) {
    return told;
  }
  const { coverage, low, high } = computeInterval(all);
  const figures = `${coverage.padStart(6)} % (${low}–${high})  ${formatNumber(all.notInstalled).padStart(5)} to chase`;
  return [...told, `${slot}  ${figures}  ${summarizeChanges(night)}`, ...formatProblems(night)];
}

function summarizeChanges(night: Night): string {
  const all = night.coverage.at(-1);
  if (night.sources.every(({ first }) => first)) {
    return 'first night: the baseline';
  }
  if (all?.soundness !== 'complete') {
    return 'not complete';
  }
  return `${all.lost} lost, ${all.recovered} recovered, ${all.joined} joined, ${all.left} left`;
}

function formatProblems(night: Night): string[] {
  return night.sources.flatMap(({ name, soundness, problem }) =>
    problem === undefined
      ? []
      : [`            ${name} ${soundness}: ${extractFirstSentence(toPrintableText(problem.message))}`],
  );
}

/** The advice that follows it is for a real night. */
function extractFirstSentence(text: string): string {
  return `${text.split(/\. (?=[A-Z])/)[0]?.replace(/\.$/, '')}.`;
}

function formatNextSteps(nights: number, seconds: string): string[] {
  return [
    `${nights} ${pluralize(nights, 'night')} in ${seconds} s. Where to look:`,
    `  ${demoFolder}/latest/not-installed.csv   whom to chase, longest missing first`,
    `  ${demoFolder}/latest/coverage.csv        the number, its interval, and what each source was worth`,
    `  ${demoFolder}/latest/groups.csv          who is in which group, and where Jamf Pro's own groups disagree`,
    `  ${demoFolder}/changes/                   what changed, night by night`,
    `Check every byte:  npm run muster -- verify --settings ${demoFolder}/muster.yaml`,
    `See it:            npm run muster -- open --settings ${demoFolder}/muster.yaml`,
    `  ${resolve(demoFolder, 'latest', 'index.html')}`,
  ];
}

/** The last `count` nights, oldest first. */
function listSlotsUpTo(last: Slot, count: number, schedule: { cron: string; timezone: string }): Slot[] {
  const slots: Slot[] = [];
  for (let back = count - 1; back >= 0; back -= 1) {
    const slot = new Date(last.moment.getTime() - back * 86_400_000).toISOString().slice(0, 10);
    const moment = findMoment(schedule, slot);
    if (moment) {
      slots.push({ slot, moment });
    }
  }
  return slots;
}

/** The night's own time, and waits that take no time worth mentioning. */
function createFastClock(moment: Date): Clock {
  const started = systemClock.elapsed();
  return {
    now: () => new Date(moment.getTime() + (systemClock.elapsed() - started)),
    elapsed: systemClock.elapsed,
    sleep: (milliseconds, signal) => systemClock.sleep(Math.min(milliseconds / 50, 100), signal),
  };
}

/** Only what an earlier demo made is removed. */
async function clearDemoFolder(): Promise<void> {
  await mkdir(demoFolder, { recursive: true });
  const settings = await readFile(join(demoFolder, 'muster.yaml'), 'utf8').catch(() => '');
  if (settings.startsWith(settingsHeader)) {
    await rm(demoFolder, { recursive: true });
  } else if ((await readdir(demoFolder)).length > 0) {
    throw new MusterError(
      'store-unsuited',
      `The folder ${demoFolder} holds something that no demo made. Move it away, or start elsewhere.`,
    );
  }
  await mkdir(demoFolder, { recursive: true });
}

function printLines(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
