/**
 * Dates in the form in which facts keep them, `2026-11-20T05:15:00.000Z`, read without the general parser: a run reads
 * several of each device, again and again.
 */

const zero = 48;
const hyphen = '-'.charCodeAt(0);
const colon = ':'.charCodeAt(0);
const letterT = 'T'.charCodeAt(0);
const point = '.'.charCodeAt(0);
const zulu = 'Z'.charCodeAt(0);

/**
 * Milliseconds since 1970, where the text is a date from 1971 on in exactly this form, with a fraction of up to three
 * digits or none. NaN otherwise, which does not say that it is no date: ends of months are left to the general parser.
 */
export function parsePlainTime(text: string): number {
  const { length } = text;
  const isPlain = length >= 20 && length <= 24 && text.charCodeAt(length - 1) === zulu && hasMarks(text);
  if (!isPlain || (length > 20 && (length === 21 || text.charCodeAt(19) !== point))) {
    return Number.NaN;
  }
  const year = readDigits(text, 0, 4);
  const month = readDigits(text, 5, 7);
  const day = readDigits(text, 8, 10);
  const hour = readDigits(text, 11, 13);
  const minute = readDigits(text, 14, 16);
  const second = readDigits(text, 17, 19);
  const fraction = length === 20 ? 0 : readDigits(text, 20, length - 1) * 10 ** (24 - length);
  const isInside =
    year > 1970 && month >= 1 && month <= 12 && day >= 1 && day <= 28 && hour <= 23 && minute <= 59 && second <= 59;
  if (!isInside) {
    return Number.NaN;
  }
  return (((countDays(year, month, day) * 24 + hour) * 60 + minute) * 60 + second) * 1000 + fraction;
}

/** The same moment with three digits of a second. */
export function padPlainTime(text: string): string {
  return text.length === 24 ? text : `${text.slice(0, 19)}.${text.slice(20, -1).padEnd(3, '0')}Z`;
}

function hasMarks(text: string): boolean {
  return (
    text.charCodeAt(4) === hyphen &&
    text.charCodeAt(7) === hyphen &&
    text.charCodeAt(10) === letterT &&
    text.charCodeAt(13) === colon &&
    text.charCodeAt(16) === colon
  );
}

/** Days since 1970 of the first of March of year 0 of the calendar, which makes leap days the last of a year. */
const daysBefore1970 = 719_468;

/** By the civil calendar, whose years here begin in March: a sum instead of a call into the runtime. */
function countDays(year: number, month: number, day: number): number {
  const shifted = month > 2 ? year : year - 1;
  const monthsSinceMarch = month > 2 ? month - 3 : month + 9;
  const leapDays = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  return shifted * 365 + leapDays + Math.floor((153 * monthsSinceMarch + 2) / 5) + day - 1 - daysBefore1970;
}

/** NaN where one of them is no digit. */
function readDigits(text: string, from: number, to: number): number {
  let number = 0;
  for (let place = from; place < to; place += 1) {
    const digit = text.charCodeAt(place) - zero;
    if (digit < 0 || digit > 9) {
      return Number.NaN;
    }
    number = number * 10 + digit;
  }
  return number;
}
