import fc from 'fast-check';
import { createTask } from 'node-cron';
import { describe, expect, it } from 'vitest';
import { awsExpression, translate } from '../../infra/plan/schedule.ts';
import { findCronProblem } from '../../src/settings/schedule/schedule.ts';

const day = 86_400_000;

function translated(cron: string, timezone = 'UTC') {
  const translation = translate({ cron, timezone, healAfterHours: [2, 5] });
  if ('problem' in translation) {
    throw new Error(translation.problem);
  }
  return translation;
}

function problemOf(cron: string, timezone = 'UTC'): string {
  const translation = translate({ cron, timezone, healAfterHours: [2, 5] });
  return 'problem' in translation ? translation.problem : '';
}

/** Dates on which a dialect starts a night; the second of the two years is a leap year. */
function datesOf(matches: (moment: Date) => boolean, minute: number, hour: number): string[] {
  const start = Date.UTC(2027, 0, 1, hour, minute);
  return Array.from({ length: 731 }, (_, index) => new Date(start + index * day))
    .filter(matches)
    .map((moment) => moment.toISOString().slice(0, 10));
}

const list = (least: number, most: number) =>
  fc
    .uniqueArray(fc.integer({ min: least, max: most }), { minLength: 1, maxLength: 6 })
    .map((numbers) => numbers.join(','));
const range = (least: number, most: number) =>
  fc
    .tuple(fc.integer({ min: least, max: most }), fc.integer({ min: least, max: most }))
    .map((pair) => pair.sort((one, other) => one - other).join('-'));
const field = (least: number, most: number, step: number) =>
  fc.oneof(fc.constant('*'), list(least, most), range(least, most), fc.constant(`*/${step}`));
const named = fc.constantFrom('sun', 'mon-fri', 'MON,WED,FRI', 'tue', '2#2', '0#1', '6#5', '7', '0-7', '5-7');
const dayFields = fc.oneof(
  fc.tuple(fc.oneof(field(1, 31, 3), fc.constant('L')), fc.constant('*')),
  fc.tuple(fc.constantFrom('*', '1-31', '?'), fc.oneof(field(0, 7, 2), named)),
);
const crons = fc
  .tuple(
    fc.integer({ min: 0, max: 59 }),
    fc.integer({ min: 0, max: 23 }),
    dayFields,
    fc.oneof(fc.constant('*'), field(1, 12, 2), fc.constant('jan,jun-aug')),
    fc.boolean(),
  )
  .map(([minute, hour, [date, weekday], month, hasSeconds]) => ({
    minute,
    hour,
    cron: `${hasSeconds ? '0 ' : ''}${minute} ${hour} ${date} ${month} ${weekday}`,
  }));

describe('the schedule on AWS', () => {
  it('starts on the same dates as node-cron does', () => {
    let compared = 0;
    fc.assert(
      fc.property(crons, ({ cron, minute, hour }) => {
        if (findCronProblem(cron) !== undefined) {
          return;
        }
        const expression = awsExpression(cron);
        if (typeof expression !== 'string') {
          throw new Error(`${cron} ${expression.problem}`);
        }
        compared += 1;
        const task = createTask(cron, () => {}, { timezone: 'UTC' });
        const ours = datesOf((moment) => task.match(moment), minute, hour);
        expect(datesOf(awsCron(expression), minute, hour)).toEqual(ours);
      }),
      { numRuns: 100 },
    );
    expect(compared).toBeGreaterThan(70);
  });

  it('is compared on schedules that differ', () => {
    const starts = (expression: string) => datesOf(awsCron(expression), 15, 5).length;
    expect(starts('cron(15 5 ? * 2 *)')).toBe(104);
    expect(starts('cron(15 5 L * ? *)')).toBe(24);
    expect(starts('cron(15 5 * 2 ? *)')).toBe(57);
    expect(() => awsCron('cron(15 5 * * * *)')).toThrow('needs ?');
    expect(() => starts('cron(15 5 ? * 0 *)')).toThrow('outside 1 to 7');
  });

  it.each([
    ['15 5 * * *', 'cron(15 5 * * ? *)', 26],
    ['15 5 * * 1-5', 'cron(15 5 ? * 2,3,4,5,6 *)', 74],
    ['15 5 * * sun,wed', 'cron(15 5 ? * 1,4 *)', 98],
    ['15 5 * * 7,2,4', 'cron(15 5 ? * 1,3,5 *)', 74],
  ])('%s is %s, and silence is %d hours', (cron, expression, silenceHours) => {
    expect(translated(cron)).toMatchObject({ expression, silenceHours, timezone: 'UTC' });
  });

  it.each([
    ['30 15 5 * * *', 'on the minute'],
    ['15 5 13 * 5', 'takes one of the two'],
    ['15 5 15W * *', '15W'],
    ['15 5 * * 5L', '5L'],
    ['15 5 * * 1', 'leaves 7 days'],
    ['15 5 29 2 *', 'leaves 732 days'],
  ])('refuses %s, which AWS could not keep or nobody could watch', (cron, why) => {
    expect(problemOf(cron)).toContain(why);
  });

  it('writes the zone as the zone database does, and counts days by the calendar, whatever its clocks do', () => {
    expect(translated('15 5 * * *', 'europe/london')).toMatchObject({ silenceHours: 26, timezone: 'Europe/London' });
    expect(problemOf('15 5 * * *', '+02:00')).toContain('no zone');
  });
});

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/**
 * AWS's cron dialect, read from its own documentation, for comparing: minute, hour, day of month, month, day of week
 * (1 is Sunday), year. Shares nothing with the translation. Throws where AWS would refuse the expression.
 * https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html#cron-based
 */
function awsCron(expression: string): (wall: Date) => boolean {
  const fields = /^cron\((.*)\)$/.exec(expression)?.[1]?.split(' ') ?? [];
  const [minute, hour, day, month, weekday, year] = fields;
  if (fields.length !== 6 || !minute || !hour || !day || !month || !weekday || !year) {
    throw new Error(`${expression} has not six fields`);
  }
  if ((day === '?') === (weekday === '?')) {
    throw new Error(`${expression} needs ? in one of its two day fields`);
  }
  return (wall) => {
    const date = wall.getUTCDate();
    return (
      among(minute, wall.getUTCMinutes(), 0, 59) &&
      among(hour, wall.getUTCHours(), 0, 23) &&
      among(month, wall.getUTCMonth() + 1, 1, 12, months) &&
      among(year, wall.getUTCFullYear(), 1970, 2199) &&
      (day === '?' || (day === 'L' ? date === lastOf(wall) : among(day, date, 1, 31))) &&
      (weekday === '?' || onWeekday(weekday, wall))
    );
  };
}

function onWeekday(field: string, wall: Date): boolean {
  const today = wall.getUTCDay() + 1;
  const [number, nth] = field.split('#');
  if (nth === undefined) {
    return among(field, today, 1, 7, weekdays);
  }
  if (!/^[1-7]$/.test(number ?? '') || !/^[1-5]$/.test(nth)) {
    throw new Error(`${field} is no weekday of a month`);
  }
  return today === Number(number) && Math.ceil(wall.getUTCDate() / 7) === Number(nth);
}

function lastOf(wall: Date): number {
  return new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + 1, 0)).getUTCDate();
}

function among(field: string, value: number, least: number, most: number, names: readonly string[] = []): boolean {
  if (field === '*') {
    return true;
  }
  return field.split(',').some((item) => {
    const [from = '', to = from] = item.split('-');
    const [low, high] = [numberOf(from, names), numberOf(to, names)];
    if (!(low >= least && high <= most && low <= high)) {
      throw new Error(`${field} is outside ${least} to ${most}`);
    }
    return value >= low && value <= high;
  });
}

function numberOf(text: string, names: readonly string[]): number {
  const named = names.indexOf(text);
  if (named >= 0) {
    return named + 1;
  }
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}
