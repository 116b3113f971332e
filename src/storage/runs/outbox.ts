/** The messages of a run, kept before any of them is sent. Reading and naming them; sending is the alerts' work. */
import { MusterError } from '../../errors.ts';
import type { Store } from '../store.ts';
import { toAttemptFolder } from './keys.ts';
import { type PublishedRun, readRunFile } from './published-runs.ts';
import { createDamageError, parseStoredJson, refuseNewer } from './records.ts';

export interface OutboxMessage {
  readonly channel: string;
  readonly part: number;
  /** Tells a receiver that it has had this message before; never another's. */
  readonly key: string;
  /** The run that had it to tell first; a later one can carry it on. */
  readonly slot: string;
  readonly attempt: string;
  readonly payload: unknown;
}

export function serializeOutbox(messages: readonly OutboxMessage[]): Buffer {
  return Buffer.from(`${JSON.stringify({ schema: 1, messages })}\n`);
}

export async function readOutbox(store: Store, run: PublishedRun): Promise<readonly OutboxMessage[]> {
  const { key, body } = await readRunFile(store, run, 'outbox.json');
  const value = parseStoredJson(body, key);
  refuseNewer(value, key);
  if (typeof value === 'object' && value !== null && 'messages' in value && Array.isArray(value.messages)) {
    return value.messages as OutboxMessage[];
  }
  throw createDamageError(key, 'it has not the shape of an outbox');
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

/** Messages of a published run that nobody has marked as delivered. */
export async function readPendingMessages(store: Store, run: PublishedRun): Promise<OutboxMessage[]> {
  const messages = await readOutbox(store, run);
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
