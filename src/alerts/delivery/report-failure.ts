/**
 * A run that failed has published nothing that a message could belong to, so its failure is reported at once, without
 * a guarantee; the CloudWatch alarm and the heartbeat are the reliable signals. It is reported once for each slot, as
 * far as the store can record that.
 */

import { MusterError } from '../../base/errors.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { startTimeLimit } from '../../base/time-limit.ts';
import { addDays } from '../../core/facts/calendar.ts';
import { readCurrentRun } from '../../storage/commits/log.ts';
import { parseSlotFromKey } from '../../storage/keys.ts';
import type { Store } from '../../storage/store.ts';
import { withDeadline } from '../../storage/with-deadline.ts';
import { selectEvents } from '../message/digest-event.ts';
import { buildFailureMessage } from '../message/other-messages.ts';
import type { AlertContext } from './compose-messages.ts';
import { sendToChannel } from './deliver.ts';
import { createIfAbsent } from './marks.ts';

/** How many slots before this one can have failed reports that no run has resolved yet. */
const longestSearchDays = 31;

/**
 * Slots whose failure was reported since the current run was published: the run that follows it resolves them.
 * The slot of the current run is among them where a later start at it failed.
 */
export async function listReportedFailures(
  store: Store,
  slot: string,
  current: { readonly slot: string; readonly number: number } | undefined,
): Promise<string[]> {
  const longestAgo = addDays(slot, -longestSearchDays);
  const first = current !== undefined && current.slot > longestAgo ? current.slot : longestAgo;
  const slots = new Set<string>();
  for await (const key of store.list('runs/', `runs/${first}`)) {
    const failed = parseSlotFromKey(key) ?? '';
    if (key.startsWith(toFailureFolder(failed)) && failed <= slot) {
      const record = await readFailureMarker(store, key);
      if (record !== undefined && (current === undefined || !isReportedBefore(record, current.number))) {
        slots.add(failed);
      }
    }
  }
  return [...slots];
}

function readFailureMarker(store: Store, key: string): Promise<Buffer | undefined> {
  return store.read(key).catch(() => undefined);
}

/** Before the current run. A marker without a number, since the log could not be read, counts as one of the last failure. */
function isReportedBefore(record: Buffer, number: number): boolean {
  try {
    const { after } = JSON.parse(record.toString('utf8')) as { after?: number };
    return after !== undefined && after < number;
  } catch {
    return false;
  }
}

function toFailureFolder(slot: string): string {
  return `runs/${slot}/failed/`;
}

interface FailedRun {
  readonly agent: string;
  readonly slot: string;
  readonly error: MusterError;
  readonly store: Store;
  /** Longest time for all of it, in milliseconds. */
  readonly timeLimit: number;
}

export async function reportFailure(
  { agent, slot, error, store, timeLimit }: FailedRun,
  alerts: AlertContext,
): Promise<void> {
  const late = new MusterError('deadline', 'There was no more time to report the failure.');
  using limit = startTimeLimit(timeLimit, late);
  const limited = withDeadline(store, limit.signal);
  // The run may have failed because its store hangs: then half of the time is left to send.
  using readLimit = startTimeLimit(timeLimit / 2, late);
  const readable = withDeadline(store, readLimit.signal);
  const failure = buildFailureMessage(agent, slot, error);
  // The commit after which the run failed: 0 before the first. Undefined where the log cannot be read.
  const after = await readCurrentRun(readable).then(
    (current) => current?.commit.number ?? 0,
    () => undefined,
  );
  await Promise.all(
    alerts.channels.map(async (channel) => {
      const marker = `${toFailureFolder(slot)}${channel.name}.json`;
      if (selectEvents(failure.events, channel.only).length === 0 || (await readFailureMarker(readable, marker))) {
        return;
      }
      for (const [index, payload] of channel.render(failure).entries()) {
        const message = { payload, key: `muster/${slot}/failed/${channel.name}-${index + 1}` };
        if (await sendToChannel(channel, message, { ...alerts, signal: limit.signal }, timeLimit)) {
          return;
        }
      }
      const record = { schema: 1, at: alerts.clock.now().toISOString(), ...omitUndefined({ after }) };
      await createIfAbsent(limited, marker, record).catch(() => undefined);
    }),
  );
}
