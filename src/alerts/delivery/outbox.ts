/** Messages that wait: those of the current run, and what earlier runs left. */

import { type MusterError, toMusterError } from '../../base/errors.ts';
import type { AlertEvent } from '../../core/facts/alert-event.ts';
import type { PublishedRun } from '../../storage/commits/commit.ts';
import { requireCommit } from '../../storage/commits/log.ts';
import { toCommitKey } from '../../storage/keys.ts';
import { type HeldEvents, type OutboxMessage, parseOutbox } from '../../storage/runs/outbox-record.ts';
import { readRunFile } from '../../storage/runs/run-files.ts';
import type { Store } from '../../storage/store.ts';
import type { Channel } from '../channel.ts';
import { toCarriedDeliveredKey, toDeliveredKey } from './marks.ts';

/** Name and address decide: a channel that took the name of another gets nothing that was meant for that one. */
export function isMessageOf(message: Pick<OutboxMessage, 'channel' | 'address'>, { name, address }: Channel): boolean {
  return message.channel === name && message.address === address;
}

export interface PendingMessages {
  /** Messages that nobody has marked as delivered, those of earlier runs first. */
  readonly messages: readonly OutboxMessage[];
  /** Messages that earlier runs had first, delivered or not. */
  readonly carried: readonly OutboxMessage[];
  /** Events that wait for weekly summaries, oldest first. */
  readonly held: readonly HeldEvents[];
  /** Runs whose messages could not be read, and why. */
  readonly unread: readonly { readonly run: PublishedRun; readonly error: MusterError }[];
}

/** Reads the messages of the run that wait, and those of earlier ones whose outbox could not be read when it was published. */
export async function readPendingMessages(store: Store, run: PublishedRun): Promise<PendingMessages> {
  const messages: OutboxMessage[] = [];
  const carried: OutboxMessage[] = [];
  const held: HeldEvents[] = [];
  const unread: { run: PublishedRun; error: MusterError }[] = [];
  const runs = [run];
  for (const one of runs) {
    try {
      const { key, body } = await readRunFile(store, one, 'outbox.json');
      const outbox = parseOutbox(body, key);
      for (const number of outbox.unread ?? []) {
        if (runs.every(({ commit }) => commit.number !== number)) {
          runs.push(await requireCommit(store, number));
        }
      }
      held.unshift(...(outbox.held ?? []));
      messages.unshift(...(await selectPending(store, one, outbox.messages)));
      carried.push(...outbox.messages.filter((message) => toCarriedDeliveredKey(message, run) !== undefined));
    } catch (error) {
      unread.push({ run: one, error: toUnreadReason(error, toCommitKey(one.commit.number)) });
    }
  }
  return { messages, carried, held, unread };
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
  const toMarkers = (message: OutboxMessage) => [
    toDeliveredKey(message),
    toCarriedDeliveredKey(message, run) ?? toDeliveredKey(message),
  ];
  const folders = new Set(messages.flatMap(toMarkers).map((key) => key.slice(0, key.lastIndexOf('/') + 1)));
  const marks = new Set<string>();
  for (const folder of folders) {
    for await (const key of store.list(folder)) {
      marks.add(key);
    }
  }
  return messages.filter((message) => toMarkers(message).every((key) => !marks.has(key)));
}
