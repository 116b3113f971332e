/** A settings file for the running sandbox, and the environment variables it refers to. */
import {
  appId,
  applicationFolder,
  applicationIdentifier,
  assignedGroupId,
  attributeName,
  circleId,
  directoryScriptName,
  extensionProfileName,
  fileAccessProfileName,
  memberRoleId,
  newAppId,
  policyName,
  scriptName,
  teamIdentifier,
  tenantId,
} from '../platforms/company.ts';
import type { PlatformContext } from '../platforms/platform-context.ts';

export function renderSettings(context: PlatformContext): string {
  const { urls, jamfOptions, graphOptions } = context;
  const auth =
    jamfOptions.signIn === 'account'
      ? '{ username: env:JAMF_USER, password: env:JAMF_PASSWORD }'
      : '{ clientId: env:JAMF_CLIENT_ID, clientSecret: env:JAMF_CLIENT_SECRET }';
  return `# Settings for the sandbox: simulated platforms on this machine, made-up devices.
agent: { name: Endpoint agent }
sources:
  - name: macs
    platform: jamf
    url: ${urls.jamf}
    auth: ${auth}
    extensionAttribute: ${attributeName}
    groups: { installed: Agent Installed, notInstalled: Agent Not Installed }
  - name: windows
    platform: intune
    tenantId: ${tenantId}
    auth: { clientId: env:GRAPH_CLIENT_ID, clientSecret: env:GRAPH_CLIENT_SECRET }
    app: ${graphOptions.upgradedApp ? `[${appId}, ${newAppId}]` : appId}
    population: ${graphOptions.population}
    endpoints:
      login: ${urls.login}
      graph: ${urls.graph}
      downloads: ${urls.downloads}
store: ./muster-data
deployment:
  identity: ${jamfOptions.identity}
  service: ${urls.service}
  macos:
    applicationFolder: ${applicationFolder}
    applicationIdentifier: ${applicationIdentifier}
    teamIdentifier: ${teamIdentifier}
    policy: ${policyName}
    script: ${jamfOptions.identity === 'email' ? scriptName : directoryScriptName}
    profiles: { extension: ${extensionProfileName}, fileAccess: ${fileAccessProfileName} }
    tools: false
  windows:
    vendorFolder: Vendor
    platformFolder: Microsoft/IntuneManagementExtension
    circleId: ${circleId}
    memberRoleId: ${memberRoleId}
    groups: [${assignedGroupId}]
${renderCanaries(context)}  attested: { ${renderAttestations(context)} }
`;
}

/** Where there are so few Macs that there is no canary, there is no list of them. */
function renderCanaries(context: PlatformContext): string {
  const lines = context
    .devices()
    .macs.flatMap(({ serialNumber, canary }) =>
      canary === undefined ? [] : [`    - { source: macs, serial: ${serialNumber}, expect: ${canary} }\n`],
    );
  return lines.length === 0 ? '' : `  canaries:\n${lines.join('')}`;
}

/** What neither platform shows: a person confirmed it a week before the sandbox started. */
function renderAttestations(context: PlatformContext): string {
  const date = context.attestationDate;
  const ids =
    context.jamfOptions.identity === 'email'
      ? ['user-exists', 'install-script', 'agent-installer']
      : ['directory-configured', 'circles-configured', 'directory-agent'];
  return [...ids, 'account-read-only', 'api-client-read-only'].map((id) => `${id}: ${date}`).join(', ');
}

export function listEnvironment({ secrets }: PlatformContext): Record<string, string> {
  return {
    JAMF_CLIENT_ID: secrets.jamfClientId,
    JAMF_CLIENT_SECRET: secrets.jamfClientSecret,
    JAMF_USER: secrets.jamfUser,
    JAMF_PASSWORD: secrets.jamfPassword,
    GRAPH_CLIENT_ID: secrets.graphClientId,
    GRAPH_CLIENT_SECRET: secrets.graphClientSecret,
  };
}
