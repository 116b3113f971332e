/**
 * `muster schedule`: keeps running, runs every night, heals what was not read, and verifies the store once a week.
 * Never two at once; it shuts down gracefully.
 */
import { schedule as cron } from 'node-cron';
import pLimit from 'p-limit';
import { type MusterError, toMusterError } from '../base/errors.ts';
import { createJsonLog, type Log } from '../base/log.ts';
import { loadSettings } from '../compose/load-settings.ts';
import { type PreparedRun, runPreparedNight, withSettingsSignal } from '../compose/start.ts';
import { systemClock } from '../http/clock.ts';
import { logOutcome, logProgress } from '../run/reporting/log-progress.ts';
import { verifyAndReport } from '../run/reporting/with-heartbeat.ts';
import { deriveHealingCron, deriveVerifyCron } from '../settings/schedule/later-starts.ts';
import { findLastSlot, type Slot } from '../settings/schedule/schedule.ts';
import { readCurrentRun } from '../storage/commits/log.ts';
import { type CommandOptions, inSession, waitForSignal } from './console/session.ts';

export async function runOnSchedule(options: CommandOptions): Promise<number> {
  const { settings: given } = options;
  const loading = loadSettings(given, process.env, 'all');
  const { settings } = await withSettingsSignal(loading, { given, environment: process.env });
  const log = createJsonLog((line) => process.stdout.write(line), systemClock.now);
  const { cron: night, timezone, healAfterHours } = settings.schedule;
  const queue = pLimit(1);
  let last = Promise.resolve();
  let isStopping = false;
  // One after the other, with the settings as they are then. A failure ends only the work that failed.
  const add = (work: (session: PreparedRun) => Promise<void>): void => {
    last = queue(async () => {
      if (!isStopping) {
        await inSession(given, { onProgress: logProgress(log), signalsWrongSettings: true }, work);
      }
    }).catch((error: unknown) => {
      const { code, message } = toMusterError(error, 'The run');
      log('error', 'run.failed', { code, message });
    });
  };
  const runLastSlot = (more: Pick<Slot, 'heals'> = {}) =>
    add((session) =>
      runAndLog(session, { ...findLastSlot(session.settings.schedule, systemClock.now()), ...more }, log),
    );
  const heal = () => {
    // A run that is under way does it anyway.
    if (queue.activeCount + queue.pendingCount > 0) {
      log('info', 'healing.skipped', { because: 'another run is under way' });
    } else {
      runLastSlot({ heals: true });
    }
  };

  const nightly = cron(night, () => runLastSlot(), { timezone });
  const verify = () => add(({ parts }) => verifyAndReport(parts, log));
  const verification = cron(deriveVerifyCron(night), verify, { timezone });
  const healing = healAfterHours.map((hours) => cron(deriveHealingCron(night, hours), heal, { timezone }));
  log('info', 'schedule.started', {
    ...settings.schedule,
    next: nightly.getNextRun()?.toISOString(),
    nextVerification: verification.getNextRun()?.toISOString(),
  });
  add((session) => runMissedSlot(session, log));
  await waitForSignal();
  await Promise.all([nightly, verification, ...healing].map((task) => task.destroy()));
  // A run in progress receives the same signal: it stops reading, or finishes publishing.
  isStopping = true;
  await last;
  log('info', 'schedule.stopped');
  return 0;
}

async function runAndLog(session: PreparedRun, slot: Slot, log: Log): Promise<void> {
  const warn = ({ code, message }: MusterError) => log('warn', 'heartbeat.failed', { code, message });
  logOutcome(await runPreparedNight(session, slot, { dryRun: false, warn }), log);
}

/** The machine may have been off at the slot's moment. */
async function runMissedSlot(session: PreparedRun, log: Log): Promise<void> {
  const slot = findLastSlot(session.settings.schedule, systemClock.now());
  // A store that cannot be read is reported by the run.
  const current = await readCurrentRun(session.parts.store).catch(() => undefined);
  if (current !== undefined && current.commit.slot >= slot.slot) {
    log('info', 'slot.published-already', { slot: slot.slot });
    return;
  }
  await runAndLog(session, slot, log);
}
