/** What the function is started with: by EventBridge Scheduler, or by hand. Anything else is refused by name. */
import { MusterError } from '../errors.ts';

export type Wish =
  /** Without a slot and a scheduled time, the last scheduled night. */
  | { readonly is: 'night'; readonly slot?: string; readonly scheduledTime?: Date; readonly dryRun: boolean }
  | { readonly is: 'accept'; readonly slot: string };

const keys: readonly string[] = ['scheduledTime', 'slot', 'accept', 'dryRun'];

export function readEvent(event: unknown): Wish {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) throw refused('it is no JSON object');
  const given = new Map<string, unknown>(Object.entries(event));
  const strange = [...given.keys()].filter((key) => !keys.includes(key)).map((key) => shown(key));
  if (strange.length > 0) throw refused(`it has ${strange.slice(0, 3).join(', ')}, which means nothing here`);
  const chosen = ['scheduledTime', 'slot', 'accept'].filter((key) => given.has(key));
  if (chosen.length > 1) throw refused(`it has ${chosen.join(' and ')}, of which only one can be meant`);
  if (given.has('accept')) {
    if (given.has('dryRun')) throw refused('accept always writes, so dryRun cannot be with it');
    return { is: 'accept', slot: dateOf(given.get('accept'), 'accept') };
  }
  const dryRun = given.get('dryRun') ?? false;
  if (typeof dryRun !== 'boolean') throw refused(`dryRun is ${shown(dryRun)}; it must be true or false`);
  return {
    ...{ is: 'night', dryRun },
    ...(given.has('slot') ? { slot: dateOf(given.get('slot'), 'slot') } : {}),
    ...(given.has('scheduledTime') ? { scheduledTime: momentOf(given.get('scheduledTime')) } : {}),
  };
}

function dateOf(value: unknown, key: string): string {
  const isDate = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  if (isDate && isMoment(`${value}T00:00:00Z`)) return value;
  throw refused(`${key} is ${shown(value)}; it must be a date such as 2026-11-20`);
}

/** The scheduler writes `2026-11-20T05:15:00Z`. */
function momentOf(value: unknown): Date {
  const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
  if (typeof value === 'string' && form.test(value) && isMoment(value)) return new Date(value);
  if (typeof value === 'string' && value.startsWith('<aws.')) {
    throw refused('scheduledTime is the placeholder itself, which only EventBridge Scheduler fills in');
  }
  throw refused(`scheduledTime is ${shown(value)}; it must be a moment such as 2026-11-20T05:15:00Z`);
}

/** Some 31sts are rolled over by the parser, so what comes out must begin like what went in. */
function isMoment(text: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 19) === text.slice(0, 19);
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 40);
}

function refused(why: string): MusterError {
  return new MusterError(
    'event-invalid',
    `The event was not understood: ${why}. It is {"scheduledTime": …} or, by hand, {"slot": …} or {"accept": …}, ` +
      'with {"dryRun": true} to only look.',
  );
}
