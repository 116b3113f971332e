/** `muster schedule` stays up, runs when its moment comes, and shuts down gracefully. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { finished, inFolder, startMuster } from './muster.ts';

describe('muster schedule', () => {
  it('runs at its moment, once, and ends with 0 on SIGTERM', async () => {
    await inFolder(async (folder) => {
      const sandbox = await startSandbox({ devices: 20, graph: { exportPolls: 0 } });
      try {
        let run = await runScheduled(folder, sandbox, 6_000);
        // A process that starts too slowly has missed its moment, and the next is tomorrow.
        for (let ahead = 12_000; run.isLate; ahead *= 2) {
          run = await runScheduled(folder, sandbox, ahead);
        }
        const { code, errors, events, soon } = run;

        expect({ code, errors }).toEqual({ code: 0, errors: '' });
        expect(events[0]).toBe('schedule.started');
        expect(events.slice(-2)).toEqual(['run.published', 'schedule.stopped']);
        const pointer = JSON.parse(await readFile(join(folder, 'muster-data', 'latest.json'), 'utf8'));
        expect(pointer.slot).toBe(soon.toISOString().slice(0, 10));
      } finally {
        await sandbox.close();
      }
    });
  });
});

interface LogLine {
  readonly event: string;
  readonly next?: string;
}

/** `muster schedule`, whose moment comes so many milliseconds from now; it is stopped after its run. */
async function runScheduled(folder: string, sandbox: Sandbox, ahead: number) {
  const soon = new Date(Date.now() + ahead);
  soon.setUTCMilliseconds(0);
  const cron = `${soon.getUTCSeconds()} ${soon.getUTCMinutes()} ${soon.getUTCHours()} * * *`;
  await writeFile(join(folder, 'muster.yaml'), `${sandbox.settings()}schedule: { cron: "${cron}" }\n`);
  const child = startMuster(['schedule'], { folder, environment: sandbox.environment });
  const done = finished(child);
  const events: string[] = [];
  let isLate = false;
  try {
    for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
      const { event, next } = JSON.parse(line) as LogLine;
      events.push(event);
      if (event === 'schedule.started') {
        isLate = next !== soon.toISOString();
      }
      if (isLate || event.startsWith('run.')) {
        child.kill('SIGTERM');
      }
    }
  } finally {
    child.kill('SIGKILL');
  }
  return { ...(await done), events, soon, isLate };
}
