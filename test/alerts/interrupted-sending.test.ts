/** Real receivers, a mail server and a web server: killed half-way, refused, or without an answer (G4, G5). */
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import type { Channel } from '../../src/alerts/channel.ts';
import { systemClock } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import type { Disk } from '../../src/storage/folder/disk.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { fakeClock, loopback } from '../http/loopback.ts';
import { keysOf } from '../night/folder.ts';
import { company, slots } from '../night/small.ts';
import { killing, memoryDisk } from '../storage/disks.ts';
import { openPlain } from './channel-subjects.ts';
import { partsWith } from './listeners.ts';
import { openMailServer } from './mail-server.ts';

const [first = '', second = '', third = ''] = slots;

type Answer = 'take' | 'refuse' | 'hang up';

interface Receiver {
  readonly channel: Channel;
  /** Bodies and keys in the order in which they came. */
  readonly received: string[];
  answer: Answer;
  close(): Promise<void>;
}

async function openMail(): Promise<Receiver> {
  const received: string[] = [];
  const made: { answer: Answer } = { answer: 'take' };
  const server = await openMailServer((response, body) => {
    received.push(body.replace(/^(Date|Content-Type|Received):.*$/gim, ''));
    if (made.answer === 'refuse') {
      response.writeHead(550, 'no').end();
    } else if (made.answer === 'take') {
      response.end();
    }
  });
  const { port } = new URL(server.origin);
  const address = { host: '127.0.0.1', port: Number(port), from: 'muster@example.com', to: ['soc@example.com'] };
  const channel = openPlain({ type: 'smtp', ...address, weekly: false }, { idle: 400 });
  return Object.assign(made, { channel, received, close: () => server.close() });
}

async function openHook(): Promise<Receiver> {
  const received: string[] = [];
  const made: { answer: Answer } = { answer: 'take' };
  const server = await loopback(async (request, response: ServerResponse) => {
    received.push(`${request.headers['idempotency-key']} ${await text(request)}`);
    if (made.answer === 'hang up') {
      request.socket.destroy();
    } else {
      response.writeHead(made.answer === 'take' ? 204 : 503).end();
    }
  });
  const channel = openPlain({ type: 'webhook', url: `${server.origin}/hook` }, { idle: 500 });
  return Object.assign(made, { channel, received, close: () => server.close() });
}

let receiver: Receiver | undefined;
afterEach(async () => {
  await receiver?.close();
  receiver = undefined;
});

async function openSetup(open: () => Promise<Receiver>) {
  receiver = await open();
  const { channel } = receiver;
  const disk = memoryDisk();
  const made = company();
  const store = createFolderStore('/store', disk);
  const night = (slot: string, on: Disk = disk) => {
    const { alerts, ...parts } = partsWith(made, createFolderStore('/store', on), [channel], systemClock);
    // Retries wait for no real time.
    return runNight(made.order(slot), { ...parts, ...(alerts && { alerts: { ...alerts, clock: fakeClock() } }) });
  };
  await night(first);
  receiver.received.length = 0;
  return { receiver, made, disk, store, night };
}

describe.each([
  ['a mail server', openMail],
  ['a web server', openHook],
] as const)('%s', (_, open) => {
  it('gets the same bytes again from whoever follows a run that was killed after it was sent', async () => {
    const { receiver: one, disk, night } = await openSetup(open);
    const { received } = one;
    for (let effect = 1; received.length === 0 && effect < 1000; effect += 10) {
      await night(second, killing(disk, effect, 'before').disk).catch(() => undefined);
    }
    await night(second);
    expect(new Set(received).size).toBe(1);
    expect(received.length).toBeLessThanOrEqual(2);
    await night(second);
    expect(received.length).toBeLessThanOrEqual(2);
  });

  it('that took a message and hung up gets the same bytes with the next run, and then what is new', async () => {
    const { receiver: one, made, night, store } = await openSetup(open);
    one.answer = 'hang up';
    made.away.add('windows');
    expect(await night(second)).toMatchObject({ exit: 3, delivery: { undelivered: [{ messages: 1 }] } });
    const [sent] = one.received;
    expect(new Set(one.received).size).toBe(1);
    // That of the message before went with its mark.
    expect((await keysOf(store)).filter((key) => key.endsWith('-1.claim.json'))).toHaveLength(1);
    one.received.length = 0;
    one.answer = 'take';
    made.away.clear();
    expect(await night(third)).toMatchObject({ exit: 0, delivery: { undelivered: [] } });
    expect(one.received[0]).toBe(sent);
    expect(one.received).toHaveLength(2);
  });
});

it('a mail server that refused gets one message about both runs', async () => {
  const { receiver: one, made, night, store } = await openSetup(openMail);
  one.answer = 'refuse';
  made.away.add('windows');
  expect(await night(second)).toMatchObject({
    exit: 3,
    delivery: { undelivered: [{ why: { code: 'channel-refused' } }] },
  });
  expect((await keysOf(store)).filter((key) => key.endsWith('.claim.json'))).toEqual([]);
  await night(third);
  one.received.length = 0;
  one.answer = 'take';
  await night(third);
  expect(one.received.filter((mail) => mail.includes('Since 2026-11-02'))).toHaveLength(1);
  expect(one.received).toHaveLength(1);
});
