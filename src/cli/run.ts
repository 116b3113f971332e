/** `muster run`: one night, watched. */

import { MusterError } from '../errors.ts';
import { frameOf } from '../frame.ts';
import { systemClock } from '../http/clock.ts';
import { jsonLog, type Log } from '../log.ts';
import { type Outcome, runNight } from '../night.ts';
import { lastSlot, momentOn, type Schedule, type Slot } from '../settings/slot.ts';
import { exitCodeOf } from './failure.ts';
import { liveProgress, loggedProgress } from './progress.ts';
import { openSession, processBegan, type Session } from './session.ts';
import { summary } from './words.ts';

export interface RunOptions {
  readonly settings?: string;
  readonly slot?: string;
  readonly dryRun?: boolean;
}

export async function run(options: RunOptions): Promise<number> {
  const isTerminal = process.stdout.isTTY === true;
  const log = jsonLog((line) => process.stdout.write(line), systemClock.now);
  const view = isTerminal ? liveProgress(process.stdout, systemClock.elapsed) : loggedProgress(log);
  const session = await openSession(options.settings, view.watch);
  try {
    const outcome = await nightOf(session, options, processBegan);
    view.close();
    if (isTerminal) process.stdout.write(`\n${spoken(outcome, session).join('\n')}\n`);
    else logOutcome(outcome, log);
    return outcome.exit;
  } catch (error) {
    const code = error instanceof MusterError ? error.code : 'unexpected';
    if (!isTerminal) log('error', 'run.failed', { code, message: messageOf(error), exit: exitCodeOf(error) });
    throw error;
  } finally {
    session.close();
  }
}

export async function nightOf(session: Session, options: RunOptions, began: Date): Promise<Outcome> {
  const { settings, folder, parts } = session;
  if (!options.dryRun) await parts.store.probe();
  const slot = slotOf(settings.schedule, options.slot, parts.clock.now());
  const frame = () => frameOf(settings, folder);
  return runNight({ ...slot, frame, began, dryRun: options.dryRun === true }, parts);
}

/** The asked-for night; a later one than the last scheduled is refused, as is one for which none is scheduled. */
export function slotOf(schedule: Schedule, asked: string | undefined, now: Date): Slot {
  const last = lastSlot(schedule, now);
  if (asked === undefined) return last;
  if (asked > last.slot) {
    throw new MusterError(
      'slot-refused',
      `The night of ${asked} has not come yet: the last scheduled one is ${last.slot}.`,
    );
  }
  const moment = momentOn(schedule, asked);
  if (moment !== undefined) return { slot: asked, moment };
  throw new MusterError(
    'slot-refused',
    `No night is scheduled on ${asked} (schedule "${schedule.cron}" in ${schedule.timezone}).`,
  );
}

export function spoken(outcome: Outcome, { settings, parts }: Pick<Session, 'settings' | 'parts'>): string[] {
  const { night, did, unfinished } = outcome;
  if (did === 'overtaken') return ['Another run published this night meanwhile; this one changed nothing.'];
  if (did === 'stood' || night === undefined) {
    return ['This night is published already, and nothing better was to be had; nothing was changed.'];
  }
  const undone =
    unfinished === undefined ? [] : [`Published, but not finished: ${unfinished.message} The next run finishes it.`];
  const where = did === 'looked' ? 'Dry run: nothing was written.' : `Reports: ${parts.store.name}/latest/`;
  const silent = settings.alerts.channels.length === 0 ? ['No channel is set: nobody will be told.'] : [];
  return [...summary(night), '', where, ...undone, ...silent];
}

export function logOutcome({ exit, did, night, unfinished }: Outcome, log: Log): void {
  const data = {
    exit,
    ...(night === undefined ? {} : { slot: night.slot, coverage: night.coverage }),
    ...(unfinished === undefined ? {} : { unfinished: { code: unfinished.code, message: unfinished.message } }),
  };
  log(exit === 0 ? 'info' : 'warn', `run.${did}`, data);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
