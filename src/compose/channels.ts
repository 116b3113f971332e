/** Settings → channels, links and the heartbeat. Adding a channel is its own files and a line here. */
import { join, resolve } from 'node:path';
import type { Channel } from '../alerts/channel.ts';
import { createEventBridgeChannel } from '../alerts/channels/eventbridge.ts';
import { createPagerDutyChannel } from '../alerts/channels/pagerduty.ts';
import { createSlackChannel } from '../alerts/channels/slack.ts';
import { createSmtpChannel } from '../alerts/channels/smtp.ts';
import { createSnsChannel } from '../alerts/channels/sns.ts';
import { createTeamsChannel } from '../alerts/channels/teams.ts';
import { createWebhookChannel } from '../alerts/channels/webhook.ts';
import type { AlertContext } from '../alerts/delivery/compose-messages.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { computeSha256 } from '../base/sha256.ts';
import type { Clock } from '../http/clock.ts';
import type { ChannelSettings } from '../settings/channels.ts';
import { isInBucket } from '../settings/documents.ts';
import type { Settings } from './read-settings.ts';
import type { SecretReader } from './secrets.ts';

interface AlertsContext {
  readonly secret: SecretReader;
  readonly folder: string;
  readonly clock: Clock;
}

export function composeAlerts(
  { alerts, store }: Pick<Settings, 'alerts' | 'store'>,
  { secret, folder, clock }: AlertsContext,
): AlertContext {
  const channels = alerts.channels.map((settings): Channel => {
    const channel = composeChannel(settings.name ?? settings.type, settings, secret);
    return { ...channel, address: hashAddress(settings), ...omitUndefined({ only: settings.only }) };
  });
  const { heartbeat, reportUrl, heartbeatFailsOn: failsOn, quiet, everyNight } = alerts;
  return {
    channels,
    link: (slot) => formatReportLink(slot, reportUrl, store, folder),
    clock,
    // Each send is bounded by itself; whoever has less time sets another.
    signal: new AbortController().signal,
    quiet,
    everyNight,
    ...(heartbeat === undefined ? {} : { heartbeat: { url: secret(heartbeat), clock, failsOn } }),
  };
}

/** Where the address is a secret, the hash is made of the reference: no file holds a hash of a secret. */
function hashAddress(settings: ChannelSettings): string {
  const where = { ...settings, name: undefined, only: undefined, attach: undefined, weekly: undefined };
  return computeSha256(JSON.stringify(where)).slice(0, 16);
}

function composeChannel(name: string, settings: ChannelSettings, secret: SecretReader): Channel {
  switch (settings.type) {
    case 'sns':
      return createSnsChannel({ name, topicArn: settings.topicArn });
    case 'eventbridge': {
      const { busName, source } = settings;
      return createEventBridgeChannel({ name, busName, source });
    }
    case 'slack':
      return createSlackChannel({ name, url: secret(settings.url) });
    case 'teams':
      return createTeamsChannel({ name, url: secret(settings.url) });
    case 'webhook': {
      const { url, key } = settings;
      return createWebhookChannel({ name, url: secret(url), ...(key === undefined ? {} : { key: secret(key) }) });
    }
    case 'pagerduty':
      return createPagerDutyChannel({ name, routingKey: secret(settings.routingKey), region: settings.region });
    case 'smtp': {
      const { host, port, user, password, from, to, attach, weekly: isWeekly } = settings;
      const access =
        user === undefined || password === undefined ? {} : { user: secret(user), password: secret(password) };
      const mail = createSmtpChannel({ name, host, port, from, to, ...access, ...omitUndefined({ attach }) });
      return { ...mail, isWeekly };
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
