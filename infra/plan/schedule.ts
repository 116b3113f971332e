/**
 * Translates the schedule in `muster.yaml` for EventBridge Scheduler. The two cron dialects differ: AWS counts weekdays
 * from 1 (Sunday), wants `?` in one of the two day fields, has a year and no seconds. A schedule that cannot be
 * translated exactly is refused, since a similar one would silently lose nights.
 * https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 */
import { createTask, parse } from 'node-cron';
import { deriveHealingCron, deriveVerifyCron, type HealedSchedule } from '../../src/settings/schedule/later-starts.ts';

export interface Translated {
  readonly expression: string;
  /** Expressions of the later starts that heal a slot. */
  readonly healing: readonly string[];
  /** Expression of the weekly verification. */
  readonly verify: string;
  readonly timezone: string;
  /** Hours without a published run after which a run is missed. */
  readonly silenceHours: number;
  /** Days from one night to the next, at most. */
  readonly longestGap: number;
}

type Translation = Translated | { readonly problem: string };

/** Hours; CloudWatch looks back seven days at most. */
const longestSilence = 7 * 24;
/** Hours for a late start, its retries, and a clock set back. */
export const patienceHours = 2;
/** Days in which every month follows every other one, except for a 29 February. */
const daysLookedAt = 2 * 366;

export function translate(schedule: HealedSchedule): Translation {
  const expression = awsExpression(schedule.cron);
  if (typeof expression !== 'string') {
    return { problem: `schedule.cron "${schedule.cron}" ${expression.problem}` };
  }
  const timezone = zoneOf(schedule.timezone);
  if (timezone === undefined) {
    return {
      problem: `schedule.timezone "${schedule.timezone}" is no zone that EventBridge knows; use a name such as Europe/London`,
    };
  }
  const longestGap = longestGapOf(schedule.cron);
  const silenceHours = longestGap * 24 + patienceHours;
  if (silenceHours > longestSilence) {
    return {
      problem: `schedule.cron "${schedule.cron}" leaves ${longestGap} days between two runs; the alarm for missing runs looks back 7 days at most, so schedule a run at least every 6 days`,
    };
  }
  const later = (cron: string) => String(awsExpression(cron));
  return {
    expression,
    healing: schedule.healAfterHours.map((hours) => later(deriveHealingCron(schedule.cron, hours))),
    verify: later(deriveVerifyCron(schedule.cron)),
    timezone,
    silenceHours,
    longestGap,
  };
}

/** The same dates and time of day in AWS's form, or why there is none. */
export function awsExpression(cron: string): string | { readonly problem: string } {
  const fields = parse(cron);
  const problem = untranslatable(fields);
  return problem === undefined ? expressionOf(fields) : { problem };
}

type Fields = ReturnType<typeof parse>;

const everyDay = 31;
const everyWeekday = 7;

function untranslatable({ second, dayOfMonth, dayOfWeek }: Fields): string | undefined {
  if (second[0] !== 0) {
    return 'names a second; EventBridge starts on the minute';
  }
  if (dayOfMonth.length !== everyDay && dayOfWeek.length !== everyWeekday) {
    return 'names days of the month and days of the week; EventBridge takes one of the two';
  }
  const special = [...dayOfMonth.filter((day) => typeof day === 'string' && !(day === 'L' && dayOfMonth.length === 1))];
  const weekdays = dayOfWeek.filter((day) => typeof day === 'string' && !isNth(day, dayOfWeek));
  const strange = [...special, ...weekdays][0];
  return strange === undefined ? undefined : `uses "${strange}", which EventBridge does not have, or has not in a list`;
}

/** Whether a day is like the second Tuesday: `2#2` here, `3#2` in AWS's form; alone in its field in both. */
function isNth(day: string, all: readonly unknown[]): boolean {
  return /^[0-7]#[1-5]$/.test(day) && all.length === 1;
}

function expressionOf({ minute, hour, dayOfMonth, month, dayOfWeek }: Fields): string {
  const isAnyWeekday = dayOfWeek.length === everyWeekday;
  const days = isAnyWeekday ? (dayOfMonth.length === everyDay ? '*' : dayOfMonth.join(',')) : '?';
  const weekdays = isAnyWeekday ? '?' : dayOfWeek.map(weekdayOf).join(',');
  const months = month.length === 12 ? '*' : month.join(',');
  return `cron(${minute[0]} ${hour[0]} ${days} ${months} ${weekdays} *)`;
}

function weekdayOf(day: number | string): string {
  const [weekday = '', nth] = String(day).split('#');
  const number = (Number(weekday) % 7) + 1;
  return nth === undefined ? String(number) : `${number}#${nth}`;
}

/** The zone's name in the zone database; undefined for `+02:00` and the like. */
function zoneOf(timezone: string): string | undefined {
  const named = new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone;
  return /^[A-Za-z]/.test(named) ? named : undefined;
}

/** Days of the longest gap in two years from a fixed date, by the calendar, so that clock changes are no gap. */
function longestGapOf(cron: string): number {
  const { minute, hour } = parse(cron);
  const start = Date.UTC(2026, 0, 1, Number(hour[0]), Number(minute[0]));
  const task = createTask(cron, () => {}, { timezone: 'UTC' });
  let last: number | undefined;
  let longest = 0;
  for (let day = 0; day < daysLookedAt; day += 1) {
    if (!task.match(new Date(start + day * 86_400_000))) {
      continue;
    }
    longest = Math.max(longest, day - (last ?? day));
    last = day;
  }
  return longest === 0 ? daysLookedAt : longest;
}
