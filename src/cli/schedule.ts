/**
 * `muster schedule`: keeps running, runs every night, heals what was not read, and verifies the store once a week.
 * Never two at once; it shuts down gracefully.
 */
import { schedule as cron } from 'node-cron';
import { type MusterError, toMusterError } from '../base/errors.ts';
import { createJsonLog, type Log } from '../base/log.ts';
import { loadSettings } from '../compose/load-settings.ts';
import { runPreparedNight, signalWrongSettings } from '../compose/start.ts';
import { systemClock } from '../http/clock.ts';
import { logOutcome, logProgress } from '../run/reporting/log-progress.ts';
import { verifyAndReport } from '../run/reporting/with-heartbeat.ts';
import { deriveHealingCron, deriveVerifyCron } from '../settings/schedule/later-starts.ts';
import { findLastSlot, type Slot } from '../settings/schedule/schedule.ts';
import { readCurrentRun } from '../storage/commits/log.ts';
import { inSession, type Session } from './console/session.ts';

interface ScheduleOptions {
  readonly settings?: string;
}

export async function runOnSchedule(options: ScheduleOptions): Promise<number> {
  const { settings } = await loadSettings(options.settings, process.env, true).catch(async (error: unknown) => {
    await signalWrongSettings(error, options.settings, process.env);
    throw error;
  });
  const log = createJsonLog((line) => process.stdout.write(line), systemClock.now);
  const { cron: night, timezone, healAfterHours } = settings.schedule;
  const queue = createQueue(log);
  // The settings are read anew for every run, so that a change needs no restart.
  const work = (how: (session: Session) => Promise<void>) => () =>
    inSession(options.settings, { onProgress: logProgress(log), signalsWrongSettings: true }, how);
  const runLastSlot = (more: Pick<Slot, 'heals'> = {}) =>
    work((session) =>
      runAndLog(session, { ...findLastSlot(session.settings.schedule, systemClock.now()), ...more }, log),
    );

  const nightly = cron(night, () => queue.add(runLastSlot()), { timezone });
  const verification = cron(
    deriveVerifyCron(night),
    () => queue.add(work(({ parts }) => verifyAndReport(parts, log))),
    { timezone },
  );
  const tasks = [
    nightly,
    verification,
    ...healAfterHours.map((hours) =>
      cron(deriveHealingCron(night, hours), () => queue.addIfIdle('healing', runLastSlot({ heals: true })), {
        timezone,
      }),
    ),
  ];
  log('info', 'schedule.started', {
    ...settings.schedule,
    next: nightly.getNextRun()?.toISOString(),
    nextVerification: verification.getNextRun()?.toISOString(),
  });
  queue.add(work((session) => runMissedSlot(session, log)));
  await new Promise((resolve) => {
    process.once('SIGINT', resolve).once('SIGTERM', resolve);
  });
  await Promise.all(tasks.map((task) => task.destroy()));
  // A run in progress receives the same signal: it stops reading, or finishes publishing.
  await queue.close();
  log('info', 'schedule.stopped');
  return 0;
}

type Work = () => Promise<void>;

/** One after the other; a failure ends only the work that failed. */
function createQueue(log: Log) {
  let last = Promise.resolve();
  let waiting = 0;
  let isClosed = false;
  const add = (work: Work): void => {
    waiting += 1;
    last = last
      .then(() => (isClosed ? undefined : work()))
      .catch((error: unknown) => {
        const { code, message } = toMusterError(error, 'The run');
        log('error', 'run.failed', { code, message });
      })
      .finally(() => {
        waiting -= 1;
      });
  };
  return {
    add,
    /** Leaves the work out while a run is under way, which does it anyway. */
    addIfIdle(what: string, work: Work) {
      if (waiting > 0) {
        log('info', `${what}.skipped`, { because: 'another run is under way' });
      } else {
        add(work);
      }
    },
    close(): Promise<void> {
      isClosed = true;
      return last;
    },
  };
}

async function runAndLog(session: Session, slot: Slot, log: Log): Promise<void> {
  const warn = ({ code, message }: MusterError) => log('warn', 'heartbeat.failed', { code, message });
  logOutcome(await runPreparedNight(session, slot, { dryRun: false, warn }), log);
}

/** The machine may have been off at the slot's moment. */
async function runMissedSlot(session: Session, log: Log): Promise<void> {
  const slot = findLastSlot(session.settings.schedule, systemClock.now());
  // A store that cannot be read is reported by the run.
  const current = await readCurrentRun(session.parts.store).catch(() => undefined);
  if (current !== undefined && current.commit.slot >= slot.slot) {
    log('info', 'slot.published-already', { slot: slot.slot });
    return;
  }
  await runAndLog(session, slot, log);
}
