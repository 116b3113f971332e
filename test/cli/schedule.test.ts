/** `muster schedule` stays up, runs when its moment comes, heals hours later, and shuts down gracefully. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../simulator/sandbox.ts';
import { finished, inFolder, musterHere, startMuster } from './muster.ts';

const hour = 3_600_000;
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ devices: 20, graph: { exportPolls: 0 } });
});
afterAll(() => sandbox.close());

describe('muster schedule', () => {
  it('runs at its moment, once, and ends with 0 on SIGTERM', async () => {
    await inFolder(async (folder) => {
      const yesterday = momentIn(-24 * hour)
        .toISOString()
        .slice(0, 10);
      await runOnce(folder, momentIn(-hour), {}, '--slot', yesterday);
      const { code, errors, events, soon } = await scheduleInTime(folder, 0, '[]');
      expect({ code, errors }).toEqual({ code: 0, errors: '' });
      expect(events[0]).toBe('schedule.started');
      expect(events.filter((event) => event.startsWith('run.'))).toEqual(['run.published']);
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
      const again = await runUntil(folder, (event) => event.startsWith('slot.'));
      expect(again.events).toEqual(['schedule.started', 'slot.published-already', 'schedule.stopped']);
      // The store is verified every Sunday, eight hours after the night.
      const verification = new Date(again.lines[0]?.nextVerification ?? '');
      expect([verification.getUTCDay(), verification.getUTCHours()]).toEqual([0, (moment.getUTCHours() + 8) % 24]);
    });
  });

  it('so many hours later asks a source again that could not be read, and no other', async () => {
    await inFolder(async (folder) => {
      await runOnce(folder, momentIn(-2 * hour), { GRAPH_CLIENT_SECRET: 'wrong' });
      const before = await readLatest(folder);
      const { events } = await scheduleInTime(folder, 2, '[2]');
      expect(events.filter((event) => /^(run|source\.read)/.test(event))).toEqual(['source.read', 'run.published']);
      const { slot, number } = await readLatest(folder);
      expect([slot, number]).toEqual([before.slot, before.number + 1]);
    });
  });
});

interface LogLine {
  readonly event: string;
  readonly nextVerification?: string;
}

/** With a moment, or a healing so many hours after it, that comes soon. A process that starts too slowly misses it. */
async function scheduleInTime(folder: string, hours: number, healAfterHours: string) {
  for (let ahead = 6_000; ; ahead *= 2) {
    const soon = momentIn(ahead);
    await writeSettings(folder, new Date(soon.getTime() - hours * hour), healAfterHours);
    let isLate = false;
    const ended = await runUntil(folder, (event) => {
      isLate ||= event === 'schedule.started' && Date.now() > soon.getTime() - 1_000;
      // The slot is still looked at that may have been missed.
      isLate ||= event === 'healing.skipped';
      return isLate || event.startsWith('run.');
    });
    if (!isLate) {
      return { ...ended, soon };
    }
  }
}

/** `muster schedule`, stopped after the event that `isEnd` names. */
async function runUntil(folder: string, isEnd: (event: string) => boolean) {
  const child = startMuster(['schedule'], { folder, environment: sandbox.environment });
  const done = finished(child);
  const lines: LogLine[] = [];
  try {
    for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
      const entry = JSON.parse(line) as LogLine;
      lines.push(entry);
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
  await musterHere(['run', ...words], { folder, environment: { ...sandbox.environment, ...environment } });
}

function momentIn(ahead: number): Date {
  const moment = new Date(Date.now() + ahead);
  moment.setUTCMilliseconds(0);
  return moment;
}

async function writeSettings(folder: string, moment: Date, healAfterHours: string): Promise<void> {
  const cron = `${moment.getUTCSeconds()} ${moment.getUTCMinutes()} ${moment.getUTCHours()} * * *`;
  const schedule = `schedule: { cron: "${cron}", healAfterHours: ${healAfterHours} }\n`;
  await writeFile(join(folder, 'muster.yaml'), `${sandbox.settings()}${schedule}`);
}

async function readLatest(folder: string): Promise<{ readonly slot: string; readonly number: number }> {
  return JSON.parse(await readFile(join(folder, 'muster-data', 'latest.json'), 'utf8'));
}

async function readSlot(folder: string): Promise<string> {
  return (await readLatest(folder)).slot;
}
