/** `muster schedule` stays up, runs when its moment comes, and stops politely. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { finished, inFolder, startMuster } from './muster.ts';

describe('muster schedule', () => {
  it('runs at its moment, once, and ends with 0 on SIGTERM', async () => {
    await inFolder(async (folder) => {
      const sandbox = await startSandbox({ devices: 20, graph: { exportPolls: 0 } });
      // Far enough ahead for a process to start; the seconds' field keeps it at once a date.
      const soon = new Date(Date.now() + 6_000);
      const cron = `${soon.getUTCSeconds()} ${soon.getUTCMinutes()} ${soon.getUTCHours()} * * *`;
      await writeFile(join(folder, 'muster.yaml'), `${sandbox.settings()}schedule: { cron: "${cron}" }\n`);
      const child = startMuster(['schedule'], { folder, environment: sandbox.environment });
      const done = finished(child);
      const events: string[] = [];
      try {
        for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
          const { event } = JSON.parse(line) as { event: string };
          events.push(event);
          if (event.startsWith('run.')) child.kill('SIGTERM');
        }
      } finally {
        child.kill('SIGKILL');
        await sandbox.close();
      }

      const { code, errors } = await done;

      expect({ code, errors }).toEqual({ code: 0, errors: '' });
      expect(events[0]).toBe('schedule.started');
      expect(events.slice(-2)).toEqual(['run.published', 'schedule.stopped']);
      const pointer = JSON.parse(await readFile(join(folder, 'muster-data', 'latest.json'), 'utf8'));
      expect(pointer.slot).toBe(soon.toISOString().slice(0, 10));
    });
  });
});
