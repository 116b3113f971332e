/** The settings of a Jamf Pro source; its secrets are functions, so that they are read only when used. */
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
  /** What the checks of the deployment compare with. */
  readonly deployment?: DeploymentSettings;
}
