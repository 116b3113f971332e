/** Which messages wait: of the run that stands, of earlier ones that could not be read, and of retractions. */
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
    unread: unread.map(({ run, error }) => `${run?.commit.number ?? 'retraction'} ${error.code}`),
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
  it('are those of the run that stands without a mark, in either place', async () => {
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

describe('messages after a retraction', () => {
  /** Three runs, and the last two taken back, the third first; what the retracted ones had to send. */
  async function retractTwo(
    outboxes: Readonly<Record<string, object>>,
    records: Readonly<Record<string, object[]>> = {},
  ) {
    const store = makeStore();
    for (const slot of [first, second, third]) {
      await writeCommit(store, slot, withOutbox(outboxes[slot] ?? {}));
    }
    const retractions = [
      await writeRetraction(store, third, 2, records[third]),
      await writeRetraction(store, second, 1, records[second]),
    ];
    return { store, retractions };
  }

  it('are those of the last run that was retracted, which carries on what waited, then those of the retractions', async () => {
    const outboxes = {
      [first]: { messages: [makeMessage(first)] },
      [second]: { messages: [makeMessage(second)] },
      [third]: { messages: [makeMessage(first, { part: 2 }), makeMessage(third)] },
    };
    const own = { channel: 'soc', part: 1, payload: 'x' };
    const { store, retractions } = await retractTwo(outboxes, { [second]: [own], [third]: [own] });
    const folders = retractions.map(({ commit }) => `${commit.slot}/${commit.attempt}`);
    const keys = folders.map((folder) => `muster/${folder}/soc-1`);

    expect(await readPending(store)).toMatchObject({
      messages: [`${first}-2`, `${third}-1`, ...keys],
      carried: [`${third}-1`, ...keys],
      unread: [],
    });
    await store.put(`runs/${folders[1]}/delivered/soc-1.json`, Buffer.from('{}'));
    expect((await readPending(store)).messages).not.toContain(keys[1]);
  });

  it('are of the attempt that was published last, where the slot had several', async () => {
    const store = makeStore();
    await writeCommit(store, first, withOutbox({}));
    for (const attempt of ['b', 'a']) {
      const outbox = withOutbox({ messages: [makeMessage(second, { attempt, key: attempt })] });
      await writeCommit(store, second, { attempt, ...outbox });
    }
    await writeRetraction(store, second, 1);

    expect((await readPending(store)).messages).toEqual(['a']);
  });

  it('are those of the run that stands where the retracted one cannot be read', async () => {
    const { store } = await retractTwo({ [first]: { messages: [makeMessage(first)] } });
    await store.put(`runs/${third}/a/outbox.json`, Buffer.from('damaged'));

    expect(await readPending(store)).toMatchObject({
      messages: [`${first}-1`],
      unread: ['3 store-damaged'],
    });
  });

  it('of a retraction whose record is damaged are named without a run, and stop no other', async () => {
    const outboxes = { [third]: { messages: [makeMessage(third)] } };
    const { store, retractions } = await retractTwo(outboxes, { [second]: [{ channel: 'soc', part: 1, payload: '' }] });
    const [damaged, kept] = retractions.map(({ commit }) => `${commit.slot}/${commit.attempt}`);
    await store.put(`runs/${damaged}/outbox.json`, Buffer.from('damaged'));

    expect(await readPending(store)).toMatchObject({
      messages: [`${third}-1`, `muster/${kept}/soc-1`],
      unread: ['retraction store-damaged'],
    });
  });

  it('leave out of a weekly summary what its own channel is told at once, and nothing else', async () => {
    const events = [{ key: 'device:1' }, { key: 'device:2' }];
    const held = ['soc', 'mail', 'pager'].map((channel) => ({ channel, since: first, events }));
    const message = (channel: string, keys: readonly string[]) => ({
      channel,
      part: 1,
      payload: '',
      events: keys.map(toEvent),
    });
    const records = { [second]: [message('soc', ['device:1']), message('mail', ['device:1', 'device:2'])] };
    const { store } = await retractTwo({ [third]: { held } }, records);

    expect((await readPending(store)).held).toEqual([`soc ${first} device:2`, `pager ${first} device:1,device:2`]);
  });
});

test('a later event about an alert takes the place of the one that waits', () => {
  const [one, two] = [toEvent('a'), toEvent('b')];
  expect(dropSuperseded([one, two], [{ key: 'b' }, { key: 'c' }])).toEqual([one]);
});
