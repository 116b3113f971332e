/**
 * Amazon EventBridge: one event a matter, for rules and other programs. The detail is `muster.event`, version 1.
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
import { pluralize } from '../../core/pluralize.ts';
import { MusterError } from '../../errors.ts';
import { maximumTries, ownWait } from '../../http/retry.ts';
import type { Channel, Sending } from '../channel.ts';
import { recordOf } from '../message/event-record.ts';
import { asking, clientOptions, regionOf } from './aws-request.ts';

interface EventBridgeSettings {
  readonly name: string;
  readonly busName?: string;
  readonly source?: string;
  readonly idle?: number;
}

interface Entry {
  readonly Source: string;
  readonly DetailType: string;
  readonly Detail: string;
}

type Calling = (entries: readonly Entry[]) => Promise<readonly { readonly ErrorCode?: string | undefined }[]>;

/** A call takes ten entries and less than 256 kB of them. */
const perCall = 10;
const budget = 256 * 1024 - 1;
/** What is claimed, sent and marked together. */
const perPart = 100;

export function eventBridgeChannel({ name, busName, source = 'muster', idle }: EventBridgeSettings): Channel {
  return {
    name,
    render({ digest, events }) {
      const entries = events.map((event): Entry => {
        return { Source: source, DetailType: event.kind, Detail: JSON.stringify(recordOf(event, digest)) };
      });
      return chunks(entries, perPart).map((part) => ({ entries: part }));
    },
    async send(payload, sending) {
      const { EventBridgeClient, PutEventsCommand } = await import('@aws-sdk/client-eventbridge');
      const client = new EventBridgeClient(clientOptions(regionOf(busName), idle));
      const bus = busName === undefined ? {} : { EventBusName: busName };
      const call: Calling = async (entries) => {
        const command = new PutEventsCommand({ Entries: entries.map((entry) => ({ ...entry, ...bus })) });
        const send = (options: { abortSignal: AbortSignal }) => client.send(command, options);
        const { Entries = [] } = await asking('Amazon EventBridge', 'events:PutEvents', send, sending);
        return Entries;
      };
      try {
        for (const batch of batches((payload as { entries: readonly Entry[] }).entries))
          await put(batch, call, sending);
      } finally {
        client.destroy();
      }
    },
  };
}

/** A call can take some entries and refuse others; only those are sent again. */
async function put(batch: readonly Entry[], call: Calling, { clock, signal, deadline }: Sending): Promise<void> {
  let left = batch;
  for (let tries = 1; ; tries += 1) {
    const answers = await call(left);
    const failed = left.filter((_, index) => answers[index] === undefined || answers[index].ErrorCode !== undefined);
    if (failed.length === 0) return;
    const wait = ownWait(tries, Math.random());
    if (tries >= maximumTries || clock.elapsed() + wait > deadline) {
      const codes = new Set(answers.map(({ ErrorCode }) => ErrorCode).filter((code) => /^\w{1,60}$/.test(code ?? '')));
      const why = [...codes].slice(0, 3).join(', ') || 'no reason given';
      throw new MusterError(
        'channel-refused',
        `Amazon EventBridge did not take ${failed.length} of ${batch.length} ${pluralize(batch.length, 'event')} (${why}).`,
      );
    }
    left = failed;
    await clock.sleep(wait, signal);
  }
}

/** As the service counts: source, type and detail in UTF-8. */
export function sizeOf({ Source, DetailType, Detail }: Entry): number {
  return Buffer.byteLength(Source) + Buffer.byteLength(DetailType) + Buffer.byteLength(Detail);
}

export function batches(entries: readonly Entry[]): Entry[][] {
  const all: Entry[][] = [];
  let room = 0;
  for (const entry of entries) {
    const last = all.at(-1);
    if (last === undefined || last.length === perCall || sizeOf(entry) > room) {
      all.push([entry]);
      room = budget - sizeOf(entry);
    } else {
      last.push(entry);
      room -= sizeOf(entry);
    }
  }
  return all;
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
