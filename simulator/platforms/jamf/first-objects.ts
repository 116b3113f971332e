/** Objects that administrators created on the Jamf Pro server before the first night, including the profiles' payloads. */
import { company } from '../company.ts';
import type { JamfOptions } from '../options.ts';
import type { OriginName } from '../platforms.ts';
import type { Secrets } from '../secrets.ts';
import {
  createAttribute,
  createCriterion,
  createGroup,
  createPolicy,
  createProfile,
  createScript,
  type JamfObjects,
} from './jamf-objects.ts';
import { attributeScript, enrollScript, renderDirectoryScript } from './scripts.ts';

type Urls = Readonly<Record<OriginName, string>>;

const { attributeName, policyName, scriptName, directoryScriptName, teamIdentifier, applicationIdentifier } = company;

/** Makes the objects once the origins listen, since the policy names their hosts. */
export function createFirstObjects(
  { attributeSection, identity, contextPath }: JamfOptions,
  secrets: Secrets,
  urls: Urls,
): JamfObjects {
  const browser = { id: 6, name: 'Install browser', allComputers: true, groupIds: [], updateInventory: false };
  const isEmail = identity === 'email';
  return {
    attributes: createAttributes(attributeSection),
    groups: [
      createGroup({ id: 1, name: 'All Managed Clients' }),
      createGroup({
        id: 7,
        name: 'Recent macOS',
        criteria: [
          createCriterion('Operating System Version', 'like', '15.'),
          createCriterion('Model', 'is not', 'Mac mini', 1),
        ],
      }),
      createGroup({
        id: 101,
        name: 'Agent Installed',
        criteria: [createCriterion(attributeName, 'is', 'Installed')],
      }),
      createGroup({
        id: 102,
        name: 'Agent Not Installed',
        criteria: [createCriterion(attributeName, 'is', 'Not Installed')],
      }),
      createGroup({ id: 18, name: 'Pilot', smart: false, members: [1, 2] }),
    ],
    scripts: [
      createScript({ id: 4, name: 'cleanup.sh', contents: '#!/bin/sh\r\ntrue\r\n' }),
      createScript(
        isEmail
          ? { id: 12, name: scriptName, labels: [...parameterLabels], contents: enrollScript }
          : { id: 12, name: directoryScriptName, contents: renderDirectoryScript(urls.service) },
      ),
    ],
    policies: [
      createPolicy(browser),
      createPolicy({
        id: 14,
        name: policyName,
        scripts: [{ id: 12, parameters: isEmail ? listParameters(secrets, urls, contextPath) : [] }],
      }),
    ],
    profiles: [
      createProfile({ id: 2, name: 'Passcode Policy' }),
      createProfile({
        id: 31,
        name: company.extensionProfileName,
        payloads: extensionPayloads,
        description: 'Approves the kernel extension',
      }),
      createProfile({ id: 32, name: company.fileAccessProfileName, payloads: fileAccessPayloads }),
    ],
  };
}

/** Makes attributes: one in each section, with names that look like the agent's, and one that is disabled. */
function createAttributes(attributeSection: JamfOptions['attributeSection']): JamfObjects['attributes'] {
  const renderScript = (id: number) => `#!/bin/sh\r\necho "<result>${id}</result>"\r\n`;
  return [
    createAttribute({ id: 1, name: 'Local Password', displayType: 'GENERAL' }),
    createAttribute({ id: 2, name: 'Battery Cycle Count', displayType: 'HARDWARE', script: renderScript(2) }),
    createAttribute({ id: 3, name: 'Usage Policy Violation', displayType: 'USER_AND_LOCATION' }),
    createAttribute({ id: 4, name: 'Kernel Panics', displayType: 'OPERATING_SYSTEM', script: renderScript(4) }),
    createAttribute({ id: 5, name: 'Order Number', displayType: 'PURCHASING' }),
    createAttribute({ id: 6, name: 'Agent Version', script: renderScript(6) }),
    createAttribute({ id: 8, name: `${attributeName} Old`, script: renderScript(8) }),
    createAttribute({ id: 12, name: 'Firewall', enabled: false, displayType: 'GENERAL', script: renderScript(12) }),
    createAttribute({
      id: 23,
      name: attributeName,
      description: 'Whether the endpoint agent is there',
      displayType: attributeSection,
      script: attributeScript,
    }),
    createAttribute({ id: 31, name: 'Ownership', displayType: 'GENERAL' }),
  ];
}

const parameterLabels = ['mdmUser', 'mdmPass', 'mdmHost', 'serviceHost', 'apiKey', 'circleId', '', ''];

function listParameters({ jamf, policyPassword, serviceApiKey }: Secrets, urls: Urls, contextPath: string): string[] {
  const [server = '', service = ''] = [urls.jamf, urls.service].map((url) => new URL(url).host);
  return [jamf.user, policyPassword, server + contextPath, service, serviceApiKey, company.circleId];
}

// The payloads of the agent's two profiles as the server stores them, with nothing between their elements.

const allowedTeams = `<key>AllowedTeamIdentifiers</key><array><string>${teamIdentifier}</string></array>`;

const extensionPayloads = renderProfile(1, [
  ['com.apple.system-extension-policy', `<key>AllowUserOverrides</key><true/>${allowedTeams}`],
  ['com.apple.syspolicy.kernel-extension-policy', `<key>AllowUserOverrides</key><false/>${allowedTeams}`],
]);

const fileAccess = [
  renderFileAccess(applicationIdentifier, 'bundleID', applicationIdentifier, '<key>Allowed</key><integer>1</integer>'),
  renderFileAccess('/usr/local/fhfs/bin/fhagent', 'path', 'fhagent', '<key>Authorization</key><string>Allow</string>'),
];

const fileAccessPayloads = renderProfile(2, [
  [
    'com.apple.TCC.configuration-profile-policy',
    `<key>Services</key><dict><key>SystemPolicyAllFiles</key><array>${fileAccess.join('')}</array></dict>`,
  ],
]);

type Payload = readonly [type: string, content: string];

function renderProfile(number: number, payloads: readonly Payload[]): string {
  const contents = payloads.map(
    ([type, content], index) => `<dict>${renderPayloadHead(number, index + 2, type)}${content}</dict>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n',
    `<plist version="1"><dict>${renderPayloadHead(number, 1, 'Configuration')}`,
    '<key>PayloadScope</key><string>System</string>',
    `<key>PayloadContent</key><array>${contents.join('')}</array></dict></plist>`,
  ].join('');
}

/** Keys with which the profile and each of its payloads begin. */
function renderPayloadHead(profile: number, number: number, type: string): string {
  const uuid = `5C0A000${profile}-0000-4000-A000-00000000000${number}`;
  return [
    `<key>PayloadUUID</key><string>${uuid}</string>`,
    `<key>PayloadType</key><string>${type}</string>`,
    `<key>PayloadIdentifier</key><string>${uuid}</string>`,
    '<key>PayloadDisplayName</key><string/>',
    '<key>PayloadVersion</key><integer>1</integer>',
  ].join('');
}

function renderFileAccess(identifier: string, type: string, signedAs: string, permission: string): string {
  return [
    `<dict><key>Identifier</key><string>${identifier}</string>`,
    `<key>IdentifierType</key><string>${type}</string>`,
    '<key>CodeRequirement</key>',
    `<string>identifier "${signedAs}" and anchor apple generic and certificate leaf[subject.OU] = ${teamIdentifier}</string>`,
    `${permission}<key>StaticCode</key><integer>0</integer></dict>`,
  ].join('');
}
