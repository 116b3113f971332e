/**
 * `muster schedule`: keeps running, runs every night, heals unread parts, and verifies the store once a week. It never
 * runs two at once, and shuts down gracefully.
 */
import { type Logger, schedule as scheduleTask } from 'node-cron';
import { type MusterError, toMusterError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { loadSettings } from '../compose/load-settings.ts';
import { type PreparedRun, runPreparedNight, withSettingsSignal } from '../compose/start.ts';
import { systemClock } from '../http/clock.ts';
import { verifyAndReport } from '../run/reporting/with-heartbeat.ts';
import { findNextStarts } from '../settings/schedule/due-starts.ts';
import type { HealedSchedule } from '../settings/schedule/later-starts.ts';
import { findLastSlot, formatTimeOfDay, type Slot } from '../settings/schedule/schedule.ts';
import { describeSkippedStart } from '../settings/schedule/skipped-starts.ts';
import { readCurrentRun } from '../storage/commits/log.ts';
import { createJsonConsole, createSentenceConsole, type ScheduleConsole } from './console/schedule-console.ts';
import { type CommandOptions, inSession, waitForSignal } from './console/session.ts';
import { StartLoop } from './start-loop.ts';

export async function runOnSchedule(options: CommandOptions): Promise<number> {
  const { settings: settingsFile } = options;
  const loading = loadSettings(settingsFile, process.env, 'all');
  const { settings } = await withSettingsSignal(loading, { settingsFile, environment: process.env });
  const { cron, timezone, healAfterHours } = settings.schedule;
  const schedule: HealedSchedule = { cron, timezone, healAfterHours };
  const screen = process.stdout.isTTY
    ? createSentenceConsole(schedule)
    : createJsonConsole((line) => process.stdout.write(line));
  const { log } = screen;
  // Reads the settings again for each start. A failure ends only the work that failed.
  const doWork = async (work: (session: PreparedRun) => Promise<boolean>): Promise<boolean> => {
    try {
      return await inSession(settingsFile, { onProgress: screen.watchSources(), signalsWrongSettings: true }, work);
    } catch (error) {
      const { code, message } = toMusterError(error, 'The run');
      log('error', 'run.failed', { code, message });
      return false;
    }
  };
  const loop = new StartLoop({
    schedule,
    now: systemClock.now,
    log,
    run: (heals) => doWork((session) => runAndReport(session, { ...findCurrentSlot(session), ...heals }, screen)),
    verify: () =>
      doWork(async ({ parts }) => {
        await verifyAndReport(parts, log);
        return true;
      }),
  });
  logStart(schedule, log);
  const ticking = scheduleTask(everyMinute(schedule), () => void loop.startDue(), {
    // A process that wakes up late looks at once, however late.
    missedExecutionTolerance: Number.POSITIVE_INFINITY,
    suppressMissedWarning: true,
    logger: createTaskLogger(log),
  });
  void loop.begin(() => doWork((session) => runMissedSlot(session, screen)));
  await waitForSignal();
  await ticking.destroy();
  // A run in progress receives the same signal: it stops reading, or finishes publishing.
  await loop.stop();
  log('info', 'schedule.stopped');
  return 0;
}

/** The cron of every minute, at the second of the schedule's own. */
function everyMinute(schedule: HealedSchedule): string {
  return `${Number(formatTimeOfDay(schedule).slice('HH:MM:'.length))} * * * * *`;
}

function logStart(schedule: HealedSchedule, log: Log): void {
  const now = systemClock.now();
  log('info', 'schedule.started', { ...schedule, ...findNextStarts(schedule, now) });
  const sentence = describeSkippedStart(schedule, now);
  if (sentence !== undefined) {
    log('warn', 'start.skipped-hour', { message: sentence });
  }
}

/** Makes a logger that writes the scheduler's own lines to our log. */
function createTaskLogger(log: Log): Logger {
  const logAs = (level: Parameters<Log>[0]) => (message: string | Error, error?: Error) =>
    log(level, 'schedule.problem', {
      message: error?.message ?? (message instanceof Error ? message.message : message),
    });
  return { info: logAs('info'), warn: logAs('warn'), error: logAs('error'), debug: () => {} };
}

function findCurrentSlot({ settings }: PreparedRun): Slot {
  return findLastSlot(settings.schedule, systemClock.now());
}

async function runAndReport(session: PreparedRun, slot: Slot, screen: ScheduleConsole): Promise<true> {
  const warn = ({ code, message }: MusterError) => screen.log('warn', 'heartbeat.failed', { code, message });
  screen.beginRun(slot);
  screen.endRun(await runPreparedNight(session, slot, { dryRun: false, warn }), session);
  return true;
}

/** Whether a run was made. The machine may have been off at the slot's moment, or when its run was to be repeated. */
async function runMissedSlot(session: PreparedRun, screen: ScheduleConsole): Promise<boolean> {
  const slot = findCurrentSlot(session);
  // A store that cannot be read is reported by the run.
  const current = await readCurrentRun(session.parts.store).catch(() => undefined);
  if (current !== undefined && current.commit.slot > slot.slot) {
    screen.log('info', 'slot.published-already', { slot: current.commit.slot });
    return false;
  }
  return runAndReport(session, current?.commit.slot === slot.slot ? { ...slot, heals: true } : slot, screen);
}
