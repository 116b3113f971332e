/** `muster demo`: runs nights against simulated platforms whose devices change. Real HTTP, real files, no waiting. */

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Simulator, startSimulator } from '../../../simulator/simulator.ts';
import { command } from '../../base/command.ts';
import { MusterError } from '../../base/errors.ts';
import { loadSettings } from '../../compose/load-settings.ts';
import { composeParts } from '../../compose/parts.ts';
import { createSecretReader } from '../../compose/secrets.ts';
import { defaultSchedule } from '../../compose/settings-schema.ts';
import { runPreparedNight } from '../../compose/start.ts';
import type { Night } from '../../core/facts/judged.ts';
import type { Coverage } from '../../core/facts/state.ts';
import { isWhole } from '../../core/facts/vocabulary.ts';
import { computeInterval } from '../../core/source/coverage.ts';
import { splitFirstSentence } from '../../core/text/first-sentence.ts';
import { formatCount } from '../../core/text/format-count.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import { millisecondsPerDay } from '../../core/time/calendar.ts';
import { type Clock, systemClock } from '../../http/clock.ts';
import { toPrintableText } from '../../reports/cell.ts';
import type { RunOutcome } from '../../run/outcome.ts';
import { findLastSlot, type Slot } from '../../settings/schedule/schedule.ts';
import { printLines } from '../console/session.ts';
import { formatSummary } from '../console/summary.ts';
import { cutOffListNight, fileSettings, staleListNight, writeExemptions, writeLists } from './demo-files.ts';

const demoFolder = 'muster-demo';
const settingsFile = join(demoFolder, 'muster.yaml');
/** Milliseconds that a night waits for a failing platform; the simulated failures last all night. */
const demoPatience = 60_000;
const settingsHeader = '# Made by muster demo; made anew each time it runs.\n';

/** Incidents besides the devices' usual changes, by night; the slowest to heal come first, so that the last night is good. */
const incidents: Readonly<Record<number, readonly [description: string, happen: (simulator: Simulator) => void]>> = {
  1: ['somebody disabled the attribute', (simulator) => simulator.setFaults(['jamf/attribute-disabled:lasting'])],
  2: ['and enabled it again', (simulator) => simulator.setFaults([])],
  3: ['Jamf Pro cannot render three Macs', (simulator) => simulator.setFaults(['jamf/record-500=3:lasting'])],
  4: ['their records are repaired', (simulator) => simulator.setFaults([])],
  5: ['Microsoft Graph is down', (simulator) => simulator.setFaults(['graph/down:lasting'])],
  6: ['it is back', (simulator) => simulator.setFaults([])],
  [staleListNight]: ['nobody exported the console’s list for three days', () => undefined],
  8: ['Jamf Pro suddenly lists a third fewer Macs', (simulator) => simulator.removeShareOfDevices(35, 'macs')],
  9: ['they are back', (simulator) => simulator.restoreDevices()],
  10: ['a packager updates the Windows app: a new app of the same name', (simulator) => simulator.updateApp()],
  [cutOffListNight]: ['the list of machines is cut off', () => undefined],
};

export async function runDemo({ nights, devices }: Readonly<Record<'nights' | 'devices', number>>): Promise<number> {
  await clearDemoFolder();
  const began = systemClock.elapsed();
  const slots = listSlotsUpTo(findLastSlot(defaultSchedule, systemClock.now()), nights);
  const simulator = await startSimulator({ devices, moment: slots[0]?.moment ?? systemClock.now() });
  try {
    printLines([
      `${formatCount(devices)} made-up ${pluralize(devices, 'device')}, ${nights} ${pluralize(nights, 'night')}, two simulated platforms on this machine.`,
      '',
    ]);
    // An updated app is a new object; its name finds both.
    const shown = simulator.settings().replace(/app: [\w-]+$/m, 'app: Endpoint agent');
    await writeExemptions(demoFolder, simulator, slots.at(-1)?.slot ?? '');
    const yaml = settingsHeader + shown.replace('./muster-data', '.') + fileSettings;
    await writeFile(settingsFile, yaml);
    const { settings, folder } = await loadSettings(settingsFile, simulator.environment, 'all');
    let last: RunOutcome | undefined;
    for (const [index, slot] of slots.entries()) {
      const [incident, happen] = incidents[index] ?? [];
      simulator.setMoment(slot.moment);
      happen?.(simulator);
      await writeLists(demoFolder, simulator, slot.moment, index);
      const parts = await composeParts(settings, {
        secret: createSecretReader(simulator.environment),
        folder,
        clock: createFastClock(slot.moment),
        signal: new AbortController().signal,
        patience: demoPatience,
      });
      last = await runPreparedNight({ settings, folder, parts }, slot, { dryRun: false });
      printLines(formatRunLines(last, slot, incident));
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
    await simulator.close();
  }
}

function formatRunLines({ night, exit }: RunOutcome, { slot }: Slot, incident: string | undefined): string[] {
  const all = night?.coverage.at(-1);
  if (night === undefined || all === undefined) {
    return [`${slot}  exit ${exit}`];
  }
  const { coverage, low, high } = computeInterval(all);
  const figures = `${coverage.padStart(6)} % (${low}–${high})  ${formatCount(all.notInstalled).padStart(5)} ${pluralize(all.notInstalled, 'needs', 'need')} action`;
  return [
    ...(incident === undefined ? [] : [`            (${incident})`]),
    `${slot}  ${figures}  ${summarizeChanges(night, all)}`,
    ...formatProblems(night),
  ];
}

function summarizeChanges({ sources }: Night, { soundness, lost, recovered, joined, left }: Coverage): string {
  if (sources.every(({ first }) => first)) {
    return 'first run';
  }
  return isWhole(soundness)
    ? `${lost} lost, ${recovered} recovered, ${joined} joined, ${left} left`
    : 'not complete and sound';
}

/** Without the advice, which is for a real run. */
function formatProblems(night: Night): string[] {
  const lists = Object.entries(night.lists).map(([list, judged]) => ({ name: `lists.${list}`, ...judged }));
  return [...night.sources, ...lists].flatMap(({ name, soundness, problem }) =>
    problem === undefined
      ? []
      : [`            ${name} ${soundness}: ${splitFirstSentence(toPrintableText(problem.message))[0]}`],
  );
}

function formatNextSteps(nights: number, seconds: string): string[] {
  return [
    `${nights} ${pluralize(nights, 'run')} in ${seconds} s. Files to open:`,
    `  ${demoFolder}/latest/not-installed.csv   the devices that need action, longest missing first`,
    `  ${demoFolder}/latest/coverage.csv        coverage, its interval, and the data quality by source`,
    `  ${demoFolder}/latest/groups.csv          who is in which group, beside Jamf Pro's own groups`,
    `  ${demoFolder}/changes/                   what changed, run by run`,
    `Check every byte:  ${command} verify --settings ${demoFolder}/muster.yaml`,
    `Open the page:     ${command} open --settings ${demoFolder}/muster.yaml`,
    `  ${resolve(demoFolder, 'latest', 'index.html')}`,
  ];
}

/** The last `count` slots of the default schedule, which runs once a day, oldest first. */
function listSlotsUpTo({ moment: last }: Slot, count: number): Slot[] {
  return Array.from({ length: count }, (_, index) => {
    const moment = new Date(last.getTime() - (count - 1 - index) * millisecondsPerDay);
    return { slot: moment.toISOString().slice(0, 10), moment };
  });
}

/** A clock of the simulated night: waits pass almost at once, and count in full. */
function createFastClock(moment: Date): Clock {
  const started = systemClock.elapsed();
  let skipped = 0;
  const elapsed = () => systemClock.elapsed() + skipped;
  return {
    now: () => new Date(moment.getTime() + (elapsed() - started)),
    elapsed,
    async sleep(milliseconds, signal) {
      const shown = Math.min(milliseconds / 50, 100);
      await systemClock.sleep(shown, signal);
      skipped += milliseconds - shown;
    },
  };
}

/** Removes the files of an earlier demo, and nothing else. */
async function clearDemoFolder(): Promise<void> {
  const settings = await readFile(settingsFile, 'utf8').catch(() => '');
  if (settings.startsWith(settingsHeader)) {
    await rm(demoFolder, { recursive: true });
  }
  await mkdir(demoFolder, { recursive: true });
  if ((await readdir(demoFolder)).length > 0) {
    throw new MusterError(
      'store-unsuited',
      `The demo did not start: the folder ${demoFolder} contains files that no demo made. Move them, or start in another folder.`,
    );
  }
}
