/** `muster schedule`: stays up and runs every night, never two at once, and stops politely. */
import { schedule as cron } from 'node-cron';
import { loadSettings } from '../compose/load-settings.ts';
import { nightOf } from '../compose/start.ts';
import { asMusterError, type MusterError } from '../errors.ts';
import { systemClock } from '../http/clock.ts';
import { jsonLog } from '../log.ts';
import { loggedProgress, logOutcome } from '../run/log-progress.ts';
import { lastSlot } from '../settings/schedule.ts';
import { openSession } from './session.ts';

export async function schedule(options: { readonly settings?: string }): Promise<number> {
  const { settings } = await loadSettings(options.settings, process.env, true);
  const log = jsonLog((line) => process.stdout.write(line), systemClock.now);
  let running: Promise<void> | undefined;

  // The settings are read anew for every night, so that a change needs no restart.
  const night = async () => {
    const session = await openSession(options.settings, loggedProgress(log));
    try {
      const now = systemClock.now();
      const slot = lastSlot(session.settings.schedule, now);
      const warn = ({ code, message }: MusterError) => log('warn', 'heartbeat.unheard', { code, message });
      logOutcome(await nightOf(session, slot, { began: now, dryRun: false, warn }), log);
    } finally {
      session.close();
    }
  };
  const task = cron(
    settings.schedule.cron,
    () => {
      running = night().catch((error: unknown) => {
        const { code, message } = asMusterError(error, 'The night');
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
  // A night under way hears the same signal: it stops asking, or finishes publishing.
  await running;
  log('info', 'schedule.stopped');
  return 0;
}
