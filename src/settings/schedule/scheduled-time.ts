/** Parses the time for which a scheduler started a run. */

/** A moment as a scheduler writes it, such as `2026-11-20T05:15:00Z`. */
const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** Parses a moment; `refuse` receives the reason, and throws. */
export function parseScheduledTime(value: unknown, refuse: (why: string) => never): Date {
  if (typeof value === 'string' && form.test(value) && isMoment(value)) {
    return new Date(value);
  }
  if (typeof value === 'string' && value.startsWith('<aws.')) {
    return refuse('it is the placeholder itself, which only EventBridge Scheduler replaces');
  }
  return refuse(`it is ${quoteValue(value)}; it must be a moment such as 2026-11-20T05:15:00Z`);
}

/** Whether the moment exists: the parser turns 31 June into 1 July, so that the parsed date must begin like the text. */
function isMoment(text: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 19) === text.slice(0, 19);
}

export function quoteValue(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 40);
}
