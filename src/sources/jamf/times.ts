/** Parses Jamf Pro's times, which omit trailing zeros of the fraction and are sometimes only a date. */

const timePattern = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2}))?$/;

/** ISO 8601 UTC with milliseconds, or undefined when it is not a time, or the first day of 1970, which means none. */
export function parseJamfTime(value: unknown): string | undefined {
  if (typeof value !== 'string') {
    return undefined;
  }
  const parts = timePattern.exec(value.trim());
  if (!parts) {
    return undefined;
  }
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  // Date.parse reads 30 February as 2 March.
  if (day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) {
    return undefined;
  }
  const moment = new Date(value.trim().replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  // Jamf Pro writes the beginning of Unix time, on some servers in its own zone, for a Mac that never enrolled.
  const isNever = Math.abs(moment.getTime()) <= 86_400_000;
  return Number.isNaN(moment.getTime()) || isNever ? undefined : moment.toISOString();
}
