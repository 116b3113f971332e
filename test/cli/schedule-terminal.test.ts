/** `muster schedule` at a terminal speaks in sentences, of the run that it makes first and of the next one. */
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Simulator, startSimulator } from '../../simulator/simulator.ts';
import { createSentenceConsole } from '../../src/cli/console/schedule-console.ts';
import { needProgram } from '../needs.ts';
import { finished, inFolder, program, programEnvironment } from './muster.ts';

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ devices: 20, graph: { exportPolls: 0 } });
});
afterAll(() => simulator.close());

/** Types Ctrl-C when the screen shows what is waited for. */
async function watchSchedule(folder: string, end: RegExp): Promise<{ code: number | null; screen: string }> {
  const child = spawn('script', ['-qefc', `exec '${process.execPath}' '${program}' schedule`, '/dev/null'], {
    cwd: folder,
    env: { ...programEnvironment, ...simulator.environment, TERM: 'dumb', SHELL: '/bin/sh' },
  });
  let shown = '';
  let isEnding = false;
  child.stdout.on('data', (bytes: Buffer) => {
    shown += bytes.toString('utf8').replaceAll('\r', '');
    if (!isEnding && end.test(shown)) {
      isEnding = true;
      child.stdin.write('\u0003');
    }
  });
  const { code } = await finished(child);
  return { code, screen: shown };
}

it('says which run it makes, for which time, what came of it, and when it runs next', async ({ skip }) => {
  needProgram(skip, 'script');
  await inFolder(async (folder) => {
    await writeFile(join(folder, 'muster.yaml'), `${simulator.settings()}schedule: { timezone: Europe/London }\n`);
    const next = /Next run: \d{4}-\d\d-\d\d 05:15 \(Europe\/London\)\n/;
    const first = await watchSchedule(folder, new RegExp(`Reports: [\\s\\S]*${next.source}`));
    expect(first.screen).toMatch(
      new RegExp(
        `^Runs start by "15 5 \\* \\* \\*" in Europe/London, and what could not be read is asked again 2 and 5 hours later\\..*\\n${next.source}`,
      ),
    );
    expect(first.screen).toMatch(
      /\nRunning for \d{4}-\d\d-\d\d, which was due at \d{4}-\d\d-\d\d 05:15 \(Europe\/London\):\n/,
    );
    expect(first.screen).toMatch(/% have the agent[\s\S]*\nReports: /);
    expect(first.screen).not.toContain('{"');
    expect([first.code, first.screen]).toEqual([0, expect.stringMatching(/Stopped\.\n$/)]);

    const again = await watchSchedule(folder, /no platform was asked/);
    expect(again.screen).toMatch(
      new RegExp(
        `\\n${next.source}\\nThe run of \\S+ is published\\. Whatever it could not read or finish is tried again:\\n`,
      ),
    );
  });
});

it('has a sentence for each thing that happens to a schedule', () => {
  const schedule = { cron: '15 5 * * *', timezone: 'UTC', healAfterHours: [] };
  const due = new Date('2026-11-28T05:15:00Z');
  const { log } = createSentenceConsole(schedule);
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  log('info', 'schedule.started', { ...schedule });
  log('warn', 'start.late', { start: 'run', due, because: 'the process slept, was paused or was busy' });
  log('warn', 'start.late', { start: 'healing', due, because: 'the process slept, was paused or was busy' });
  log('warn', 'slots.missed', { count: 1, newest: ['2026-11-27'], because: '2026-11-28 came due too' });
  log('info', 'healing.skipped', { count: 1, newest: [due], because: 'a later run does their work' });
  log('info', 'verify.ended', { nights: 3, files: 60, damaged: 1 });
  log('error', 'verify.damaged', { code: 'store-damaged', sentence: 'latest/devices.csv is damaged.' });
  log('error', 'run.failed', { code: 'deadline', message: 'The platforms took too long.' });
  const shown = write.mock.calls.map(([text]) => String(text)).join('');
  write.mockRestore();
  expect(shown.replace(/\nNext run: \S+ 05:15 \(UTC\)/g, '')).toBe(
    [
      'Runs start by "15 5 * * *" in UTC. The store is verified every Sunday. Ctrl-C stops.',
      'A start (run) was due at 2026-11-28 05:15 (UTC) and is made now: the process slept, was paused or was busy.',
      'A start (retry) was due at 2026-11-28 05:15 (UTC) and is made now: the process slept, was paused or was busy.',
      'No run is made for 1 earlier date (2026-11-27): 2026-11-28 came due too.',
      'Verified 3 runs with 60 files: 1 damaged or missing.',
      'Error: latest/devices.csv is damaged.',
      'Error: The platforms took too long.',
      '',
    ].join('\n'),
  );
});
