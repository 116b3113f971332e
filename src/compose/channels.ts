/** Settings → channels, links and the heartbeat. Adding a channel is its own files and a line here. */
import { join, resolve } from 'node:path';
import type { Channel } from '../alerts/channel.ts';
import { eventBridgeChannel } from '../alerts/channels/eventbridge.ts';
import type { Reading } from '../alerts/channels/http-message.ts';
import { slackChannel } from '../alerts/channels/slack.ts';
import { snsChannel } from '../alerts/channels/sns.ts';
import { teamsChannel } from '../alerts/channels/teams.ts';
import { webhookChannel } from '../alerts/channels/webhook.ts';
import type { Alerts } from '../alerts/delivery/compose-messages.ts';
import type { Clock } from '../http/clock.ts';
import { isInBucket } from '../settings/documents.ts';
import type { Settings } from './read-settings.ts';
import type { SecretReader } from './secrets.ts';

interface Surroundings {
  readonly secret: SecretReader;
  readonly folder: string;
  readonly clock: Clock;
}

type ChannelSettings = Settings['alerts']['channels'][number];

export function alertsOf(
  { alerts, store }: Pick<Settings, 'alerts' | 'store'>,
  { secret, folder, clock }: Surroundings,
): Alerts {
  const reading =
    (reference: string): Reading =>
    (again) =>
      secret(reference, again);
  const counts = new Map<string, number>();
  const channels = alerts.channels.map((channel) => {
    const count = (counts.get(channel.type) ?? 0) + 1;
    counts.set(channel.type, count);
    return channelOf(count === 1 ? channel.type : `${channel.type}-${count}`, channel, reading);
  });
  const { heartbeat, reportUrl } = alerts;
  return {
    channels,
    link: (slot) => linkTo(slot, reportUrl, store, folder),
    clock,
    // Each send is bounded by itself; whoever has less time sets another.
    signal: new AbortController().signal,
    ...(heartbeat === undefined ? {} : { heartbeat: { url: reading(heartbeat), clock } }),
  };
}

function channelOf(name: string, settings: ChannelSettings, reading: (reference: string) => Reading): Channel {
  switch (settings.type) {
    case 'sns':
      return snsChannel({ name, topicArn: settings.topicArn });
    case 'eventbridge': {
      const { busName, source } = settings;
      return eventBridgeChannel({
        name,
        ...(busName === undefined ? {} : { busName }),
        ...(source === undefined ? {} : { source }),
      });
    }
    case 'slack':
      return slackChannel({ name, url: reading(settings.url) });
    case 'teams':
      return teamsChannel({ name, url: reading(settings.url) });
    case 'webhook': {
      const { url, key } = settings;
      return webhookChannel({ name, url: reading(url), ...(key === undefined ? {} : { key: reading(key) }) });
    }
  }
}

/** Never a pre-signed address: whoever follows it signs in as themselves. */
function linkTo(slot: string, reportUrl: string | undefined, store: string, folder: string): string {
  const file = `report/date=${slot}/index.html`;
  if (reportUrl !== undefined) return `${reportUrl}/${file}`;
  if (!isInBucket(store)) return join(resolve(folder, store), file);
  const [, bucket = '', path = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(store) ?? [];
  const prefix = path.replace(/\/+$/, '');
  const key = prefix === '' ? file : `${prefix}/${file}`;
  return `https://s3.console.aws.amazon.com/s3/object/${bucket}?prefix=${encodeURIComponent(key)}`;
}
