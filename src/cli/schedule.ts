/** `muster schedule`: keeps running and runs every night, never two runs at once, and shuts down gracefully. */
import { schedule as cron } from 'node-cron';
import { loadSettings } from '../compose/load-settings.ts';
import { runPreparedNight } from '../compose/start.ts';
import { type MusterError, toMusterError } from '../errors.ts';
import { systemClock } from '../http/clock.ts';
import { createJsonLog } from '../log.ts';
import { logOutcome, logProgress } from '../run/log-progress.ts';
import { findLastSlot } from '../settings/schedule.ts';
import { openSession } from './session.ts';

export async function runOnSchedule(options: { readonly settings?: string }): Promise<number> {
  const { settings } = await loadSettings(options.settings, process.env, true);
  const log = createJsonLog((line) => process.stdout.write(line), systemClock.now);
  let running: Promise<void> | undefined;

  // The settings are read anew for every run, so that a change needs no restart.
  const run = async () => {
    const session = await openSession(options.settings, logProgress(log));
    try {
      const now = systemClock.now();
      const slot = findLastSlot(session.settings.schedule, now);
      const warn = ({ code, message }: MusterError) => log('warn', 'heartbeat.failed', { code, message });
      logOutcome(await runPreparedNight(session, slot, { began: now, dryRun: false, warn }), log);
    } finally {
      session.close();
    }
  };
  const task = cron(
    settings.schedule.cron,
    () => {
      running = run().catch((error: unknown) => {
        const { code, message } = toMusterError(error, 'The run');
        log('error', 'run.failed', { code, message });
      });
      return running;
    },
    { timezone: settings.schedule.timezone, noOverlap: true },
  );
  log('info', 'schedule.started', { ...settings.schedule, next: task.getNextRun()?.toISOString() });
  await new Promise((resolve) => {
    process.once('SIGINT', resolve).once('SIGTERM', resolve);
  });
  await task.destroy();
  // A run in progress receives the same signal: it stops reading, or finishes publishing.
  await running;
  log('info', 'schedule.stopped');
  return 0;
}
