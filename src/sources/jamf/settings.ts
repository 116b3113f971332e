/** The settings of a Jamf Pro source; its secrets are functions, so that they are read only when used. */
import type { LimitFunction } from 'p-limit';
import type { DeploymentSettings } from '../../deployment/settings.ts';
import type { SecretProvider } from '../../http/secrets.ts';

export interface ApiClientAuth<Value = SecretProvider> {
  readonly clientId: Value;
  readonly clientSecret: Value;
}

export interface AccountAuth<Value = SecretProvider> {
  readonly username: Value;
  readonly password: Value;
}

/** Turns the references in the settings into providers. */
export function toJamfAuth(
  auth: ApiClientAuth<string> | AccountAuth<string>,
  { secret }: { readonly secret: (reference: string) => SecretProvider },
): ApiClientAuth | AccountAuth {
  return 'username' in auth
    ? { username: secret(auth.username), password: secret(auth.password) }
    : { clientId: secret(auth.clientId), clientSecret: secret(auth.clientSecret) };
}

export type JamfGateway = Readonly<Record<'endpoint' | 'environmentId', string>>;

export interface JamfSettings {
  readonly name: string;
  /** The server's address, with a path in front of `/api` if it has one; undefined with a gateway. */
  readonly url?: string | undefined;
  readonly gateway?: JamfGateway | undefined;
  readonly auth: ApiClientAuth | AccountAuth;
  /** The attribute's display name. */
  readonly extensionAttribute: string;
  /** Display names of the two smart groups. */
  readonly groups?: { readonly installed: string; readonly notInstalled: string } | undefined;
  /** Name of the site that the account is meant to see; empty for the whole fleet. */
  readonly site: string;
  readonly deployment: DeploymentSettings;
}

export interface JamfReadOptions {
  /** Idle timeout in milliseconds; after it, inventory pages are made smaller. */
  readonly idle?: number;
  /** The limit of requests that all sources of one server share. */
  readonly limit?: LimitFunction;
}

/** https://developer.jamf.com/jamf-pro/docs/jamf-pro-api-scalability-best-practices: four for pages, one for the rest. */
export const maximumRequestsAtOnce = 5;
