/** Parses the event of the function, from EventBridge Scheduler or a person. Rejects anything else with its key. */
import { MusterError } from '../base/errors.ts';
import { isRecord } from '../base/is-record.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { isCalendarDate } from '../core/time/calendar.ts';
import { parseScheduledTime, quoteValue } from '../settings/schedule/scheduled-time.ts';
import { parseTenantKey } from '../settings/tenants.ts';

export type LambdaRunRequest = RequestedAction & {
  /** The tenant whose settings apply; without one, the deployment's own. */
  readonly tenant?: string;
};

type RequestedAction = RequestedNight | RequestedVerification | RequestedCorrection;

interface RequestedNight {
  readonly action: 'night';
  /** The slot; without it and a scheduled time, the last scheduled slot. */
  readonly slot?: string;
  readonly scheduledTime?: Date;
  readonly dryRun: boolean;
}

interface RequestedVerification {
  readonly action: 'verify';
  /** The slot; without it, all kept runs. */
  readonly slot?: string;
}

/** A person's decision about published runs. */
export type RequestedCorrection =
  | { readonly action: 'accept'; readonly slot: string }
  | { readonly action: 'retract'; readonly slot: string; readonly why: string }
  | { readonly action: 'prune' };

type Event = Readonly<Record<string, unknown>>;

/** Keys that name the action, of which an event has at most one. */
const choices = ['scheduledTime', 'slot', 'accept', 'retract', 'prune', 'verify'];
const eventKeys: readonly string[] = [...choices, 'why', 'dryRun', 'settings'];

/** Characters of a reason, which the log keeps forever, and which messages contain. */
const longestReason = 500;

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

function parseAction(event: Event): RequestedAction {
  const chosen = choices.filter((key) => event[key] !== undefined);
  if (chosen.length > 1) {
    throw createLambdaEventError(`it has ${chosen.join(' and ')}, of which only one is allowed`);
  }
  const [choice] = chosen;
  if (event.why !== undefined && choice !== 'retract') {
    throw createLambdaEventError('it has why, which belongs to retract');
  }
  if (choice === undefined || choice === 'slot' || choice === 'scheduledTime') {
    return parseNight(event);
  }
  if (event.dryRun !== undefined) {
    const does = choice === 'verify' ? 'never writes, so it is not' : 'always writes, so it cannot be';
    throw createLambdaEventError(`${choice} ${does} combined with dryRun`);
  }
  return parseByHand(event, choice);
}

function parseNight({ slot, scheduledTime, dryRun = false }: Event): RequestedNight {
  if (typeof dryRun !== 'boolean') {
    throw createLambdaEventError(`dryRun is ${quoteValue(dryRun)}; it must be true or false`);
  }
  return {
    action: 'night',
    dryRun,
    ...omitUndefined({
      slot: slot === undefined ? undefined : parseSlotDate(slot, 'slot'),
      scheduledTime: scheduledTime === undefined ? undefined : parseScheduledTime(scheduledTime, refuseScheduledTime),
    }),
  };
}

function parseByHand(event: Event, choice: string): RequestedVerification | RequestedCorrection {
  const { accept, retract, why, prune, verify } = event;
  switch (choice) {
    case 'accept':
      return { action: 'accept', slot: parseSlotDate(accept, 'accept') };
    case 'retract':
      return { action: 'retract', slot: parseSlotDate(retract, 'retract'), why: parseReason(why) };
    case 'prune':
      if (prune !== true) {
        throw createLambdaEventError(`prune is ${quoteValue(prune)}; it must be true`);
      }
      return { action: 'prune' };
    default:
      return verify === true ? { action: 'verify' } : { action: 'verify', slot: parseSlotDate(verify, 'verify') };
  }
}

function parseReason(why: unknown): string {
  const reason = typeof why === 'string' ? why.trim() : '';
  if (reason === '' || reason.length > longestReason) {
    const found = typeof why === 'string' ? `text of ${reason.length} characters` : quoteValue(why);
    throw createLambdaEventError(
      `why is ${found}; retract needs the reason, as text of 1 to ${longestReason} characters`,
    );
  }
  return reason;
}

/** Parses a settings key of the bucket. It must name a file in the tenants' folder, so that no event can lead elsewhere. */
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
    `The event was rejected: ${why}. Send {"scheduledTime": …} or, by hand, {"slot": …}, {"accept": …}, ` +
      '{"retract": …, "why": …}, {"prune": true} or {"verify": true}; with "slot" or "scheduledTime", add {"dryRun": true} ' +
      'to write nothing.',
  );
}
