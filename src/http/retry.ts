/** When to try again: pure, from a header and a count to milliseconds. */

/** Tries a request gets where the server does not say how long to wait. */
export const maximumBackoffTries = 5;
/** Tries a request gets in all, however politely the server asks for patience; the deadline usually comes first. */
export const maximumTotalTries = 20;
/** The longest single wait of our own choosing; five tries add up to half a minute at the most. */
const longestBackoff = 16_000;
const firstBackoff = 2_000;

/**
 * `Retry-After` in milliseconds, or undefined when the header says nothing usable (absent, not a number or date,
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

/** Exponential back-off with full jitter: anything from nothing to the current ceiling. */
export function computeBackoff(failures: number, random: number): number {
  return random * Math.min(longestBackoff, firstBackoff * 2 ** (failures - 1));
}

/** Date.parse finds a date in nearly any text with a number in it, so only the form that HTTP knows goes in. */
function parseHttpDate(text: string): number {
  return /^[A-Z][a-z]+, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
}
