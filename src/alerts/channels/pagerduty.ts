/**
 * PagerDuty, Events API v2: one request for each event, which triggers or resolves the alert of its key.
 * https://developer.pagerduty.com/docs/events-api-v2/overview/
 */
import { createHash } from 'node:crypto';
import { defineChoice, describeOptional, describeSetting } from '../../settings/fields.ts';
import { secretSchema } from '../../settings/secret-references.ts';
import { defineChannel } from '../channel-kind.ts';
import type { AlertMessage } from '../message/digest.ts';
import { formatEventLine } from '../message/event-lines.ts';
import { toEventRecord } from '../message/event-record.ts';
import { toSafeText } from '../message/safe-text.ts';
import { sendJson } from './http-message.ts';
import { splitIntoParts } from './split-parts.ts';

const addresses = {
  us: 'https://events.pagerduty.com/v2/enqueue',
  eu: 'https://events.eu.pagerduty.com/v2/enqueue',
} as const;

/** Requests that are claimed and marked together: as many as fit into the time for sending. */
const eventsPerPart = 25;
const longestSummary = 1_024;
/** Characters of a key; a longer one is replaced by its hash. */
const longestKey = 255;

export const pagerDutyChannel = defineChannel({
  type: 'pagerduty',
  settings: {
    routingKey: describeSetting(secretSchema, 'the integration key of a service (Events API v2)'),
    region: describeOptional(defineChoice(['us', 'eu']), 'where the account is', 'us'),
  },
  open({ routingKey, region }, { secret, idle, address = addresses[region] }) {
    const to = { who: 'PagerDuty', url: async () => address, idle };
    return {
      audience: 'programs',
      server: new URL(address),
      render(message) {
        const parts = splitIntoParts(buildPagerDutyEvents(message), { items: eventsPerPart });
        return parts.map((events) => ({ events }));
      },
      async send(payload, sending) {
        for (const event of (payload as { readonly events: readonly object[] }).events) {
          await sendJson(to, { routing_key: await secret(routingKey)(false), ...event }, sending);
        }
      },
    };
  },
});

/** Requests for a message: a test is resolved at once; a notice is left out, since nothing would end its incident. */
function buildPagerDutyEvents({ digest, events }: AlertMessage): object[] {
  return events.flatMap((event): object[] => {
    const { key } = event;
    if (event.phase === 'notice') {
      return [];
    }
    const dedup_key = key.length <= longestKey ? key : createHash('sha256').update(key).digest('hex');
    const resolve = { event_action: 'resolve', dedup_key };
    if (event.phase === 'over') {
      return [resolve];
    }
    const record = toEventRecord(event, digest);
    const trigger = {
      event_action: 'trigger',
      dedup_key,
      client: 'Muster',
      ...(/^https?:\/\//.test(digest.link ?? '') ? { client_url: digest.link ?? '' } : {}),
      payload: {
        summary: toSafeText(`${digest.agent}: ${formatEventLine(event)}`, longestSummary),
        source: event.source ?? 'Muster',
        severity: record.severity,
        class: event.kind,
        custom_details: record,
      },
    };
    return event.kind === 'test' ? [trigger, resolve] : [trigger];
  });
}
