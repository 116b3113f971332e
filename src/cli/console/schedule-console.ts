/** Prints the work of `muster schedule`: as sentences on a terminal, otherwise as lines of the JSON log. */
import type { MusterError } from '../../base/errors.ts';
import { createJsonLog, type Log } from '../../base/log.ts';
import type { PreparedRun } from '../../compose/start.ts';
import { formatCount } from '../../core/text/format-count.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import { systemClock } from '../../http/clock.ts';
import type { ProgressListener } from '../../run/gather.ts';
import type { RunOutcome } from '../../run/outcome.ts';
import { logOutcome, logProgress } from '../../run/reporting/log-progress.ts';
import { findNextStarts } from '../../settings/schedule/due-starts.ts';
import type { HealedSchedule } from '../../settings/schedule/later-starts.ts';
import type { Slot } from '../../settings/schedule/schedule.ts';
import { formatZonedMoment } from '../../settings/schedule/zoned-time.ts';
import { formatOutcome } from '../run.ts';
import { createProgressView } from './progress.ts';
import { printLines } from './session.ts';

export interface ScheduleConsole {
  readonly log: Log;
  /** The listener for the sources of one run. */
  watchSources(): ProgressListener;
  beginRun(slot: Slot): void;
  endRun(outcome: RunOutcome, session: PreparedRun): void;
}

export function createJsonConsole(write: (line: string) => unknown): ScheduleConsole {
  const log = createJsonLog(write, systemClock.now);
  return {
    log,
    watchSources: () => logProgress(log),
    beginRun: () => {},
    endRun: (outcome) => logOutcome(outcome, log),
  };
}

export function createSentenceConsole(schedule: HealedSchedule): ScheduleConsole {
  const { timezone } = schedule;
  const sayNext = () => {
    const { next } = findNextStarts(schedule, systemClock.now());
    return next === undefined ? [] : [`Next run: ${formatZonedMoment(timezone, next)}`];
  };
  return {
    log(level, event, data = {}) {
      const lines = describeEvent(event, data as EventData, schedule);
      const isEnd = event === 'schedule.started' || event === 'run.failed';
      const shown = [
        ...lines.map((line) => (level === 'error' ? `Error: ${line}` : line)),
        ...(isEnd ? sayNext() : []),
      ];
      if (shown.length > 0) {
        printLines(shown);
      }
    },
    watchSources: () => createProgressView(process.stdout, systemClock.elapsed).watch,
    beginRun: ({ slot, moment, heals }) => {
      printLines([
        '',
        heals
          ? `The run of ${slot} is published. Whatever it could not read or finish is tried again:`
          : `Running for ${slot}, which was due at ${formatZonedMoment(timezone, moment)}:`,
      ]);
    },
    endRun: (outcome, session) => {
      printLines(['', ...formatOutcome(outcome, session), '', ...sayNext()]);
    },
  };
}

interface EventData {
  readonly message?: string;
  readonly sentence?: string;
  readonly code?: MusterError['code'];
  readonly slot?: string;
  readonly start?: string;
  readonly due?: Date;
  readonly because?: string;
  readonly count?: number;
  readonly newest?: readonly (string | Date)[];
  readonly nights?: number;
  readonly files?: number;
  readonly damaged?: number;
}

/** Sentences for the events of the log; an event without one is shown by its message. */
function describeEvent(event: string, data: EventData, { cron, timezone, healAfterHours }: HealedSchedule): string[] {
  const { message, slot, start, due, because, count = 0, newest = [], nights = 0, files = 0, damaged = 0 } = data;
  const format = (one: string | Date) => (typeof one === 'string' ? one : formatZonedMoment(timezone, one));
  switch (event) {
    case 'schedule.started': {
      const again =
        healAfterHours.length === 0
          ? ''
          : `, and what could not be read is asked again ${healAfterHours.join(' and ')} hours later`;
      return [`Runs start by "${cron}" in ${timezone}${again}. The store is verified every Sunday. Ctrl-C stops.`];
    }
    case 'slot.published-already':
      return [`The run of ${slot} is published already.`];
    case 'start.late':
      return due === undefined
        ? []
        : [`A start (${start === 'healing' ? 'retry' : start}) was due at ${format(due)} and is made now: ${because}.`];
    case 'slots.missed':
      return [
        `No run is made for ${count} earlier ${pluralize(count, 'date')} (${newest.map(format).join(', ')}): ${because}.`,
      ];
    case 'verify.ended':
      return [
        `Verified ${formatCount(nights)} ${pluralize(nights, 'run')} with ${formatCount(files)} files: ${damaged === 0 ? 'nothing is damaged' : `${damaged} damaged or missing`}.`,
      ];
    case 'schedule.stopped':
      return ['Stopped.'];
    case 'healing.skipped':
      return [];
    default:
      return [message ?? data.sentence ?? event];
  }
}
