/** What a Jamf Pro source needs to know, with its secrets behind functions so that they are read only when used. */
import type { DeploymentSettings } from '../../deployment/deployment-settings.ts';
import type { SecretProvider } from '../../http/secret-provider.ts';

export interface ApiClientAuth {
  readonly clientId: SecretProvider;
  readonly clientSecret: SecretProvider;
}

export interface AccountAuth {
  readonly username: SecretProvider;
  readonly password: SecretProvider;
}

export interface JamfSettings {
  readonly name: string;
  /** The server's address; a path in front of `/api` is kept. */
  readonly url: string;
  readonly auth: ApiClientAuth | AccountAuth;
  /** The attribute's display name. */
  readonly extensionAttribute: string;
  /** Display names of the two smart groups. */
  readonly groups?: { readonly installed: string; readonly notInstalled: string };
  /** Set only when the account is meant to see one site. */
  readonly site: string;
  /** What the deployment interface asks for, with this company's values. */
  readonly deployment?: DeploymentSettings;
}
