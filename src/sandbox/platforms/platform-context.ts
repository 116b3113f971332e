/** Everything the simulated platforms share while the sandbox runs. */

import type { Faults } from '../control/faults.ts';
import type { SimulatedDevices } from '../devices/model.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { DisplaySection, Secrets } from './company.ts';
import type { ServiceFiles } from './downloads/service-downloads.ts';
import type { GraphObjects } from './graph/graph-objects.ts';
import type { JamfObjects } from './jamf/jamf-objects.ts';
import type { OriginName } from './request.ts';

export interface JamfOptions {
  /** A server of version 11.20: no v4 inventory, no v3 groups, only the unversioned OAuth path. */
  readonly older: boolean;
  readonly pageCap: number;
  readonly tokenSeconds: number;
  readonly attributeSection: DisplaySection;
  /** The account is scoped to one site and sees half the Macs. */
  readonly site: boolean;
  /** How settings() signs in. */
  readonly signIn: 'client' | 'account';
  /** What /v1/auth says of an API client: a real server's answer was not found, so both can be asked for. */
  readonly clientHasAccount: boolean;
  readonly withoutPrivileges: readonly string[];
  /** What the account may besides reading. */
  readonly withPrivileges: readonly string[];
  /** Which of the document's two ways the server is set up for. */
  readonly identity: 'email' | 'directory';
  readonly latencyMilliseconds: number;
}

export interface GraphOptions {
  readonly tokenSeconds: number;
  readonly pageSize: number;
  /** States never change their date, and devices that never asked for the app have no row. */
  readonly frozenStates: boolean;
  /** Polls that find a job in progress, before one finds it completed without url; 0: complete at once. */
  readonly exportPolls: number;
  readonly population: 'all' | 'company';
  /** The agent's app was replaced by a new object: a third of the devices report for that one, and settings() name both. */
  readonly upgradedApp: boolean;
  /** The server takes a $filter and does not apply it. */
  readonly ignoresFilter: boolean;
  readonly withoutPermissions: readonly string[];
  /** Tokens say nothing of what they are good for. */
  readonly opaqueTokens: boolean;
  /** What was granted besides the two permissions that reading takes. */
  readonly withPermissions: readonly string[];
}

export interface PlatformContext {
  readonly jamfOptions: JamfOptions;
  readonly graphOptions: GraphOptions;
  readonly faults: Faults;
  readonly secrets: Secrets;
  readonly jamfTokens: AccessTokens;
  readonly graphTokens: AccessTokens;
  readonly jamf: JamfObjects;
  readonly graph: GraphObjects;
  readonly service: ServiceFiles;
  /** The date on which somebody vouched for what neither platform shows. */
  readonly attestationDate: string;
  /** Known once every origin listens. */
  readonly urls: Record<OriginName, string>;
  /** The fleet as it is at the present moment. */
  devices(): SimulatedDevices;
  now(): number;
}
