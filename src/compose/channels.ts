/** Makes channels, links and the heartbeat from the settings. */
import type { Channel } from '../alerts/channel.ts';
import type { ChannelContext } from '../alerts/channel-kind.ts';
import { type ChannelSettings, findChannelKind } from '../alerts/channel-kinds.ts';
import type { AlertContext } from '../alerts/delivery/alert-context.ts';
import { requestWebIdentityToken } from '../aws/web-identity-token.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { computeSha256 } from '../base/sha256.ts';
import type { Clock } from '../http/clock.ts';
import { resolveInFolder } from '../settings/documents.ts';
import type { Settings } from './read-settings.ts';
import type { SecretReader } from './secrets.ts';

export function composeAlerts(
  { alerts, store }: Pick<Settings, 'alerts' | 'store'>,
  { secret, folder, clock }: { readonly secret: SecretReader; readonly folder: string; readonly clock: Clock },
): AlertContext {
  const { heartbeat, reportUrl, heartbeatFailsOn: failsOn, quiet, everyNight } = alerts;
  return {
    channels: alerts.channels.map((settings) =>
      openChannel(settings, { secret, webIdentityToken: requestWebIdentityToken }),
    ),
    link: (slot) => formatReportLink(slot, reportUrl, store, folder),
    clock,
    // Each sending has its own limit; callers with less time set another signal.
    signal: new AbortController().signal,
    quiet,
    everyNight,
    ...(heartbeat === undefined ? {} : { heartbeat: { url: secret(heartbeat), clock, failsOn } }),
  };
}

/** Opens a channel. For a secret address, the hash is made from its reference, so that no file contains a hash of a secret. */
export function openChannel(settings: ChannelSettings, context: ChannelContext): Channel {
  const { type, name = type, only } = settings;
  const { deliveryKeys = [], open } = findChannelKind(type);
  const where = Object.entries(settings).filter(([key]) => !['name', 'only', ...deliveryKeys].includes(key));
  const address = computeSha256(JSON.stringify(Object.fromEntries(where))).slice(0, 16);
  return { ...open(settings, context), name, address, ...omitUndefined({ only }) };
}

/** The address of a run's report, never a pre-signed one: readers sign in themselves. */
function formatReportLink(slot: string, reportUrl: string | undefined, store: string, folder: string): string {
  const file = `report/date=${slot}/index.html`;
  if (reportUrl !== undefined) {
    // Encoded as browsers do it: a space, or letters of other scripts, would end a link in a text.
    return new URL(`${reportUrl}/${file}`).href;
  }
  const place = resolveInFolder(resolveInFolder(folder, store), file);
  const [, bucket, key = ''] = /^s3:\/\/([^/]+)\/(.*)$/.exec(place) ?? [];
  return bucket === undefined
    ? place
    : `https://s3.console.aws.amazon.com/s3/object/${bucket}?prefix=${encodeURIComponent(key)}`;
}
