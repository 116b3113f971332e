/**
 * AWS's cron dialect, read from its own documentation, for comparing: minute, hour, day of month, month, day of week
 * (1 is Sunday), year. Shares nothing with the translation.
 * https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html#cron-based
 */

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** Throws where AWS would refuse the expression. */
export function awsCron(expression: string): (wall: Date) => boolean {
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
