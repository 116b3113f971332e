/** The marks of a message in the store: who sends it, and whether it is delivered. A mark is made once, or not at all. */

import { randomUUID } from 'node:crypto';
import { MusterError } from '../../base/errors.ts';
import type { Clock } from '../../http/clock.ts';
import type { PublishedRun } from '../../storage/commits/commit.ts';
import { toAttemptFolder } from '../../storage/keys.ts';
import type { OutboxMessage } from '../../storage/runs/outbox-record.ts';
import type { Store } from '../../storage/store.ts';

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
  { commit }: PublishedRun,
): string | undefined {
  if (commit.slot === slot && commit.attempt === attempt) {
    return undefined;
  }
  return `${toAttemptFolder(commit.slot, commit.attempt)}delivered/${slot}-${attempt}-${channel}-${part}.json`;
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

/** Longer than sending may take, with what is written before and after it. */
const claimLifetime = 90_000;
const claimPollInterval = 2_000;

/** The key of our claim; undefined when the message was delivered meanwhile. */
export async function claimMessage(
  store: Store,
  message: OutboxMessage,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const isDelivered = async () => (await store.read(toDeliveredKey(message))) !== undefined;
  let number = 1;
  let seen: number | undefined;
  for (;;) {
    if (await isDelivered()) {
      return undefined;
    }
    const key = toClaimKey(message, number);
    const existing = await store.read(key);
    if (existing === undefined) {
      const record = { schema: 1, at: clock.now().toISOString(), by: randomUUID() };
      if (!(await createIfAbsent(store, key, record))) {
        continue;
      }
      // The last holder may have delivered it between our check and our claim.
      return (await isDelivered()) ? undefined : key;
    }
    seen ??= clock.elapsed();
    // The claim's own date decides, but never for longer than its lifetime: the other process's clock may be ahead.
    const left = Math.min(computeClaimTimeLeft(existing, clock.now()), seen + claimLifetime - clock.elapsed());
    if (left > 0) {
      await clock.sleep(Math.min(left, claimPollInterval), signal);
    } else {
      number += 1;
      seen = undefined;
    }
  }
}

function computeClaimTimeLeft(claim: Buffer, now: Date): number {
  try {
    const { at } = JSON.parse(claim.toString('utf8')) as { at?: string };
    const left = Date.parse(at ?? '') + claimLifetime - now.getTime();
    return Number.isNaN(left) ? 0 : left;
  } catch {
    return 0;
  }
}
