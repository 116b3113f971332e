/** The messages of a run, kept before any of them is sent. Reading and naming them; sending is the alerts' work. */
import type { AlertEvent } from '../../core/alerts/alert-event.ts';
import { compareCodePoints } from '../../core/order.ts';
import { MusterError, toMusterError } from '../../errors.ts';
import type { Store } from '../store.ts';
import { toAttemptFolder } from './keys.ts';
import { type CurrentRun, type PublishedRun, readRun, readRunFile } from './published-runs.ts';
import { type HeldEvents, type ManifestLink, type OutboxMessage, parseOutbox, type Retraction } from './records.ts';
import { readRetractionRecord } from './retractions.ts';

export interface Outbox {
  readonly messages: readonly OutboxMessage[];
  /** Earlier runs whose outbox could not be read when this one was written: nothing of theirs is carried on here. */
  readonly unread?: readonly ManifestLink[];
  /** For weekly summaries. */
  readonly held?: readonly HeldEvents[];
}

export function serializeOutbox(outbox: Outbox): Buffer {
  return Buffer.from(`${JSON.stringify({ schema: 1, ...outbox })}\n`);
}

async function readOutbox(store: Store, run: PublishedRun): Promise<Outbox> {
  const { key, body } = await readRunFile(store, run, 'outbox.json');
  return parseOutbox(body, key) as Outbox;
}

/** Who sends a message claims it there; it is marked there when it is delivered, whichever run it was sent by. */
export function toDeliveredKey({ slot, attempt, channel, part }: OutboxMessage): string {
  return `${toAttemptFolder(slot, attempt)}delivered/${channel}-${part}.json`;
}

export function toClaimKey({ slot, attempt, channel, part }: OutboxMessage, number: number): string {
  return `${toAttemptFolder(slot, attempt)}claims/${channel}-${part}-${number}.json`;
}

/** The same mark in a run that carries the message on: it outlives the run that had it first. */
export function toCarriedDeliveredKey(
  { slot, attempt, channel, part }: OutboxMessage,
  run: PublishedRun,
): string | undefined {
  const { manifest } = run;
  if (manifest.slot === slot && manifest.attempt === attempt) {
    return undefined;
  }
  return `${toAttemptFolder(manifest.slot, manifest.attempt)}delivered/${slot}-${attempt}-${channel}-${part}.json`;
}

/** False when somebody else was first. */
export async function createIfAbsent(store: Store, key: string, record: object): Promise<boolean> {
  try {
    await store.create(key, Buffer.from(`${JSON.stringify(record)}\n`));
    return true;
  } catch (error) {
    if (error instanceof MusterError && error.code === 'key-taken') {
      return false;
    }
    throw error;
  }
}

export interface PendingMessages {
  /** Messages that nobody has marked as delivered, those of earlier runs first. */
  readonly messages: readonly OutboxMessage[];
  /** Messages that earlier runs had first, delivered or not. */
  readonly carried: readonly OutboxMessage[];
  /** For weekly summaries, oldest first. */
  readonly held: readonly HeldEvents[];
  /** Runs whose messages could not be read, and why. */
  readonly unread: readonly { readonly link?: ManifestLink; readonly error: MusterError }[];
}

/**
 * Of the run that stands, of the earlier ones whose outbox could not be read when it was published, and of retractions
 * since. The outbox of the last run that was retracted has also what the run that stands has not delivered: whoever
 * missed its messages gets them before those of its retraction.
 */
export async function readPendingMessages(store: Store, run: CurrentRun): Promise<PendingMessages> {
  const messages: OutboxMessage[] = [];
  const carried: OutboxMessage[] = [];
  const held: HeldEvents[] = [];
  const unread: { link?: ManifestLink; error: MusterError }[] = [];
  const retractions = run.pointer.retracted ?? [];
  const last = findLastRetracted(retractions);
  const links: ManifestLink[] = [last ?? run.link];
  for (const link of links) {
    try {
      const one = link === run.link ? run : await readRun(store, link);
      const outbox = await readOutbox(store, one);
      links.push(
        ...(outbox.unread ?? []).filter(({ manifest }) => links.every((known) => known.manifest !== manifest)),
      );
      held.unshift(...(outbox.held ?? []));
      messages.unshift(...(await selectPending(store, one, outbox.messages)));
      carried.push(...outbox.messages.filter((message) => toCarriedDeliveredKey(message, run) !== undefined));
    } catch (error) {
      unread.push({ link, error: toUnreadReason(error, link.manifest) });
      if (link === last) {
        links.push(run.link);
      }
    }
  }
  const ofRetractions: OutboxMessage[] = [];
  for (const retraction of retractions) {
    try {
      ofRetractions.push(...(await readRetractionRecord(store, retraction)).messages);
    } catch (error) {
      unread.push({ error: toUnreadReason(error, retraction.record.key) });
    }
  }
  messages.push(...(await selectPending(store, run, ofRetractions)));
  carried.push(...ofRetractions);
  return { messages, carried, held: dropResolved(held, ofRetractions), unread };
}

/** The one that was published last: of the latest slot, and of its attempts the one that was retracted last. */
function findLastRetracted(retractions: readonly Retraction[]): Retraction | undefined {
  const slot = retractions
    .map((retraction) => retraction.slot)
    .toSorted(compareCodePoints)
    .at(-1);
  return retractions.findLast((retraction) => retraction.slot === slot);
}

/** What was held of a retracted run, and is resolved by its retraction. */
function dropResolved(held: readonly HeldEvents[], retractions: readonly OutboxMessage[]): readonly HeldEvents[] {
  return held.flatMap((one) => {
    const own = retractions.filter(({ channel }) => channel === one.channel);
    const events = dropSuperseded(
      one.events,
      own.flatMap((message) => message.events ?? []),
    );
    return events.length === 0 ? [] : [{ ...one, events }];
  });
}

/** Events that wait, without those of alerts about which a later event was sent at once. */
export function dropSuperseded(
  waiting: readonly AlertEvent[],
  sent: readonly Pick<AlertEvent, 'key'>[],
): readonly AlertEvent[] {
  const keys = new Set(sent.map(({ key }) => key));
  return waiting.filter(({ key }) => !keys.has(key));
}

/** Without time, the others cannot be read either. */
function toUnreadReason(error: unknown, key: string): MusterError {
  const reason = toMusterError(error, `Reading the messages of ${key}`);
  if (reason.code === 'deadline') {
    throw reason;
  }
  return reason;
}

async function selectPending(
  store: Store,
  run: PublishedRun,
  messages: readonly OutboxMessage[],
): Promise<OutboxMessage[]> {
  const marks = await listMarkers(store, run, messages);
  return messages.filter(
    (message) => !marks.has(toDeliveredKey(message)) && !marks.has(toCarriedDeliveredKey(message, run) ?? ''),
  );
}

async function listMarkers(
  store: Store,
  run: PublishedRun,
  messages: readonly OutboxMessage[],
): Promise<ReadonlySet<string>> {
  const keys = messages.flatMap((message) => [
    toDeliveredKey(message),
    toCarriedDeliveredKey(message, run) ?? toDeliveredKey(message),
  ]);
  const folders = new Set(keys.map((key) => key.slice(0, key.lastIndexOf('/') + 1)));
  const marks = new Set<string>();
  for (const folder of folders) {
    for await (const key of store.list(folder)) {
      marks.add(key);
    }
  }
  return marks;
}
