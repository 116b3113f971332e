/**
 * Delivery: each channel reads the log, and is sent everything after its last mark. A message is claimed with its
 * range, composed, sent, and then marked: a killed run loses nothing, and the next one sends the same bytes again.
 */
import type { MusterError } from '../../base/errors.ts';
import type { Facts } from '../../core/facts/facts.ts';
import type { PublishedRun } from '../../storage/commits/commit.ts';
import type { LogTrust } from '../../storage/commits/head.ts';
import { readRunEvents } from '../../storage/runs/events-record.ts';
import type { Signing } from '../../storage/signing/signing.ts';
import type { Store } from '../../storage/store.ts';
import { type ReportIgnored, warnOfIgnored } from '../../storage/unnamed-files.ts';
import type { AlertContext } from './alert-context.ts';
import { deliverToChannel, findWaiting, type UndeliveredMessages, type WaitingMessages } from './deliver-to-channel.ts';
import { openDeliveryLog } from './delivery-log.ts';
import { isSameChannel } from './list-channels.ts';

export interface Delivery {
  readonly delivered: readonly { readonly channel: string; readonly messages: number }[];
  readonly undelivered: readonly UndeliveredMessages[];
}

export interface DeliveryParts {
  readonly store: Store;
  readonly signing?: Signing | undefined;
  readonly readTrust: () => Promise<LogTrust>;
  readonly report?: ReportIgnored;
}

/**
 * Sends the channels everything up to a checked commit. Channels do not wait for each other; `unfinished` is the reason
 * why a channel's messages could not be read, claimed or marked.
 */
export async function deliver(
  run: PublishedRun,
  alerts: AlertContext,
  { store, signing, readTrust, report = warnOfIgnored }: DeliveryParts,
): Promise<{ readonly delivery: Delivery; readonly unfinished: unknown }> {
  if (alerts.channels.length === 0) {
    return { delivery: { delivered: [], undelivered: [] }, unfinished: undefined };
  }
  const damage: MusterError[] = [];
  const trust = await readTrust();
  const log = openDeliveryLog(store, run, trust, (one) => damage.push(one));
  const reported = new Set<string>();
  const reportOnce = (ignored: MusterError) => {
    if (reported.size < mostReports && !reported.has(ignored.message)) {
      reported.add(ignored.message);
      report(ignored);
    }
  };
  const parts = { store, log, clock: alerts.clock, signing, keys: trust.keys, report: reportOnce };
  const begun = await listBegunChannels(run, alerts, store);
  const results = await Promise.allSettled(
    begun.map(({ channel, from }) => deliverToChannel(channel, from, alerts, parts)),
  );
  const done = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = results.find((one) => one.status === 'rejected');
  return {
    delivery: {
      delivered: done.flatMap(({ channel, messages }) => (messages === 0 ? [] : [{ channel, messages }])),
      undelivered: done.flatMap(({ undelivered }) => undelivered ?? []),
    },
    unfinished: failed?.reason ?? damage[0],
  };
}

/** The messages that are due to channels and not sent, after the newest run. Sends and writes nothing. */
export async function listWaiting(
  run: PublishedRun,
  alerts: AlertContext,
  { store, readTrust, report = warnOfIgnored }: Omit<DeliveryParts, 'signing'>,
): Promise<readonly WaitingMessages[]> {
  const trust = await readTrust();
  const log = openDeliveryLog(store, run, trust, report);
  const parts = { store, log, clock: alerts.clock, keys: trust.keys, report };
  const begun = await listBegunChannels(run, alerts, store);
  const waiting = begun.map(({ channel, from }) => findWaiting(channel, from, alerts, parts));
  return (await Promise.all(waiting)).flatMap((one) => one ?? []);
}

/** Channels of the settings that the run lists, each with the number of its first commit. */
async function listBegunChannels(run: PublishedRun, { channels }: AlertContext, store: Store) {
  const { channels: listed } = await readRunEvents(store, run);
  return channels.flatMap((channel) => {
    const from = listed.find((one) => isSameChannel(one, channel))?.from;
    return from === undefined ? [] : [{ channel, from }];
  });
}

/** Reports in one run at most; a person who finds these will also look for more. */
const mostReports = 10;

/** Facts about channels that accept no messages, for the run's own alerts. */
export function toUndeliveredFacts(delivery: Delivery | undefined): Pick<Facts, 'undelivered'> {
  const undelivered = delivery?.undelivered ?? [];
  return undelivered.length === 0 ? {} : { undelivered: undelivered.map(({ channel, since }) => ({ channel, since })) };
}

/** Adds up the delivered messages; the later delivery knows those still undelivered. */
export function addDeliveries(earlier: Delivery, later: Delivery): Delivery {
  const sums = new Map(earlier.delivered.map(({ channel, messages }) => [channel, messages]));
  for (const { channel, messages } of later.delivered) {
    sums.set(channel, (sums.get(channel) ?? 0) + messages);
  }
  return { ...later, delivered: [...sums].map(([channel, messages]) => ({ channel, messages })) };
}

export function isDelivered(delivery: Delivery | undefined): boolean {
  return delivery === undefined || delivery.undelivered.length === 0;
}
