/** Everything the simulated platforms share while the sandbox runs. */
import type { Faults } from '../control/faults.ts';
import type { SimulatedDevices } from '../devices/model.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { ServiceFiles } from './downloads/service-downloads.ts';
import type { GraphObjects } from './graph/graph-objects.ts';
import type { ExportJobs } from './graph/job-store.ts';
import type { JamfObjects } from './jamf/jamf-objects.ts';
import type { GraphOptions, JamfOptions } from './options.ts';
import type { OriginName } from './request.ts';
import type { Secrets } from './secrets.ts';

export interface PlatformContext {
  readonly jamfOptions: JamfOptions;
  readonly graphOptions: GraphOptions;
  readonly faults: Faults;
  readonly secrets: Secrets;
  readonly jamfTokens: AccessTokens;
  readonly graphTokens: AccessTokens;
  readonly jamf: JamfObjects;
  readonly graph: GraphObjects;
  readonly exportJobs: ExportJobs;
  readonly service: ServiceFiles;
  /** The date on which a person confirmed what neither platform shows. */
  readonly attestationDate: string;
  /** Empty until every origin listens. */
  readonly urls: Record<OriginName, string>;
  /** The devices as they are at the simulated time. */
  devices(): SimulatedDevices;
  /** The simulated time, in milliseconds. */
  now(): number;
}
