/** The settings of the Intune source, and the endpoints of each of Microsoft's clouds. */

import type { SecretProvider } from '../../http/secrets.ts';
import type { DeploymentSettings } from '../../settings/deployment/deployment.ts';

/** The form of every id in Entra and Intune. */
export const guidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface Endpoints {
  readonly login: string;
  readonly graph: string;
  /** The origin of exported reports; may begin with a wildcard label. */
  readonly downloads: string;
}

export type IntuneAuth = { readonly clientId: SecretProvider } & (
  | { readonly clientSecret: SecretProvider }
  /** PEM: the certificate and its private key. */
  | { readonly certificate: SecretProvider }
  /** A new token signed by another cloud. */
  | { readonly assertion: () => Promise<string> }
);

export interface IntuneSettings {
  readonly name: string;
  readonly tenantId: string;
  readonly auth: IntuneAuth;
  /** Ids, or exact display names of all Win32 apps that have them, since an updated app is a new object. */
  readonly apps: readonly string[];
  readonly population: 'all' | 'company';
  readonly endpoints: Endpoints;
  readonly adminCenter?: string;
  readonly deployment: DeploymentSettings;
}

/**
 * Microsoft's clouds: https://learn.microsoft.com/graph/deployments, and for the audiences
 * https://learn.microsoft.com/entra/workload-id/workload-identity-federation. Exported reports are in the same cloud's blob storage.
 */
export const clouds = {
  global: {
    adminCenter: 'https://intune.microsoft.com',
    audience: 'api://AzureADTokenExchange',
    endpoints: {
      login: 'https://login.microsoftonline.com',
      graph: 'https://graph.microsoft.com',
      downloads: 'https://*.blob.core.windows.net',
    },
  },
  usgov: {
    adminCenter: 'https://intune.microsoft.us',
    audience: 'api://AzureADTokenExchangeUSGov',
    endpoints: {
      login: 'https://login.microsoftonline.us',
      graph: 'https://graph.microsoft.us',
      downloads: 'https://*.blob.core.usgovcloudapi.net',
    },
  },
  china: {
    adminCenter: 'https://intune.microsoftonline.cn',
    audience: 'api://AzureADTokenExchangeChina',
    endpoints: {
      login: 'https://login.chinacloudapi.cn',
      graph: 'https://microsoftgraph.chinacloudapi.cn',
      downloads: 'https://*.blob.core.chinacloudapi.cn',
    },
  },
} as const;
