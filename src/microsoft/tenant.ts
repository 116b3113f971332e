/** Facts about every tenant: the form of its ids, and the clouds in which it may be. */

/** The form of every id in Entra and Intune. */
export const guidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Microsoft's clouds: https://learn.microsoft.com/graph/deployments, and for the audiences
 * https://learn.microsoft.com/entra/workload-id/workload-identity-federation. Exported reports are in the same cloud's
 * blob storage. The service `mail` is Exchange Online's, in the scope of a token for SMTP.
 */
export const clouds = {
  global: {
    adminCenter: 'https://intune.microsoft.com',
    mail: 'https://outlook.office365.com',
    audience: 'api://AzureADTokenExchange',
    endpoints: {
      login: 'https://login.microsoftonline.com',
      graph: 'https://graph.microsoft.com',
      downloads: 'https://*.blob.core.windows.net',
    },
  },
  usgov: {
    adminCenter: 'https://intune.microsoft.us',
    mail: 'https://outlook.office365.us',
    audience: 'api://AzureADTokenExchangeUSGov',
    endpoints: {
      login: 'https://login.microsoftonline.us',
      graph: 'https://graph.microsoft.us',
      downloads: 'https://*.blob.core.usgovcloudapi.net',
    },
  },
  china: {
    adminCenter: 'https://intune.microsoftonline.cn',
    mail: 'https://partner.outlook.cn',
    audience: 'api://AzureADTokenExchangeChina',
    endpoints: {
      login: 'https://login.chinacloudapi.cn',
      graph: 'https://microsoftgraph.chinacloudapi.cn',
      downloads: 'https://*.blob.core.chinacloudapi.cn',
    },
  },
} as const;

/** The token endpoint; `tenant` is the tenant's id, or one of its domains. */
export function locateTokenEndpoint(login: string, tenant: string): string {
  return `${new URL(login).origin}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`;
}

/** The scope of everything that the application may do with a service. */
export function toScope(service: string): string {
  return `${new URL(service).origin}/.default`;
}
