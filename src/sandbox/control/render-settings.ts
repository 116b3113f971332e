/** A settings file for the running sandbox, and the secrets it refers to. */
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
import type { World } from '../platforms/platform-context.ts';

export function environmentOf(world: World): Record<string, string> {
  return {
    JAMF_CLIENT_ID: world.secrets.jamfClientId,
    JAMF_CLIENT_SECRET: world.secrets.jamfClientSecret,
    JAMF_USER: world.secrets.jamfUser,
    JAMF_PASSWORD: world.secrets.jamfPassword,
    GRAPH_CLIENT_ID: world.secrets.graphClientId,
    GRAPH_CLIENT_SECRET: world.secrets.graphClientSecret,
  };
}

/** Standard ports are written by nobody, so the host of a URL is what an administrator would type. */
export function hostOf(url: string): string {
  return new URL(url).host;
}

/** What neither platform shows: somebody looked a week before the sandbox began. */
function attestedOf(world: World): string {
  const date = world.attestedOn;
  const ids =
    world.jamfOptions.identity === 'email'
      ? ['user-exists', 'install-script', 'agent-installer']
      : ['directory-configured', 'circles-configured', 'directory-agent'];
  return [...ids, 'account-read-only'].map((id) => `${id}: ${date}`).join(', ');
}

export function settingsOf(world: World): string {
  const { urls, jamfOptions, graphOptions } = world;
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
  attested: { ${attestedOf(world)} }
`;
}
