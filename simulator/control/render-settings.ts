/** A settings file for the running simulator; `listEnvironment` has the variables it refers to. */
import { company } from '../platforms/company.ts';
import type { PlatformContext } from '../platforms/platform-context.ts';
import { type PlatformName, platformNames, platforms } from '../platforms/platforms.ts';

/** The settings of the source that reads each platform. */
const sourceSettings: Readonly<Record<PlatformName, (context: PlatformContext) => string>> = {
  jamf: ({ urls, jamfOptions }) => `
    platform: jamf
    ${jamfOptions.gateway ? `gateway: { region: eu, environmentId: ${company.environmentId}, endpoint: ${urls.jamf} }` : `url: ${urls.jamf}${jamfOptions.contextPath}`}
    auth: ${jamfAuth[jamfOptions.signIn]}
    extensionAttribute: ${company.attributeName}
    groups: { installed: Agent Installed, notInstalled: Agent Not Installed }`,
  graph: ({ urls, graphOptions }) => `
    platform: intune
    tenantId: ${company.tenantId}
    auth: { clientId: env:GRAPH_CLIENT_ID, clientSecret: env:GRAPH_CLIENT_SECRET }
    app: ${graphOptions.upgradedApp ? `[${company.appId}, ${company.newAppId}]` : company.appId}
    population: ${graphOptions.population}
    endpoints:
      login: ${urls.login}
      graph: ${urls.graph}
      downloads: ${urls.downloads}`,
};

const jamfAuth = {
  account: '{ username: env:JAMF_USER, password: env:JAMF_PASSWORD }',
  client: '{ clientId: env:JAMF_CLIENT_ID, clientSecret: env:JAMF_CLIENT_SECRET }',
};

/** Attestations of facts that neither platform shows. */
const attested = {
  email: ['user-exists', 'install-script', 'agent-installer'],
  directory: ['directory-configured', 'circles-configured', 'directory-agent'],
};

export function renderSettings(context: PlatformContext): string {
  const { urls, jamfOptions, attestationDate } = context;
  const { identity } = jamfOptions;
  const sources = platformNames.map((name) => `  - name: ${platforms[name].source}${sourceSettings[name](context)}`);
  const statements = [...attested[identity], 'account-read-only', 'api-client-read-only'];
  const intune = `--intune-login ${urls.login} --intune-graph ${urls.graph} --intune-downloads ${urls.downloads}`;
  return `# Settings for the simulator: simulated platforms on this machine, made-up devices.
# To be asked for them instead: npx muster init --jamf-url ${urls.jamf}${jamfOptions.contextPath} --intune-tenant ${company.tenantId} ${intune}
agent: { name: Endpoint agent }
sources:
${sources.join('\n')}
store: ./muster-data
deployment:
  identity: ${identity}
  service: ${urls.service}
  macos:
    applicationFolder: ${company.applicationFolder}
    applicationIdentifier: ${company.applicationIdentifier}
    teamIdentifier: ${company.teamIdentifier}
    policy: ${company.policyName}
    script: ${identity === 'email' ? company.scriptName : company.directoryScriptName}
    profiles: { extension: ${company.extensionProfileName}, fileAccess: ${company.fileAccessProfileName} }
    tools: false
  windows:
    vendorFolder: Vendor
    platformFolder: Microsoft/IntuneManagementExtension
    circleId: ${company.circleId}
    memberRoleId: ${company.memberRoleId}
    groups: [${company.assignedGroupId}]${renderCanaries(context)}
  attested: { ${statements.map((id) => `${id}: ${attestationDate}`).join(', ')} }
`;
}

/** Canaries in the settings; empty where there are too few Macs for any. */
function renderCanaries(context: PlatformContext): string {
  const canaries = context.devices().macs.filter(({ canary }) => canary !== undefined);
  const lines = canaries.map(
    ({ serialNumber, canary }) =>
      `\n    - { source: ${platforms.jamf.source}, serial: ${serialNumber}, expect: ${canary} }`,
  );
  return lines.length === 0 ? '' : `\n  canaries:${lines.join('')}`;
}
