/**
 * Finds the slot of a run: the date of the last scheduled time that is not in the future. A schedule fires at most
 * once a day, so a date identifies one slot.
 */
import { createTask, parse, validateDetailed } from 'node-cron';
import { MusterError } from '../../base/errors.ts';
import { addDays } from '../../core/time/calendar.ts';
import { createMomentReader, formatZonedDate } from './zoned-time.ts';

export interface Schedule {
  readonly cron: string;
  /** An IANA zone name. */
  readonly timezone: string;
}

export interface Slot {
  /** YYYY-MM-DD in the schedule's zone. */
  readonly slot: string;
  readonly moment: Date;
  /** True for a later start that only repeats unread parts (`schedule.healAfterHours`). */
  readonly heals?: true;
  /** True where a person named the slot, which may be a retracted one. */
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

/** Days in which the last 29 February, and the next one, can be found. */
const daysLookedAt = 4 * 366;

export function findLastSlot(schedule: Schedule, now: Date): Slot {
  const findOn = createMomentFinder(schedule);
  const today = formatZonedDate(schedule.timezone, now);
  for (let back = 0; back <= daysLookedAt; back += 1) {
    const slot = addDays(today, -back);
    const moment = findOn(slot);
    if (moment !== undefined && moment <= now) {
      return { slot, moment };
    }
  }
  throw refuseSlot(
    `The schedule "${schedule.cron}" matches no date in the last four years. Correct it in the settings.`,
  );
}

/** Slots with moments after `after` and not after `until`, in order. */
export function listSlots(schedule: Schedule, after: Date, until: Date): Slot[] {
  const findOn = createMomentFinder(schedule);
  const slots: Slot[] = [];
  const last = formatZonedDate(schedule.timezone, until);
  // Where clocks skip the end of a date, its start is on the next date.
  for (let slot = addDays(formatZonedDate(schedule.timezone, after), -1); slot <= last; slot = addDays(slot, 1)) {
    const moment = findOn(slot);
    if (moment !== undefined && moment > after && moment <= until) {
      slots.push({ slot, moment });
    }
  }
  return slots;
}

export function findNextMoment(schedule: Schedule, after: Date): Date | undefined {
  const findOn = createMomentFinder(schedule);
  const today = formatZonedDate(schedule.timezone, after);
  for (let ahead = -1; ahead <= daysLookedAt; ahead += 1) {
    const moment = findOn(addDays(today, ahead));
    if (moment !== undefined && moment > after) {
      return moment;
    }
  }
  return undefined;
}

/** The requested slot. Throws for a slot later than the last scheduled one, and for a date without a scheduled run. */
export function resolveSlot(schedule: Schedule, requested: string | undefined, now: Date): Slot {
  const last = findLastSlot(schedule, now);
  if (requested === undefined) {
    return last;
  }
  if (requested > last.slot) {
    throw refuseSlot(`The date ${requested} is in the future; the last scheduled run is that of ${last.slot}.`);
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

/** Milliseconds by which the scheduler's clock may be ahead of ours. */
export const maximumLead = 5 * millisecondsPerMinute;

/**
 * The slot for which a scheduler started Muster, however late. A start at another time than the schedule's own heals
 * the last slot before it, with that slot's moment.
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

/**
 * The scheduled moment on a date; undefined when no run is scheduled then. Where the zone's clocks skip the time, the
 * next existing time.
 */
export function findMoment(schedule: Schedule, date: string): Date | undefined {
  return createMomentFinder(schedule)(date);
}

function createMomentFinder({ cron, timezone }: Schedule): (date: string) => Date | undefined {
  // Days of a cron are calendar days, whatever the clocks of its zone do.
  const task = createTask(cron, () => {}, { timezone: 'UTC' });
  // Destroyed, because node-cron keeps every other task.
  void task.destroy();
  const readMoment = createMomentReader(timezone);
  const time = formatTimeOfDay({ cron });
  return (date) => (task.match(new Date(`${date}T${time}Z`)) ? readMoment(date, time) : undefined);
}

/** The time of day, HH:MM:SS, on the clocks of the schedule's zone. */
export function formatTimeOfDay({ cron }: Pick<Schedule, 'cron'>): string {
  const { second, minute, hour } = parse(cron);
  return [hour[0], minute[0], second[0]].map((part) => String(part).padStart(2, '0')).join(':');
}
