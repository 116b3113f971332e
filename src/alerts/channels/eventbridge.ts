/**
 * Amazon EventBridge: one entry for each event, for rules and other programs. The detail is `muster.event`, version 1.
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
import { MusterError } from '../../base/errors.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import { PassingFailure } from '../../http/failures.ts';
import { retryBriefly } from '../../http/retry.ts';
import { describeOptional, textSchema } from '../../settings/fields.ts';
import type { SendContext } from '../channel.ts';
import { defineChannel } from '../channel-kind.ts';
import { toEventRecord } from '../message/event-record.ts';
import { awsServer, buildChannelClientOptions, callWithRetries, parseArnRegion } from './aws-request.ts';
import { splitIntoParts } from './split-parts.ts';

interface PutEventsEntry {
  readonly Source: string;
  readonly DetailType: string;
  readonly Detail: string;
}

type PutEventsCall = (
  entries: readonly PutEventsEntry[],
) => Promise<readonly { readonly ErrorCode?: string | undefined }[]>;

/** Limits of a call: ten entries, together less than 256 kB. */
const entriesPerCall = 10;
const maximumCallBytes = 256 * 1024 - 1;
/** Entries that are claimed, sent and marked together. */
const entriesPerPart = 100;

export const eventBridgeChannel = defineChannel({
  type: 'eventbridge',
  settings: {
    busName: describeOptional(textSchema, 'the name or ARN of the bus', 'default'),
    source: describeOptional(textSchema, 'the source of the events', 'muster'),
  },
  open: ({ busName, source }, { idle }) => ({
    audience: 'programs',
    server: awsServer,
    render({ digest, events }) {
      const entries = events.map((event): PutEventsEntry => {
        return { Source: source, DetailType: event.kind, Detail: JSON.stringify(toEventRecord(event, digest)) };
      });
      return splitIntoParts(entries, { items: entriesPerPart }).map((part) => ({ entries: part }));
    },
    async send(payload, sending) {
      const { EventBridgeClient, PutEventsCommand } = await import('@aws-sdk/client-eventbridge');
      const client = new EventBridgeClient(buildChannelClientOptions(parseArnRegion(busName), idle));
      const call: PutEventsCall = async (entries) => {
        const wanted = entries.map((entry) => ({ ...entry, EventBusName: busName }));
        const command = new PutEventsCommand({ Entries: wanted });
        const send = (options: { abortSignal: AbortSignal }) => client.send(command, options);
        const { Entries = [] } = await callWithRetries('Amazon EventBridge', 'events:PutEvents', send, sending);
        return Entries;
      };
      for (const batch of batchEntries((payload as { entries: readonly PutEventsEntry[] }).entries)) {
        await putEntries(batch, call, sending);
      }
    },
  }),
});

/** Sends a batch; where a call accepts only some entries, sends the rejected ones again. */
async function putEntries(batch: readonly PutEventsEntry[], call: PutEventsCall, sending: SendContext): Promise<void> {
  let pending = batch;
  await retryBriefly(sending, async () => {
    const results = await call(pending);
    pending = pending.filter((_, index) => results[index] === undefined || results[index].ErrorCode !== undefined);
    if (pending.length > 0) {
      const codes = new Set(results.map(({ ErrorCode }) => ErrorCode).filter((code) => /^\w{1,60}$/.test(code ?? '')));
      const errorNames = [...codes].slice(0, 3).join(', ') || 'no reason given';
      const count = `${pending.length} of ${batch.length} ${pluralize(batch.length, 'event')}`;
      throw new PassingFailure(
        new MusterError('channel-refused', `Amazon EventBridge rejected ${count} (${errorNames}).`),
      );
    }
  });
}

/** Bytes of an entry as the service counts them: source, type and detail in UTF-8. */
export function computeEntrySize({ Source, DetailType, Detail }: PutEventsEntry): number {
  return Buffer.byteLength(Source) + Buffer.byteLength(DetailType) + Buffer.byteLength(Detail);
}

export function batchEntries(entries: readonly PutEventsEntry[]): PutEventsEntry[][] {
  return splitIntoParts(entries, { items: entriesPerCall, bytes: maximumCallBytes, measure: computeEntrySize });
}
