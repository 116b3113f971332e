/** The settings of the Intune source. */

import type { DeploymentSettings } from '../../deployment/settings.ts';
import type { EntraAuth } from '../../microsoft/sign-in.ts';

export interface Endpoints {
  readonly login: string;
  readonly graph: string;
  /** The origin of exported reports; may begin with a wildcard label. */
  readonly downloads: string;
}

export interface IntuneSettings {
  readonly name: string;
  readonly tenantId: string;
  readonly auth: EntraAuth;
  /** Ids, or exact display names of all Win32 apps that have them, since an updated app is a new object. */
  readonly apps: readonly string[];
  readonly population: 'all' | 'company';
  readonly endpoints: Endpoints;
  readonly adminCenter?: string;
  readonly deployment: DeploymentSettings;
}
