/** The simulated platforms and their servers. A new name does not compile until it is in the tables. */
import type { SourceName } from '../devices/model.ts';

export type PlatformName = 'jamf' | 'graph';

/** A server with an address of its own. */
export type OriginName = 'jamf' | 'login' | 'graph' | 'downloads' | 'service';

interface Platform {
  readonly title: string;
  /** The source of the printed settings for the platform. */
  readonly source: SourceName;
  /** The only origin that may receive its credentials. */
  readonly signsInAt: OriginName;
  /** The only origin that may receive its tokens. */
  readonly takesTokensAt: OriginName;
}

/** The first port, which also serves the control routes. */
export const controlOrigin: OriginName = 'jamf';

export const platforms: Readonly<Record<PlatformName, Platform>> = {
  jamf: { title: 'Jamf', source: 'macs', signsInAt: 'jamf', takesTokensAt: 'jamf' },
  graph: { title: 'Graph', source: 'windows', signsInAt: 'login', takesTokensAt: 'graph' },
};

export const platformNames = Object.keys(platforms) as readonly PlatformName[];

/** The platform of each origin, in the order of their ports; the agent's own service belongs to none. */
export const originPlatforms: Readonly<Record<OriginName, PlatformName | undefined>> = {
  jamf: 'jamf',
  login: 'graph',
  graph: 'graph',
  downloads: 'graph',
  service: undefined,
};
