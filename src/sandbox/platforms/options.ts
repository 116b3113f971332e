/** What the sandbox is when nobody says otherwise. */
import { drawGuid, purpose } from '../devices/random.ts';
import type { Secrets } from './company.ts';
import type { GraphOptions, JamfOptions } from './platform-context.ts';

export const defaultJamfOptions: JamfOptions = {
  older: false,
  pageCap: 2000,
  tokenSeconds: 1800,
  attributeSection: 'EXTENSION_ATTRIBUTES',
  site: false,
  signIn: 'client',
  clientHasAccount: false,
  withoutPrivileges: [],
  withPrivileges: [],
  identity: 'email',
  latencyMilliseconds: 0,
};

export const defaultGraphOptions: GraphOptions = {
  tokenSeconds: 3599,
  pageSize: 1000,
  frozenStates: false,
  exportPolls: 1,
  population: 'all',
  upgradedApp: false,
  ignoresFilter: false,
  withoutPermissions: [],
  opaqueTokens: false,
  withPermissions: [],
};

export function createSecrets(seed: number): Secrets {
  const secret = (number: number) => drawGuid(seed, purpose.secret, number);
  return {
    jamfUser: 'muster-reader',
    jamfPassword: `canary-jamf-password-${secret(1)}`,
    jamfClientId: secret(2),
    jamfClientSecret: `canary-jamf-secret-${secret(3)}`,
    graphClientId: secret(4),
    graphClientSecret: `canary-graph-secret-${secret(5)}`,
    serviceApiKey: `canary-service-key-${secret(6)}`,
    policyPassword: `canary-policy-password-${secret(7)}`,
  };
}
