/** When to retry: pure, from a header and a count to milliseconds. */

/** Tries of a request where the server sends no Retry-After. */
export const maximumBackoffTries = 5;
/** Tries of a request in total, Retry-After included; the deadline usually comes first. */
export const maximumTotalTries = 20;
/** The longest single wait without Retry-After; five tries wait half a minute in total at most. */
const longestBackoff = 16_000;
const firstBackoff = 2_000;

/**
 * `Retry-After` in milliseconds, or undefined when the header is not usable (absent, not a number or date,
 * zero or in the past). Seconds and HTTP dates: RFC 9110, section 10.2.3.
 */
export function parseRetryAfter(header: string | null, now: Date): number | undefined {
  if (header === null) {
    return undefined;
  }
  const text = header.trim();
  const milliseconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : parseHttpDate(text) - now.getTime();
  return Number.isFinite(milliseconds) && milliseconds > 0 ? milliseconds : undefined;
}

/** Exponential back-off with full jitter: a random wait from 0 to the current ceiling. */
export function computeBackoff(failures: number, random: number): number {
  return random * Math.min(longestBackoff, firstBackoff * 2 ** (failures - 1));
}

/** Date.parse finds a date in nearly any text with a number in it, so only HTTP's own date format is parsed. */
function parseHttpDate(text: string): number {
  return /^[A-Z][a-z]+, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
}
