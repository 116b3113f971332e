/** Settings → channels, links and the heartbeat. Adding a channel is its own files and a line here. */
import { join, resolve } from 'node:path';
import type { Channel } from '../alerts/channel.ts';
import { createEventBridgeChannel } from '../alerts/channels/eventbridge.ts';
import { createSlackChannel } from '../alerts/channels/slack.ts';
import { createSnsChannel } from '../alerts/channels/sns.ts';
import { createTeamsChannel } from '../alerts/channels/teams.ts';
import { createWebhookChannel } from '../alerts/channels/webhook.ts';
import type { AlertContext } from '../alerts/delivery/compose-messages.ts';
import type { Clock } from '../http/clock.ts';
import type { SecretProvider } from '../http/secret-provider.ts';
import { isInBucket } from '../settings/documents.ts';
import type { Settings } from './read-settings.ts';
import type { SecretReader } from './secrets.ts';

interface AlertsContext {
  readonly secret: SecretReader;
  readonly folder: string;
  readonly clock: Clock;
}

type ChannelSettings = Settings['alerts']['channels'][number];

export function composeAlerts(
  { alerts, store }: Pick<Settings, 'alerts' | 'store'>,
  { secret, folder, clock }: AlertsContext,
): AlertContext {
  const reading =
    (reference: string): SecretProvider =>
    (refresh) =>
      secret(reference, refresh);
  const counts = new Map<string, number>();
  const channels = alerts.channels.map((channel) => {
    const count = (counts.get(channel.type) ?? 0) + 1;
    counts.set(channel.type, count);
    return composeChannel(count === 1 ? channel.type : `${channel.type}-${count}`, channel, reading);
  });
  const { heartbeat, reportUrl } = alerts;
  return {
    channels,
    link: (slot) => formatReportLink(slot, reportUrl, store, folder),
    clock,
    // Each send is bounded by itself; whoever has less time sets another.
    signal: new AbortController().signal,
    ...(heartbeat === undefined ? {} : { heartbeat: { url: reading(heartbeat), clock } }),
  };
}

function composeChannel(
  name: string,
  settings: ChannelSettings,
  reading: (reference: string) => SecretProvider,
): Channel {
  switch (settings.type) {
    case 'sns':
      return createSnsChannel({ name, topicArn: settings.topicArn });
    case 'eventbridge': {
      const { busName, source } = settings;
      return createEventBridgeChannel({ name, busName, source });
    }
    case 'slack':
      return createSlackChannel({ name, url: reading(settings.url) });
    case 'teams':
      return createTeamsChannel({ name, url: reading(settings.url) });
    case 'webhook': {
      const { url, key } = settings;
      return createWebhookChannel({ name, url: reading(url), ...(key === undefined ? {} : { key: reading(key) }) });
    }
  }
}

/** Never a pre-signed address: whoever follows it signs in as themselves. */
function formatReportLink(slot: string, reportUrl: string | undefined, store: string, folder: string): string {
  const file = `report/date=${slot}/index.html`;
  if (reportUrl !== undefined) {
    return `${reportUrl}/${file}`;
  }
  if (!isInBucket(store)) {
    return join(resolve(folder, store), file);
  }
  const [, bucket = '', path = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(store) ?? [];
  const prefix = path.replace(/\/+$/, '');
  const key = prefix === '' ? file : `${prefix}/${file}`;
  return `https://s3.console.aws.amazon.com/s3/object/${bucket}?prefix=${encodeURIComponent(key)}`;
}
