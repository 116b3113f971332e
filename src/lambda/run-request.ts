/** The event of the function: from EventBridge Scheduler, or from a person. Anything else is rejected with its key. */
import { MusterError } from '../base/errors.ts';
import { isRecord } from '../base/is-record.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { isCalendarDate } from '../core/facts/calendar.ts';
import { parseScheduledTime, quoteValue } from '../settings/schedule/schedule.ts';
import { parseTenantKey } from '../settings/tenants.ts';

export type LambdaRunRequest = RequestedAction & {
  /** Whose settings it is for, where a deployment has tenants; without it, the deployment's own. */
  readonly tenant?: string;
};

type RequestedAction =
  /** Without a slot and a scheduled time, the last scheduled slot. */
  | { readonly is: 'night'; readonly slot?: string; readonly scheduledTime?: Date; readonly dryRun: boolean }
  | { readonly is: 'accept'; readonly slot: string }
  /** Without a slot, all kept runs. */
  | { readonly is: 'verify'; readonly slot?: string };

/** What a run does; one of them at most. */
const choices = ['scheduledTime', 'slot', 'accept', 'verify'];
const eventKeys: readonly string[] = [...choices, 'dryRun', 'settings'];

export function parseRunRequest(event: unknown): LambdaRunRequest {
  if (!isRecord(event)) {
    throw createLambdaEventError('it is not a JSON object');
  }
  const unknownKeys = Object.keys(event)
    .filter((key) => !eventKeys.includes(key))
    .map((key) => quoteValue(key));
  if (unknownKeys.length > 0) {
    throw createLambdaEventError(`it has ${unknownKeys.slice(0, 3).join(', ')}, which is not a known key`);
  }
  const tenant = event.settings === undefined ? undefined : parseTenantSettings(event.settings);
  return { ...parseAction(event), ...omitUndefined({ tenant }) };
}

function parseAction(event: Readonly<Record<string, unknown>>): RequestedAction {
  const { accept, verify, slot, scheduledTime } = event;
  const chosen = choices.filter((key) => event[key] !== undefined);
  if (chosen.length > 1) {
    throw createLambdaEventError(`it has ${chosen.join(' and ')}, of which only one is allowed`);
  }
  if (accept !== undefined) {
    if (event.dryRun !== undefined) {
      throw createLambdaEventError('accept always writes, so it cannot be combined with dryRun');
    }
    return { is: 'accept', slot: parseSlotDate(accept, 'accept') };
  }
  if (verify !== undefined) {
    if (event.dryRun !== undefined) {
      throw createLambdaEventError('verify never writes, so it is not combined with dryRun');
    }
    return verify === true ? { is: 'verify' } : { is: 'verify', slot: parseSlotDate(verify, 'verify') };
  }
  const dryRun = event.dryRun ?? false;
  if (typeof dryRun !== 'boolean') {
    throw createLambdaEventError(`dryRun is ${quoteValue(dryRun)}; it must be true or false`);
  }
  return {
    is: 'night',
    dryRun,
    ...omitUndefined({
      slot: slot === undefined ? undefined : parseSlotDate(slot, 'slot'),
      scheduledTime: scheduledTime === undefined ? undefined : parseScheduledTime(scheduledTime, refuseScheduledTime),
    }),
  };
}

/** A key as the list of the bucket has it. It names a file in one folder, so that no event can lead anywhere else. */
function parseTenantSettings(value: unknown): string {
  const tenant = typeof value === 'string' ? parseTenantKey(value) : undefined;
  if (tenant === undefined) {
    throw createLambdaEventError(
      `settings is ${quoteValue(value)}; it must be a tenant's file such as settings/tenants/acme.yaml`,
    );
  }
  return tenant;
}

function parseSlotDate(value: unknown, key: string): string {
  if (typeof value === 'string' && isCalendarDate(value)) {
    return value;
  }
  throw createLambdaEventError(`${key} is ${quoteValue(value)}; it must be a date such as 2026-11-20`);
}

function refuseScheduledTime(why: string): never {
  throw createLambdaEventError(`scheduledTime: ${why}`);
}

export function createLambdaEventError(why: string): MusterError {
  return new MusterError(
    'event-invalid',
    `The event was rejected: ${why}. Send {"scheduledTime": …} or, by hand, {"slot": …}, {"accept": …} or {"verify": true}; ` +
      'add {"dryRun": true} to write nothing.',
  );
}
