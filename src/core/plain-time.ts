/**
 * Dates in the form in which facts keep them, `2026-11-20T05:15:00.000Z`, read without the general parser: a run reads
 * several of each device, again and again.
 */

const zero = 48;
const marks: readonly (readonly [place: number, code: number])[] = [...'0000-00-00T00:00:00'].flatMap((mark, place) =>
  mark === '0' ? [] : [[place, mark.charCodeAt(0)] as const],
);
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
  return isInside ? Date.UTC(year, month - 1, day, hour, minute, second, fraction) : Number.NaN;
}

/** The same moment with three digits of a second. */
export function padPlainTime(text: string): string {
  return text.length === 24 ? text : `${text.slice(0, 19)}.${text.slice(20, -1).padEnd(3, '0')}Z`;
}

function hasMarks(text: string): boolean {
  for (const [place, code] of marks) {
    if (text.charCodeAt(place) !== code) {
      return false;
    }
  }
  return true;
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
