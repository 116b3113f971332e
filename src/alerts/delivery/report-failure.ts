/**
 * Reports a failed run at once, without a guarantee, since it published nothing that a message could belong to; the
 * CloudWatch alarm and the heartbeat are the reliable signals. The same failure of the same slot on the same head is
 * reported once, as far as the store can record that. The records are not signed: a forged one hides a failure, and
 * makes the next run report that failure as ended.
 */

import { MusterError } from '../../base/errors.ts';
import { startTimeLimit } from '../../base/time-limit.ts';
import { addDays, isCalendarDate } from '../../core/time/calendar.ts';
import { readLatest } from '../../storage/commits/latest.ts';
import { listCommitNumbers } from '../../storage/commits/log.ts';
import { parseDeliveryKey, toChannelFolder, toFailureKey } from '../../storage/keys.ts';
import type { Store } from '../../storage/store.ts';
import { serializeRecord } from '../../storage/stored-json.ts';
import { withDeadline } from '../../storage/with-deadline.ts';
import { selectEvents } from '../message/digest-event.ts';
import { buildFailureMessage } from '../message/other-messages.ts';
import type { AlertContext } from './alert-context.ts';
import { create } from './channel-folder.ts';
import { sendToChannel } from './send.ts';

/** Days before this slot in which failures are searched that no run has ended yet. */
const longestSearchDays = 31;

/** Slots whose failures were reported since the head was published; the next run ends them. */
export async function listReportedFailures(
  store: Store,
  { channels }: Pick<AlertContext, 'channels'>,
  slot: string,
  head: number,
): Promise<string[]> {
  const slots = new Set<string>();
  for (const { name } of channels) {
    const folder = toChannelFolder(name);
    for await (const key of store.list(folder, `${folder}failed-${addDays(slot, -longestSearchDays)}`)) {
      const failure = parseDeliveryKey(key);
      if (
        failure?.kind === 'failure' &&
        isCalendarDate(failure.slot) &&
        failure.slot <= slot &&
        failure.head === head
      ) {
        slots.add(failure.slot);
      }
    }
  }
  return [...slots].sort();
}

interface FailedRun {
  readonly agent: string;
  readonly slot: string;
  readonly error: MusterError;
  readonly store: Store;
  /** Milliseconds for everything. */
  readonly timeLimit: number;
}

export async function reportFailure(
  { agent, slot, error, store, timeLimit }: FailedRun,
  alerts: AlertContext,
): Promise<void> {
  const late = new MusterError('deadline', 'There was no more time to report the failure.');
  using limit = startTimeLimit(timeLimit, late);
  const limited = withDeadline(store, limit.signal);
  // Leaves half of the time for sending, since a hanging store may be why the run failed.
  using readLimit = startTimeLimit(timeLimit / 2, late);
  const readable = withDeadline(store, readLimit.signal);
  const head = await readNewestNumber(readable).catch(() => undefined);
  const failure = buildFailureMessage({ agent, slot, commit: head ?? 0 }, error);
  await Promise.all(
    alerts.channels.map(async (channel) => {
      const { name } = channel;
      const key = toFailureKey(name, slot, head ?? 0, error.code);
      const isReported = head !== undefined && (await readable.read(key).catch(() => undefined)) !== undefined;
      if (selectEvents(failure.events, channel.only).length === 0 || isReported) {
        return;
      }
      for (const [index, payload] of channel.render(failure).entries()) {
        const id = `muster/${slot}/failed/${head ?? 'unknown'}-${error.code}/${name}-${index + 1}`;
        const sending = { ...alerts, key: id, signal: limit.signal };
        if (await sendToChannel(channel, payload, sending, timeLimit)) {
          return;
        }
      }
      const at = alerts.clock.now().toISOString();
      const record = { schema: 1, channel: name, slot, head: head ?? 0, code: error.code, at };
      await create(limited, key, serializeRecord(record)).catch(() => undefined);
    }),
  );
}

/** The number of the newest commit, unchecked; 0 before the first. */
async function readNewestNumber(store: Store): Promise<number> {
  const latest = await readLatest(store).catch(() => undefined);
  return (await listCommitNumbers(store, latest?.number)).at(-1) ?? 0;
}
