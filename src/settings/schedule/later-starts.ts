/** Starts besides the night's own: those that heal a slot (`schedule.healAfterHours`), and the weekly verification. */
import { parse } from 'node-cron';
import { formatTimeOfDay, maximumLead, type Schedule, type Slot } from './schedule.ts';
import { toZonedMoment } from './zoned-time.ts';

export interface HealedSchedule extends Schedule {
  /** Hours after the schedule's own time, ascending. */
  readonly healAfterHours: readonly number[];
}

const hoursPerDay = 24;
const millisecondsPerHour = 60 * 60 * 1000;

/**
 * The cron of a start some hours after the schedule's own, on the same nights. Past midnight it moves days of the week,
 * and dates up to the 27th, by one day. Cron syntax cannot express the move of other rules; then the start comes every
 * day, which is harmless, since it belongs to the last slot before it.
 */
export function deriveHealingCron(cron: string, hoursLater: number): string {
  const { second, minute, hour, ...days } = parse(cron);
  const later = Number(hour[0]) + hoursLater;
  const written = cron.trim().split(/\s+/).slice(-daysFields).join(' ');
  const time = `${second[0] === 0 ? '' : `${second[0]} `}${minute[0]} ${later % hoursPerDay}`;
  return `${time} ${later < hoursPerDay ? written : moveDays(days)}`;
}

type Days = Pick<ReturnType<typeof parse>, 'dayOfMonth' | 'month' | 'dayOfWeek'>;

const daysFields = 3;
const daysPerMonth = 31;
const monthsPerYear = 12;
const daysPerWeek = 7;
/** The latest date whose next day is in the same month, also in February. */
const lastMovableDate = 27;

function moveDays({ dayOfMonth, month, dayOfWeek }: Days): string {
  const weekdays = new Set(dayOfWeek.map((day) => (Number(day) + 1) % daysPerWeek));
  const isAnyWeekday = weekdays.size === daysPerWeek;
  if (dayOfMonth.length === daysPerMonth && month.length === monthsPerYear && !weekdays.has(Number.NaN)) {
    return `* * ${isAnyWeekday ? '*' : [...weekdays].sort().join(',')}`;
  }
  if (isAnyWeekday && dayOfMonth.every((date) => Number(date) <= lastMovableDate)) {
    const months = month.length === monthsPerYear ? '*' : month.join(',');
    return `${dayOfMonth.map((date) => Number(date) + 1).join(',')} ${months} *`;
  }
  return '* * *';
}

/** Whether no later start heals the slot by itself. */
export function isLastStart(schedule: HealedSchedule, slot: Slot, now: Date): boolean {
  return now.getTime() >= findLastHealing(schedule, slot).getTime() - maximumLead;
}

function findLastHealing(schedule: HealedSchedule, { slot, moment }: Slot): Date {
  const hours = Math.max(0, ...schedule.healAfterHours);
  return hours === 0 ? moment : toZonedMoment(schedule.timezone, ...addClockHours(schedule, slot, hours));
}

/** The date and time on the clocks some hours after the slot's own: healing starts are counted on the clocks. */
export function addClockHours(schedule: Schedule, slot: string, hours: number): [date: string, time: string] {
  const wall = new Date(Date.parse(`${slot}T${formatTimeOfDay(schedule)}Z`) + hours * millisecondsPerHour);
  const [date = '', time = ''] = wall.toISOString().slice(0, -'.000Z'.length).split('T');
  return [date, time];
}

/** Hours after the night, late enough to avoid healing starts on most schedules. */
const verifyHoursLater = 8;

/** The cron of the weekly verification: on Sundays. */
export function deriveVerifyCron(cron: string): string {
  const { minute, hour } = parse(cron);
  return `${minute[0]} ${(Number(hour[0]) + verifyHoursLater) % hoursPerDay} * * 0`;
}
