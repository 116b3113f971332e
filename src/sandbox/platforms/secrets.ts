/** The sandbox's credentials. Those that begin with "canary" must never be seen in anything a client writes. */
import { drawGuid, purpose } from '../devices/random.ts';

export interface Secrets {
  readonly jamfUser: string;
  readonly jamfPassword: string;
  readonly jamfClientId: string;
  readonly jamfClientSecret: string;
  readonly graphClientId: string;
  readonly graphClientSecret: string;
  /** In the parameters of the policy and of the install command; no report may show it. */
  readonly serviceApiKey: string;
  readonly policyPassword: string;
}

export const jamfTokenPrefix = 'canary-jamf-token';
export const graphTokenPrefix = 'canary-graph-token';

export function createSecrets(seed: number): Secrets {
  const drawSecret = (number: number) => drawGuid(seed, purpose.secret, number);
  return {
    jamfUser: 'muster-reader',
    jamfPassword: `canary-jamf-password-${drawSecret(1)}`,
    jamfClientId: drawSecret(2),
    jamfClientSecret: `canary-jamf-secret-${drawSecret(3)}`,
    graphClientId: drawSecret(4),
    graphClientSecret: `canary-graph-secret-${drawSecret(5)}`,
    serviceApiKey: `canary-service-key-${drawSecret(6)}`,
    policyPassword: `canary-policy-password-${drawSecret(7)}`,
  };
}

/** Texts that no output may ever show: credentials, and what is hidden in policies and commands. */
export function listCanaries(secrets: Secrets): string[] {
  return [
    secrets.jamfPassword,
    secrets.jamfClientSecret,
    secrets.graphClientSecret,
    secrets.serviceApiKey,
    secrets.policyPassword,
    jamfTokenPrefix,
    graphTokenPrefix,
  ];
}
