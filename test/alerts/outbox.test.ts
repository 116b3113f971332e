/** Which messages wait: of the current run, and of earlier ones that could not be read. */
import { describe, expect, it, test } from 'vitest';
import type { Channel } from '../../src/alerts/channel.ts';
import { createIfAbsent, toCarriedDeliveredKey, toClaimKey, toDeliveredKey } from '../../src/alerts/delivery/marks.ts';
import { dropSuperseded, isMessageOf, readPendingMessages } from '../../src/alerts/delivery/outbox.ts';
import { MusterError } from '../../src/base/errors.ts';
import type { AlertEvent } from '../../src/core/facts/alert-event.ts';
import type { OutboxMessage } from '../../src/storage/runs/outbox-record.ts';
import type { Store } from '../../src/storage/store.ts';
import {
  first,
  makeStore,
  readRunThatStands,
  second,
  third,
  writeCommit,
  writeRetraction,
} from '../storage/written-runs.ts';

function makeMessage(slot: string, more: Partial<OutboxMessage> = {}): OutboxMessage {
  return { channel: 'soc', part: 1, key: `${slot}-${more.part ?? 1}`, slot, attempt: 'a', payload: 'x', ...more };
}

function toEvent(key: string): AlertEvent {
  return { kind: 'device.lost', key, phase: 'first', slot: first, since: first };
}

function withOutbox(outbox: object) {
  return { files: { 'outbox.json': JSON.stringify({ schema: 1, messages: [], ...outbox }) } };
}

async function readPending(store: Store) {
  const { messages, carried, held, unread } = await readPendingMessages(store, await readRunThatStands(store));
  return {
    messages: messages.map(({ key }) => key),
    carried: carried.map(({ key }) => key),
    held: held.map(({ channel, since, events }) => `${channel} ${since} ${events.map(({ key }) => key)}`),
    unread: unread.map(({ run, error }) => `${run.commit.number} ${error.code}`),
  };
}

describe('the marks of a message', () => {
  const message = makeMessage(first, { part: 2 });

  it('lie in the run that had it first, and of a run that carries it on in that one, too', async () => {
    const store = makeStore();
    const run = (slot: string, attempt: string) => writeCommit(store, slot, { attempt });
    expect(toDeliveredKey(message)).toBe(`runs/${first}/a/delivered/soc-2.json`);
    expect(toClaimKey(message, 3)).toBe(`runs/${first}/a/claims/soc-2-3.json`);
    expect(toCarriedDeliveredKey(message, await run(first, 'a'))).toBeUndefined();
    expect(toCarriedDeliveredKey(message, await run(first, 'b'))).toBe(
      `runs/${first}/b/delivered/${first}-a-soc-2.json`,
    );
    expect(toCarriedDeliveredKey(message, await run(second, 'a'))).toBe(
      `runs/${second}/a/delivered/${first}-a-soc-2.json`,
    );
  });

  it('are made once; a store that fails has made none', async () => {
    const store = makeStore();
    expect(await createIfAbsent(store, 'runs/x/claim.json', { by: 1 })).toBe(true);
    expect(await createIfAbsent(store, 'runs/x/claim.json', { by: 2 })).toBe(false);
    expect((await store.read('runs/x/claim.json'))?.toString()).toBe('{"by":1}\n');
    for (const error of [
      new MusterError('store-unreachable', 'Away.'),
      Object.assign(new Error(), { code: 'key-taken' }),
    ]) {
      const failing = { ...store, create: () => Promise.reject(error) };
      await expect(createIfAbsent(failing, 'runs/y', {})).rejects.toBe(error);
    }
  });
});

it.each([
  [{ name: 'soc', address: 'a' }, true],
  [{ name: 'soc', address: 'b' }, false],
  [{ name: 'mail', address: 'a' }, false],
])('a message to soc at address a is for the channel %j: %s', (channel, isFor) => {
  expect(isMessageOf({ channel: 'soc', address: 'a' }, channel as Channel)).toBe(isFor);
});

describe('messages that wait', () => {
  it('are those of the current run without a mark, in either place', async () => {
    const store = makeStore();
    const messages = [1, 2, 3, 4].map((part) => makeMessage(part === 4 ? second : first, { part }));
    await writeCommit(store, first);
    await writeCommit(store, second, withOutbox({ messages }));
    await store.put(`runs/${first}/a/delivered/soc-1.json`, Buffer.from('{}'));
    await store.put(`runs/${second}/a/delivered/${first}-a-soc-2.json`, Buffer.from('{}'));
    // Another's mark, and a claim, which says nothing of delivery.
    await store.put(`runs/${second}/a/delivered/mail-4.json`, Buffer.from('{}'));
    await store.put(`runs/${second}/a/claims/soc-4-1.json`, Buffer.from('{}'));

    expect(await readPending(store)).toEqual({
      messages: [`${first}-3`, `${second}-4`],
      held: [],
      unread: [],
      carried: [`${first}-1`, `${first}-2`, `${first}-3`],
    });
  });

  it('are those of a retracted run, too, which the run that takes it back carries on', async () => {
    const store = makeStore();
    const waiting = [1, 2].map((part) => makeMessage(second, { part }));
    await writeCommit(store, first, withOutbox({ messages: [makeMessage(first)] }));
    const taken = await writeCommit(store, second, withOutbox({ messages: waiting }));
    const again = makeMessage(first, { attempt: 'a-again', key: 'again' });
    const { commit } = await writeRetraction(store, second, 1, {
      ...withOutbox({ messages: [...waiting, again] }),
      attempt: 'a-again',
    });
    expect(await readPending(store)).toEqual({
      messages: [`${second}-1`, `${second}-2`, 'again'],
      carried: [`${second}-1`, `${second}-2`],
      held: [],
      unread: [],
    });
    await store.put(`runs/${second}/${taken.commit.attempt}/delivered/soc-1.json`, Buffer.from('{}'));
    await store.put(`runs/${first}/${commit.attempt}/delivered/${second}-a-soc-2.json`, Buffer.from('{}'));
    expect((await readPending(store)).messages).toEqual(['again']);
  });

  it('are also those of earlier runs that could not be read when this one was written, oldest first, each once', async () => {
    const store = makeStore();
    let unread: number[] = [];
    for (const slot of [first, second, third]) {
      const held = [{ channel: 'soc', since: slot, events: [{ key: slot }] }];
      const { commit } = await writeCommit(store, slot, withOutbox({ messages: [makeMessage(slot)], held, unread }));
      unread = [commit.number, ...unread];
    }

    expect(await readPending(store)).toEqual({
      messages: [`${first}-1`, `${second}-1`, `${third}-1`],
      carried: [`${second}-1`, `${first}-1`],
      held: [`soc ${first} ${first}`, `soc ${second} ${second}`, `soc ${third} ${third}`],
      unread: [],
    });
  });

  it('of runs that still cannot be read are named, and the others are there', async () => {
    const store = makeStore();
    await writeCommit(store, first, withOutbox({ messages: [{}] }));
    await writeCommit(store, second, withOutbox({ messages: [makeMessage(second)], unread: [1] }));

    expect(await readPending(store)).toMatchObject({ messages: [`${second}-1`], unread: ['1 store-damaged'] });
  });

  it('are not given up one by one where no time is left', async () => {
    const store = makeStore();
    await writeCommit(store, first, withOutbox({}));
    const current = await readRunThatStands(store);
    const late = { ...store, read: () => Promise.reject(new MusterError('deadline', 'No time was left.')) };
    await expect(readPendingMessages(late, current)).rejects.toMatchObject({ code: 'deadline' });
  });
});

test('a later event about an alert takes the place of the one that waits', () => {
  const [one, two] = [toEvent('a'), toEvent('b')];
  expect(dropSuperseded([one, two], [{ key: 'b' }, { key: 'c' }])).toEqual([one]);
});
