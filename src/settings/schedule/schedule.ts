/**
 * Finds the slot of a run: the date of the last scheduled time that is not in the future. A schedule fires at most
 * once a day, so a date identifies one slot.
 */
import { createTask, parse, validateDetailed } from 'node-cron';
import { MusterError } from '../../base/errors.ts';

export interface Schedule {
  readonly cron: string;
  /** An IANA zone name. */
  readonly timezone: string;
}

export interface Slot {
  /** YYYY-MM-DD in the schedule's zone. */
  readonly slot: string;
  readonly moment: Date;
  /** Asked for by a later start that only repeats what was not read (`schedule.healAfterHours`). */
  readonly heals?: true;
  /** A person named it, who may run a retracted slot again. */
  readonly isChosen?: true;
}

export function findTimezoneProblem(timezone: string): string | undefined {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
    return undefined;
  } catch {
    return `is "${timezone}"; it must be a zone name such as Europe/London or UTC`;
  }
}

export function findCronProblem(cron: string): string | undefined {
  const { valid, errors } = validateDetailed(cron);
  if (!valid) {
    const why = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
    return `is not a cron expression such as "15 5 * * *" (${why})`;
  }
  const { second, minute, hour } = parse(cron);
  const startsADay = second.length * minute.length * hour.length;
  return startsADay === 1 ? undefined : 'fires more than once a day; name one minute and one hour';
}

/** Enough to find the last 29 February. */
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
  throw refuseSlot(
    `The schedule "${schedule.cron}" matches no date in the last four years. Correct it in the settings.`,
  );
}

/** The requested slot. One later than the last scheduled slot is refused, as is a date without a scheduled run. */
export function resolveSlot(schedule: Schedule, requested: string | undefined, now: Date): Slot {
  const last = findLastSlot(schedule, now);
  if (requested === undefined) {
    return last;
  }
  if (requested > last.slot) {
    throw refuseSlot(`The slot ${requested} is in the future; the last scheduled slot is ${last.slot}.`);
  }
  const moment = findMoment(schedule, requested);
  if (moment !== undefined) {
    return { slot: requested, moment, isChosen: true };
  }
  throw refuseSlot(
    `No run is scheduled on ${requested} (schedule "${schedule.cron}" in ${schedule.timezone}). Name another date.`,
  );
}

const millisecondsPerMinute = 60_000;

/** The largest accepted difference between the scheduler's clock and ours. */
export const maximumLead = 5 * millisecondsPerMinute;

/**
 * The slot for which a scheduler started Muster, however late it did. A start that was scheduled for another time than
 * the schedule's own heals the last slot before it, with that slot's moment.
 */
export function resolveScheduledSlot(schedule: Schedule, time: Date, now: Date): Slot {
  if (time.getTime() - now.getTime() > maximumLead) {
    throw refuseSlot(
      `The scheduled time ${time.toISOString()} is in the future. Check the clocks of this machine and of the scheduler.`,
    );
  }
  const slot = findLastSlot(schedule, time);
  return time.getTime() - slot.moment.getTime() < millisecondsPerMinute ? slot : { ...slot, heals: true };
}

function refuseSlot(sentence: string): MusterError {
  return new MusterError('slot-refused', sentence);
}

/** The scheduled moment on a date, or undefined when no run is scheduled then (also in the gap of a clock change). */
export function findMoment(schedule: Schedule, date: string): Date | undefined {
  const moment = toZonedMoment(schedule.timezone, date, formatTimeOfDay(schedule));
  return createTask(schedule.cron, () => {}, { timezone: schedule.timezone }).match(moment) ? moment : undefined;
}

/** HH:MM:SS, on the clocks of the schedule's zone. */
export function formatTimeOfDay({ cron }: Pick<Schedule, 'cron'>): string {
  const { second, minute, hour } = parse(cron);
  return [hour[0], minute[0], second[0]].map((part) => String(part).padStart(2, '0')).join(':');
}

/** The first moment at which the zone's clocks show this time; in a gap, one that shows a later time. */
export function toZonedMoment(timezone: string, date: string, time: string): Date {
  const wall = Date.parse(`${date}T${time}Z`);
  const candidates = [-millisecondsPerDay, millisecondsPerDay].map(
    (shift) => wall - computeZoneOffset(timezone, new Date(wall + shift)),
  );
  const exact = candidates.filter((candidate) => candidate + computeZoneOffset(timezone, new Date(candidate)) === wall);
  return new Date(Math.min(...(exact.length > 0 ? exact : candidates)));
}

/** Milliseconds that the zone is ahead of UTC. */
export function computeZoneOffset(timezone: string, moment: Date): number {
  return Date.parse(`${formatWallClock(timezone, moment)}Z`) - Math.floor(moment.getTime() / 1000) * 1000;
}

export function formatZonedDate(timezone: string, moment: Date): string {
  return formatWallClock(timezone, moment).slice(0, 10);
}

/** Swedish is the locale that writes dates as ISO does. */
function formatWallClock(timezone: string, moment: Date): string {
  const options = { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' } as const;
  return moment.toLocaleString('sv-SE', options).replace(' ', 'T');
}

/** A moment as a scheduler writes it, such as `2026-11-20T05:15:00Z`. */
const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** `refuse` is given the reason, and throws. */
export function parseScheduledTime(value: unknown, refuse: (why: string) => never): Date {
  if (typeof value === 'string' && form.test(value) && isMoment(value)) {
    return new Date(value);
  }
  if (typeof value === 'string' && value.startsWith('<aws.')) {
    return refuse('it is the placeholder itself, which only EventBridge Scheduler replaces');
  }
  return refuse(`it is ${quoteValue(value)}; it must be a moment such as 2026-11-20T05:15:00Z`);
}

/** The parser turns 31 June into 1 July, so the parsed date must begin like the text. */
function isMoment(text: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 19) === text.slice(0, 19);
}

export function quoteValue(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 40);
}
