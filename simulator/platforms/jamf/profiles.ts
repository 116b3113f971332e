/** The two configuration profiles of the agent, as the server stores them: nothing lies between their elements. */
import { company } from '../company.ts';

const { teamIdentifier, applicationIdentifier } = company;

const allowedTeams = `<key>AllowedTeamIdentifiers</key><array><string>${teamIdentifier}</string></array>`;

export const extensionPayloads = renderProfile(1, [
  ['com.apple.system-extension-policy', `<key>AllowUserOverrides</key><true/>${allowedTeams}`],
  ['com.apple.syspolicy.kernel-extension-policy', `<key>AllowUserOverrides</key><false/>${allowedTeams}`],
]);

const fileAccess = [
  renderFileAccess(applicationIdentifier, 'bundleID', applicationIdentifier, '<key>Allowed</key><integer>1</integer>'),
  renderFileAccess('/usr/local/fhfs/bin/fhagent', 'path', 'fhagent', '<key>Authorization</key><string>Allow</string>'),
];

export const fileAccessPayloads = renderProfile(2, [
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

/** The keys that the profile and each of its payloads begin with. */
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
