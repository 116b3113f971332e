/** The event of the function: from EventBridge Scheduler, or from a person. Anything else is rejected with its key. */
import { MusterError } from '../errors.ts';
import { omitUndefined } from '../omit-undefined.ts';

export type LambdaRunRequest =
  /** Without a slot and a scheduled time, the last scheduled slot. */
  | { readonly is: 'night'; readonly slot?: string; readonly scheduledTime?: Date; readonly dryRun: boolean }
  | { readonly is: 'accept'; readonly slot: string };

const eventKeys: readonly string[] = ['scheduledTime', 'slot', 'accept', 'dryRun'];

export function parseRunRequest(event: unknown): LambdaRunRequest {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) {
    throw createLambdaEventError('it is not a JSON object');
  }
  const given = new Map<string, unknown>(Object.entries(event));
  const unknownKeys = [...given.keys()].filter((key) => !eventKeys.includes(key)).map((key) => quoteValue(key));
  if (unknownKeys.length > 0) {
    throw createLambdaEventError(`it has ${unknownKeys.slice(0, 3).join(', ')}, which is not a known key`);
  }
  const chosen = ['scheduledTime', 'slot', 'accept'].filter((key) => given.has(key));
  if (chosen.length > 1) {
    throw createLambdaEventError(`it has ${chosen.join(' and ')}, of which only one is allowed`);
  }
  if (given.has('accept')) {
    if (given.has('dryRun')) {
      throw createLambdaEventError('accept always writes, so it cannot be combined with dryRun');
    }
    return { is: 'accept', slot: parseSlotDate(given.get('accept'), 'accept') };
  }
  const dryRun = given.get('dryRun') ?? false;
  if (typeof dryRun !== 'boolean') {
    throw createLambdaEventError(`dryRun is ${quoteValue(dryRun)}; it must be true or false`);
  }
  return {
    is: 'night',
    dryRun,
    ...omitUndefined({
      slot: given.has('slot') ? parseSlotDate(given.get('slot'), 'slot') : undefined,
      scheduledTime: given.has('scheduledTime') ? parseScheduledTime(given.get('scheduledTime')) : undefined,
    }),
  };
}

function parseSlotDate(value: unknown, key: string): string {
  const isDate = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  if (isDate && isMoment(`${value}T00:00:00Z`)) {
    return value;
  }
  throw createLambdaEventError(`${key} is ${quoteValue(value)}; it must be a date such as 2026-11-20`);
}

/** The scheduler writes `2026-11-20T05:15:00Z`. */
function parseScheduledTime(value: unknown): Date {
  const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
  if (typeof value === 'string' && form.test(value) && isMoment(value)) {
    return new Date(value);
  }
  if (typeof value === 'string' && value.startsWith('<aws.')) {
    throw createLambdaEventError('scheduledTime is the placeholder itself, which only EventBridge Scheduler replaces');
  }
  throw createLambdaEventError(
    `scheduledTime is ${quoteValue(value)}; it must be a moment such as 2026-11-20T05:15:00Z`,
  );
}

/** The parser turns 31 June into 1 July, so the parsed date must begin like the text. */
function isMoment(text: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 19) === text.slice(0, 19);
}

function quoteValue(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 40);
}

function createLambdaEventError(why: string): MusterError {
  return new MusterError(
    'event-invalid',
    `The event was rejected: ${why}. Send {"scheduledTime": …} or, by hand, {"slot": …} or {"accept": …}; ` +
      'add {"dryRun": true} to write nothing.',
  );
}
