/** `muster schedule` stays up, runs when its moment comes, heals hours later, and shuts down gracefully. */
import type { ChildProcess } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../simulator/simulator.ts';
import { finished, inFolder, musterHere, startMuster } from './muster.ts';

const hour = 3_600_000;
let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ devices: 20, graph: { exportPolls: 0 } });
});
afterAll(() => simulator.close());

describe('muster schedule', () => {
  it('runs at its moment, once, and ends with 0 on SIGTERM', async () => {
    await inFolder(async (folder) => {
      await publishSlotBefore(folder);
      const { code, errors, events, soon } = await scheduleInTime(folder, 0, '[]');
      expect({ code, errors }).toEqual({ code: 0, errors: '' });
      expect(events[0]).toBe('schedule.started');
      expect(events.filter((event) => event.startsWith('run.'))).toEqual(['run.unchanged', 'run.published']);
      expect(events.at(-1)).toBe('schedule.stopped');
      expect(await readSlot(folder)).toBe(soon.toISOString().slice(0, 10));
    });
  });

  it('at its start runs the last slot where it is not published, and only there', async () => {
    await inFolder(async (folder) => {
      const moment = momentIn(-12 * hour);
      await writeSettings(folder, moment, '[]');
      const first = await runUntil(folder, (event) => event.startsWith('run.'));
      expect(first.events.slice(-2)).toEqual(['run.published', 'schedule.stopped']);
      expect(await readSlot(folder)).toBe(moment.toISOString().slice(0, 10));
      const again = await runUntil(folder, (event) => event.startsWith('run.'));
      expect(again.events).toEqual(['schedule.started', 'run.unchanged', 'schedule.stopped']);
      // The store is verified every Sunday, eight hours after the night.
      const verification = new Date(again.lines[0]?.nextVerification ?? '');
      expect([verification.getUTCDay(), verification.getUTCHours()]).toEqual([0, (moment.getUTCHours() + 8) % 24]);
    });
  });

  it('at its start asks a source again that the last run could not read, also after the last retry of the day', async () => {
    await inFolder(async (folder) => {
      await runOnce(folder, momentIn(-12 * hour), { GRAPH_CLIENT_SECRET: 'wrong' });
      const before = await readLatest(folder);
      const { events } = await runUntil(folder, (event) => event.startsWith('run.'));
      expect(events.filter((event) => event !== 'source.progress')).toEqual([
        'schedule.started',
        'source.read',
        'run.published',
        'schedule.stopped',
      ]);
      expect(await readLatest(folder)).toMatchObject({ slot: before.slot, number: before.number + 1 });
    });
  });

  it('leaves a run alone that is of a later date than its schedule has', async () => {
    await inFolder(async (folder) => {
      await runOnce(folder, momentIn(-2 * hour), {});
      const threeDaysAgo = momentIn(-74 * hour);
      await writeSettings(folder, threeDaysAgo, '[]', `* * ${threeDaysAgo.getUTCDay()}`);
      const { events } = await runUntil(folder, (event) => /^(slot|run)\./.test(event));
      expect(events).toEqual(['schedule.started', 'slot.published-already', 'schedule.stopped']);
    });
  });

  it('so many hours later asks a source again that could not be read, and no other', async () => {
    await inFolder(async (folder) => {
      await runOnce(folder, momentIn(-2 * hour), { GRAPH_CLIENT_SECRET: 'wrong' });
      const before = await readLatest(folder);
      const { events } = await scheduleInTime(
        folder,
        2,
        '[2]',
        (_child, event) => event === 'run.unchanged' && correctSecret(folder),
        { GRAPH_CLIENT_SECRET: 'wrong', CORRECT_SECRET: simulator.environment.GRAPH_CLIENT_SECRET ?? '' },
      );
      expect(events.filter((event) => /^(run|source\.read)/.test(event))).toEqual([
        'source.read',
        'run.unchanged',
        'source.read',
        'run.published',
      ]);
      const { slot, number } = await readLatest(folder);
      expect([slot, number]).toEqual([before.slot, before.number + 1]);
    });
  });

  it('stopped over its moment, runs when it goes on, and its log is JSON alone [W1]', async () => {
    await inFolder(async (folder) => {
      await publishSlotBefore(folder);
      const { code, errors, events, soon } = await scheduleInTime(folder, 0, '[]', (child, event, moment) => {
        if (event === 'run.unchanged') {
          child.kill('SIGSTOP');
          // Longer than the second by which node-cron lets a start be late.
          setTimeout(() => child.kill('SIGCONT'), moment.getTime() + 2_500 - Date.now());
        }
      });
      expect({ code, errors }).toEqual({ code: 0, errors: '' });
      expect(events.filter((event) => event.startsWith('run.'))).toEqual(['run.unchanged', 'run.published']);
      expect(await readSlot(folder)).toBe(soon.toISOString().slice(0, 10));
    });
  });

  it('asleep for hours, with timers that slept too, runs within a minute of waking, and names what it drops [W1]', async () => {
    await inFolder(async (folder) => {
      await publishSlotBefore(folder, 10 * hour);
      // In ten hours, at a second that comes soon.
      const moment = momentIn(10 * hour + 12_000);
      await writeSettings(folder, moment, '[2, 5]');
      const { lines, events } = await runUntil(
        folder,
        (event) => event === 'run.published',
        (child, event) => {
          if (event === 'run.unchanged') {
            child.kill('SIGUSR2');
          }
        },
        { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(wakingLater)}` },
      );
      expect(events.filter((event) => /^(run|start|healing|slots)\./.test(event))).toEqual([
        'run.unchanged',
        'start.late',
        'run.published',
        'healing.skipped',
      ]);
      expect(lines.find(({ event }) => event === 'start.late')).toMatchObject({
        start: 'run',
        due: moment.toISOString(),
      });
      expect(await readSlot(folder)).toBe(moment.toISOString().slice(0, 10));
    });
  });

  it('says at its start on which date clocks skip its hour, and when that run starts [C13]', async () => {
    await inFolder(async (folder) => {
      const schedule = 'schedule: { cron: "30 2 * * *", timezone: Europe/Berlin }\n';
      await writeFile(join(folder, 'muster.yaml'), `${simulator.settings()}${schedule}`);
      const { lines } = await runUntil(folder, (event) => event.startsWith('run.'));
      expect(lines[1]).toMatchObject({ level: 'warn', event: 'start.skipped-hour' });
      expect(lines[1]?.message).toMatch(
        /^Clocks in Europe\/Berlin skip 02:30 on 20\d\d-03-\d\d: .* starts at 03:00\.$/,
      );
    });
  });
});

/** At SIGUSR2, the wall clock is 16 hours later, and no timer has moved: Linux suspends them with the machine. */
const wakingLater = `
  const { Date: RealDate } = globalThis;
  let slept = 0;
  globalThis.Date = class extends RealDate {
    constructor(...given) { super(...(given.length === 0 ? [RealDate.now() + slept] : given)); }
    static now() { return RealDate.now() + slept; }
  };
  process.on('SIGUSR2', () => { slept = ${16 * hour}; });`;

/** Publishes the slot before the one that starts so many milliseconds from now. */
async function publishSlotBefore(folder: string, ahead = 0): Promise<void> {
  const slot = momentIn(ahead - 24 * hour)
    .toISOString()
    .slice(0, 10);
  await runOnce(folder, momentIn(-hour), {}, '--slot', slot);
}

interface LogLine {
  readonly event: string;
  readonly message?: string;
  readonly nextVerification?: string;
}

/** With a moment, or a healing so many hours after it, that comes soon. A process that starts too slowly misses it. */
async function scheduleInTime(
  folder: string,
  hours: number,
  healAfterHours: string,
  onEvent: (child: ChildProcess, event: string, soon: Date) => unknown = () => {},
  more: Readonly<Record<string, string>> = {},
) {
  for (let ahead = 6_000; ; ahead *= 2) {
    const soon = momentIn(ahead);
    await writeSettings(folder, new Date(soon.getTime() - hours * hour), healAfterHours);
    let isLate = false;
    const ended = await runUntil(
      folder,
      (event) => {
        const isBefore = event === 'schedule.started' || event === 'run.unchanged';
        isLate ||= isBefore && Date.now() > soon.getTime() - 1_000;
        return isLate || event === 'run.published';
      },
      (child, event) => isLate || onEvent(child, event, soon),
      more,
    );
    if (!isLate) {
      return { ...ended, soon };
    }
  }
}

/** `muster schedule`, stopped after the event that `isEnd` names. */
async function runUntil(
  folder: string,
  isEnd: (event: string) => boolean,
  onEvent: (child: ChildProcess, event: string) => unknown = () => {},
  more: Readonly<Record<string, string>> = {},
) {
  const child = startMuster(['schedule'], { folder, environment: { ...simulator.environment, ...more } });
  const done = finished(child);
  const lines: LogLine[] = [];
  try {
    for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
      const entry = JSON.parse(line) as LogLine;
      lines.push(entry);
      onEvent(child, entry.event);
      if (isEnd(entry.event)) {
        child.kill('SIGTERM');
      }
    }
  } finally {
    child.kill('SIGKILL');
  }
  return { ...(await done), lines, events: lines.map(({ event }) => event) };
}

async function runOnce(
  folder: string,
  moment: Date,
  environment: Readonly<Record<string, string>>,
  ...words: readonly string[]
) {
  await writeSettings(folder, moment, '[]');
  await musterHere(['run', ...words], { folder, environment: { ...simulator.environment, ...environment } });
}

function momentIn(ahead: number): Date {
  const moment = new Date(Date.now() + ahead);
  moment.setUTCMilliseconds(0);
  return moment;
}

async function writeSettings(folder: string, moment: Date, healAfterHours: string, days = '* * *'): Promise<void> {
  const cron = `${moment.getUTCSeconds()} ${moment.getUTCMinutes()} ${moment.getUTCHours()} ${days}`;
  const schedule = `schedule: { cron: "${cron}", healAfterHours: ${healAfterHours} }\n`;
  await writeFile(join(folder, 'muster.yaml'), `${simulator.settings()}${schedule}`);
}

/** Runs that begin from now on find the right one, in an environment that cannot be changed any more. */
async function correctSecret(folder: string): Promise<void> {
  const file = join(folder, 'muster.yaml');
  const settings = await readFile(file, 'utf8');
  await writeFile(file, settings.replace('env:GRAPH_CLIENT_SECRET', 'env:CORRECT_SECRET'));
}

async function readLatest(folder: string): Promise<{ readonly slot: string; readonly number: number }> {
  return JSON.parse(await readFile(join(folder, 'muster-data', 'latest.json'), 'utf8'));
}

async function readSlot(folder: string): Promise<string> {
  return (await readLatest(folder)).slot;
}
