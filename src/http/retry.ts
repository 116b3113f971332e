/** When to retry: pure, from a header and a count to milliseconds. */

/** Tries of a message to a channel; requests to a platform are bounded by time (`patience.ts`). */
export const maximumBackoffTries = 5;
/** The longest single wait without Retry-After. */
const longestBackoff = 60_000;
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

/**
 * Exponential back-off with jitter: a random wait from half of the current ceiling to all of it. Never nothing, so that
 * a server that fails quickly is not asked without a pause.
 */
export function computeBackoff(failures: number, random: number): number {
  const ceiling = Math.min(longestBackoff, firstBackoff * 2 ** (failures - 1));
  return (ceiling * (1 + random)) / 2;
}

/** Date.parse finds a date in nearly any text with a number in it, so only HTTP's own date format is parsed. */
function parseHttpDate(text: string): number {
  return /^[A-Z][a-z]+, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
}
