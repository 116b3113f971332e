/** Everything that the simulated platforms share while the simulator runs. */
import { millisecondsPerDay } from '../devices/contact-times.ts';
import type { SimulatedDevices } from '../devices/model.ts';
import { Faults } from './faults.ts';
import type { ExportJobs, GraphObjects, SentMail } from './graph/graph-objects.ts';
import type { JamfObjects } from './jamf/jamf-objects.ts';
import { defaultGraphOptions, defaultJamfOptions, type GraphOptions, type JamfOptions } from './options.ts';
import type { OriginName, PlatformName } from './platforms.ts';
import { AccessTokens, createSecrets, type Secrets } from './secrets.ts';
import { createServiceFiles, type ServiceFiles } from './service-downloads.ts';

export interface PlatformContext {
  readonly jamfOptions: JamfOptions;
  readonly graphOptions: GraphOptions;
  readonly faults: Faults;
  readonly secrets: Secrets;
  readonly tokens: Readonly<Record<PlatformName, AccessTokens>>;
  readonly jamf: JamfObjects;
  readonly graph: GraphObjects;
  readonly exportJobs: ExportJobs;
  readonly service: ServiceFiles;
  /** Mails that Graph accepted, oldest first. */
  readonly mails: SentMail[];
  /** Date of the attestations in the printed settings. */
  readonly attestationDate: string;
  /** Empty until every origin listens. */
  readonly urls: Record<OriginName, string>;
  /** The devices at the simulated time. */
  devices(): SimulatedDevices;
  /** The simulated time, in milliseconds. */
  now(): number;
}

interface ContextOptions {
  readonly seed: number;
  readonly faults?: readonly string[];
  readonly jamf?: Partial<JamfOptions>;
  readonly graph?: Partial<GraphOptions>;
}

const daysSinceAttestation = 7;

export function createPlatformContext(
  options: ContextOptions,
  state: Pick<PlatformContext, 'devices' | 'now'>,
): PlatformContext {
  return {
    // Only an account can be scoped to a site.
    jamfOptions: { ...defaultJamfOptions, signIn: options.jamf?.site ? 'account' : 'client', ...options.jamf },
    graphOptions: { ...defaultGraphOptions, ...options.graph },
    faults: new Faults(options.faults ?? []),
    secrets: createSecrets(options.seed),
    tokens: { jamf: new AccessTokens('jamf'), graph: new AccessTokens('graph') },
    jamf: { attributes: [], groups: [], scripts: [], policies: [], profiles: [] },
    graph: { apps: [], groups: [] },
    exportJobs: { byId: new Map(), linksBySignature: new Map(), count: 0 },
    service: createServiceFiles(),
    mails: [],
    attestationDate: new Date(state.now() - daysSinceAttestation * millisecondsPerDay).toISOString().slice(0, 10),
    urls: { jamf: '', login: '', graph: '', downloads: '', service: '' },
    devices: () => state.devices(),
    now: () => state.now(),
  };
}
