/**
 * Which night it is: the date of the last scheduled moment that is not after now. A schedule fires at most once a
 * date, so that a date names one night.
 */
import { createTask, parse, validateDetailed } from 'node-cron';
import { MusterError } from '../errors.ts';

export interface Schedule {
  readonly cron: string;
  /** An IANA zone name. */
  readonly timezone: string;
}

export interface Slot {
  /** YYYY-MM-DD in the schedule's zone. */
  readonly slot: string;
  readonly moment: Date;
}

export interface ScheduleProblem {
  readonly key: 'cron' | 'timezone';
  readonly message: string;
}

export function findScheduleProblems({ cron, timezone }: Schedule): ScheduleProblem[] {
  const problems: ScheduleProblem[] = [];
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch {
    const message = `is "${timezone}"; it must be a zone name such as Europe/London or UTC`;
    problems.push({ key: 'timezone', message });
  }
  const { valid, errors } = validateDetailed(cron);
  if (!valid) {
    const why = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
    return [...problems, { key: 'cron', message: `is no cron expression such as "15 5 * * *" (${why})` }];
  }
  const { second, minute, hour } = parse(cron);
  if (second.length * minute.length * hour.length !== 1) {
    problems.push({ key: 'cron', message: 'fires more than once a date; one minute and one hour must be named' });
  }
  return problems;
}

/** Far enough back for a 29 February. */
const maximumDaysBack = 4 * 366;
const millisecondsPerDay = 24 * 60 * 60 * 1000;

export function findLastSlot(schedule: Schedule, now: Date): Slot {
  const today = Date.parse(`${formatZonedDate(schedule.timezone, now)}T00:00:00Z`);
  for (let back = 0; back <= maximumDaysBack; back += 1) {
    const date = new Date(today - back * millisecondsPerDay).toISOString().slice(0, 10);
    const moment = findMoment(schedule, date);
    if (moment !== undefined && moment <= now) {
      return { slot: date, moment };
    }
  }
  throw new MusterError('slot-refused', `The schedule "${schedule.cron}" names no moment in the last four years.`);
}

/** The asked-for night; a later one than the last scheduled is refused, as is one for which none is scheduled. */
export function resolveSlot(schedule: Schedule, asked: string | undefined, now: Date): Slot {
  const last = findLastSlot(schedule, now);
  if (asked === undefined) {
    return last;
  }
  if (asked > last.slot) {
    throw new MusterError(
      'slot-refused',
      `The night of ${asked} has not come yet: the last scheduled one is ${last.slot}.`,
    );
  }
  const moment = findMoment(schedule, asked);
  if (moment !== undefined) {
    return { slot: asked, moment };
  }
  throw new MusterError(
    'slot-refused',
    `No night is scheduled on ${asked} (schedule "${schedule.cron}" in ${schedule.timezone}).`,
  );
}

/** Clocks may differ, but not by this much. */
const maximumLead = 5 * 60 * 1000;

/** The night of a moment for which a scheduler started us, however late it did. */
export function resolveScheduledSlot(schedule: Schedule, moment: Date, now: Date): Slot {
  if (moment.getTime() - now.getTime() <= maximumLead) {
    return { slot: formatZonedDate(schedule.timezone, moment), moment };
  }
  throw new MusterError('slot-refused', `The night of ${moment.toISOString()} has not come yet.`);
}

/** The scheduled moment on a date, or undefined when no night is scheduled then (also in a clock change's gap). */
export function findMoment(schedule: Schedule, date: string): Date | undefined {
  const { second, minute, hour } = parse(schedule.cron);
  const time = [hour[0], minute[0], second[0]].map((part) => String(part).padStart(2, '0')).join(':');
  const moment = toZonedMoment(schedule.timezone, date, time);
  return createTask(schedule.cron, () => {}, { timezone: schedule.timezone }).match(moment) ? moment : undefined;
}

/** The first moment at which the zone's clocks show this; in a gap, one that shows something later. */
function toZonedMoment(timezone: string, date: string, time: string): Date {
  const wall = Date.parse(`${date}T${time}Z`);
  const candidates = [-millisecondsPerDay, millisecondsPerDay].map(
    (shift) => wall - computeZoneOffset(timezone, new Date(wall + shift)),
  );
  const exact = candidates.filter((candidate) => candidate + computeZoneOffset(timezone, new Date(candidate)) === wall);
  return new Date(Math.min(...(exact.length > 0 ? exact : candidates)));
}

/** Milliseconds that the zone is ahead of UTC. */
function computeZoneOffset(timezone: string, moment: Date): number {
  return Date.parse(`${formatWallClock(timezone, moment)}Z`) - Math.floor(moment.getTime() / 1000) * 1000;
}

export function formatZonedDate(timezone: string, moment: Date): string {
  return formatWallClock(timezone, moment).slice(0, 10);
}

/** Swedish is the locale that writes dates as ISO does. */
function formatWallClock(timezone: string, moment: Date): string {
  return new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
    .format(moment)
    .replace(' ', 'T');
}
