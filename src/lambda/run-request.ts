/** What the function is started with: by EventBridge Scheduler, or by hand. Anything else is refused by name. */
import { MusterError } from '../errors.ts';

export type LambdaRunRequest =
  /** Without a slot and a scheduled time, the last scheduled night. */
  | { readonly is: 'night'; readonly slot?: string; readonly scheduledTime?: Date; readonly dryRun: boolean }
  | { readonly is: 'accept'; readonly slot: string };

const eventKeys: readonly string[] = ['scheduledTime', 'slot', 'accept', 'dryRun'];

export function parseRunRequest(event: unknown): LambdaRunRequest {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) {
    throw createLambdaEventError('it is no JSON object');
  }
  const given = new Map<string, unknown>(Object.entries(event));
  const strange = [...given.keys()].filter((key) => !eventKeys.includes(key)).map((key) => quoteValue(key));
  if (strange.length > 0) {
    throw createLambdaEventError(`it has ${strange.slice(0, 3).join(', ')}, which means nothing here`);
  }
  const chosen = ['scheduledTime', 'slot', 'accept'].filter((key) => given.has(key));
  if (chosen.length > 1) {
    throw createLambdaEventError(`it has ${chosen.join(' and ')}, of which only one can be meant`);
  }
  if (given.has('accept')) {
    if (given.has('dryRun')) {
      throw createLambdaEventError('accept always writes, so dryRun cannot be with it');
    }
    return { is: 'accept', slot: parseSlotDate(given.get('accept'), 'accept') };
  }
  const dryRun = given.get('dryRun') ?? false;
  if (typeof dryRun !== 'boolean') {
    throw createLambdaEventError(`dryRun is ${quoteValue(dryRun)}; it must be true or false`);
  }
  return {
    ...{ is: 'night', dryRun },
    ...(given.has('slot') ? { slot: parseSlotDate(given.get('slot'), 'slot') } : {}),
    ...(given.has('scheduledTime') ? { scheduledTime: parseScheduledTime(given.get('scheduledTime')) } : {}),
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
    throw createLambdaEventError('scheduledTime is the placeholder itself, which only EventBridge Scheduler fills in');
  }
  throw createLambdaEventError(
    `scheduledTime is ${quoteValue(value)}; it must be a moment such as 2026-11-20T05:15:00Z`,
  );
}

/** Some 31sts are rolled over by the parser, so what comes out must begin like what went in. */
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
    `The event was not understood: ${why}. It is {"scheduledTime": …} or, by hand, {"slot": …} or {"accept": …}, ` +
      'with {"dryRun": true} to only look.',
  );
}
