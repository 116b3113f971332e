/** Configuration profiles in every way they are written. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, buildBinary, type PlistValue } from 'plist';
import { describe, expect, it } from 'vitest';
import { extensionProfile, fileAccessProfile } from '../../src/deployment/checks/jamf/profiles.ts';
import type { ProfileFacts } from '../../src/deployment/checks/jamf/reading.ts';
import type { ScopeFacts } from '../../src/deployment/checks/jamf/scope.ts';
import { parsePayloads } from '../../src/deployment/profile/payloads.ts';
import type { DeploymentSettings } from '../../src/settings/deployment/deployment.ts';
import { needProgram, needSharedText } from '../needs.ts';
import { everyone, judgeJamf, makeSettings, one, type SettingsChange, say } from './judging.ts';
import { wrapInSignature } from './signed-profile.ts';

type Payload = { [key: string]: PlistValue };

const team = 'TEAM123456';
const asked = makeSettings({
  macos: {
    applicationFolder: '/Applications/Agent.app',
    applicationIdentifier: 'com.example.agent',
    teamIdentifier: team,
    profiles: { extension: 'One', fileAccess: 'Two' },
  },
});

const profile = (...payloads: Payload[]): Payload => ({
  PayloadType: 'Configuration',
  PayloadContent: payloads.map((payload, index) => ({ PayloadUUID: String(index), PayloadVersion: 1, ...payload })),
});

const xml = (...payloads: Payload[]) => build(profile(...payloads));

const whole: ProfileFacts = {
  scope: everyone,
  description: 'Kernel extension approval profile',
  distribution: 'Install Automatically',
  level: 'System',
  payloads: '',
};
const managed = ['1', '2', '3'];

function extension(payloads: string, changes: Partial<ProfileFacts> = {}) {
  return judgeJamf(extensionProfile, { extensionProfile: one({ ...whole, payloads, ...changes }), managed }, asked);
}

function access(payloads: string, tools = false, macos: Partial<DeploymentSettings['macos']> = {}) {
  const settings = { ...asked, macos: { ...asked.macos, tools, ...macos } };
  return judgeJamf(fileAccessProfile, { fileAccessProfile: one({ ...whole, payloads }), managed }, settings);
}

const kernel = (fields: Payload): Payload => ({
  PayloadType: 'com.apple.syspolicy.kernel-extension-policy',
  ...fields,
});
const system = (fields: Payload): Payload => ({ PayloadType: 'com.apple.system-extension-policy', ...fields });
const other = { PayloadType: 'com.apple.mobiledevice.passwordpolicy', forcePIN: true };

describe('the extension profile', () => {
  it.each<[string, Payload[]]>([
    ['a kernel extension by its team', [kernel({ AllowedTeamIdentifiers: [team] })]],
    ['a system extension by its team', [system({ AllowedTeamIdentifiers: ['OTHERTEAM1', team] })]],
    [
      'a kernel extension in the dictionary alone',
      [kernel({ AllowedKernelExtensions: { [team]: ['com.example.kext'] } })],
    ],
    [
      'a system extension in the dictionary, with its types',
      [
        system({
          AllowedSystemExtensions: { [team]: ['com.example.ext'] },
          AllowedSystemExtensionTypes: { [team]: ['DriverExtension'] },
        }),
      ],
    ],
    ['the second of two payloads', [other, kernel({ AllowedTeamIdentifiers: [team] })]],
  ])('%s: passes', (_what, payloads) => {
    expect(extension(xml(...payloads))).toMatchObject({ result: 'pass' });
  });

  it.each<[string, Payload[]]>([
    ['the team in another case', [kernel({ AllowedTeamIdentifiers: [team.toLowerCase()] })]],
    ['the team with no extension', [system({ AllowedSystemExtensions: { [team]: [] } })]],
    ['the lists of the other payload', [kernel({ AllowedSystemExtensions: { [team]: ['a'] } })]],
    ['a payload of another kind', [{ ...other, AllowedTeamIdentifiers: [team] }]],
  ])('%s: fails', (_what, payloads) => {
    expect(extension(xml(...payloads))).toMatchObject({ result: 'fail' });
  });

  const sound = xml(kernel({ AllowedTeamIdentifiers: [team] }));
  const nobody: ScopeFacts = { ...everyone, allComputers: false };
  const unreadGroup = { type: 'computer_group', id: 'A', name: 'A' };
  const unsaid = 'unknown: the server does not say whether it is installed automatically, and on computers';

  it.each<[string, string, Partial<ProfileFacts>, string]>([
    ['as documented', sound, {}, 'pass: as documented, scoped to all computers'],
    [
      'without a payload, for users',
      xml({ PayloadType: 'x' }),
      { level: 'USER' },
      'fail: it has no payload for kernel or system extensions; it is a profile for users, not for computers',
    ],
    [
      'for another team, without a description',
      xml(kernel({ AllowedTeamIdentifiers: ['x'] })),
      { description: ' ' },
      'fail: none of its payloads trusts the team identifier; its description does not say what it is for',
    ],
    [
      'in Self Service, for nobody',
      sound,
      { distribution: 'x', scope: nobody },
      'fail: it is not installed automatically, only offered in Self Service; it has no scope',
    ],
    [
      'less computers that were not read',
      sound,
      { scope: { ...everyone, exclusions: [unreadGroup] } },
      'unknown: the computers of the computer group "A", which it excludes, were not read',
    ],
    ['of which the distribution is not known', sound, { distribution: undefined }, unsaid],
    ['of which the level is not known', sound, { level: undefined }, unsaid],
    [
      'of which the level is not known, for nobody',
      sound,
      { level: undefined, scope: nobody },
      'fail: it has no scope',
    ],
    ['that is none', 'x', {}, 'unknown: its payload is not a readable property list'],
  ])('%s', (_what, payloads, changes, expected) => {
    expect(say(extension(payloads, changes))).toBe(expected);
  });

  it('is checked where the settings name it and the team', () => {
    const advise = (macos: SettingsChange['macos'] = {}) => judgeJamf(extensionProfile, {}, { macos }).advice;
    expect(advise({ teamIdentifier: team })).toBe('Set deployment.macos.profiles.extension to have this checked.');
    expect(advise({ profiles: { extension: 'One' } })).toBe(
      'Set deployment.macos.teamIdentifier to have this checked.',
    );
    expect(say(judgeJamf(extensionProfile, { extensionProfile: { is: 'none' } }, asked))).toBe(
      'fail: there is no configuration profile of that name',
    );
  });

  it('passes for computers however that is written', () => {
    for (const level of ['System', 'computer', 'Computer']) {
      expect(extension(sound, { level }).result).toBe('pass');
    }
  });
});

const agent = '/usr/local/fhfs/bin/fhagent';
const item = (Identifier: string, fields: Payload = { Allowed: true }): Payload => ({
  Identifier,
  IdentifierType: Identifier.startsWith('/') ? 'path' : 'bundleID',
  CodeRequirement: `anchor apple generic and certificate leaf[subject.OU] = ${team} & more <than>`,
  ...fields,
});
const tcc = (...entries: Payload[]): Payload => ({
  PayloadType: 'com.apple.TCC.configuration-profile-policy',
  Services: { SystemPolicyAllFiles: entries },
});
const app = item('com.example.agent');

describe('the file access profile', () => {
  it.each<[string, Payload[]]>([
    ['booleans', [tcc(app, item(agent))]],
    ['the integer 1', [tcc(item('com.example.agent', { Allowed: 1 }), item(agent, { Allowed: 1 }))]],
    ['more than was asked for', [tcc(app, item(agent), item('/usr/local/fhfs/bin/fhtools'), item('com.example.x'))]],
  ])('%s: passes', (_what, payloads) => {
    expect(access(xml(...payloads))).toMatchObject({ result: 'pass' });
  });

  it.each<[string, Payload[]]>([
    ['no fhagent', [tcc(app)]],
    ['another application', [tcc(item('com.example.agent2'), item(agent))]],
    ['a denial', [tcc(app, item(agent, { Allowed: false }))]],
    [
      'a word that leaves it to the user',
      [tcc(app, item(agent, { Authorization: 'AllowStandardUserToSetSystemService' }))],
    ],
    ['both ways, contradicting', [tcc(app, item(agent, { Allowed: true, Authorization: 'Deny' }))]],
    ['two entries, contradicting', [tcc(app, item(agent), item(agent, { Allowed: false }))]],
    ['neither way', [tcc(app, item(agent, {}))]],
    ['the agent as a bundle id', [tcc(app, { ...item(agent), IdentifierType: 'bundleID' })]],
    ['another service', [{ ...tcc(), Services: { SystemPolicySysAdminFiles: [app, item(agent)] } }]],
  ])('%s: fails', (_what, payloads) => {
    expect(access(xml(...payloads))).toMatchObject({ result: 'fail' });
  });

  it.each<[string, unknown, string]>([
    ['of another team', 'anchor apple generic and certificate leaf[subject.OU] = "TEAM654321"', 'names another team'],
    ['of no team', 'identifier "fhagent" and anchor apple generic', 'names no team'],
    ['of a team in a comment', `anchor apple generic /* certificate leaf[subject.OU] = ${team} */`, 'names no team'],
    ['that is empty', ' ', 'is missing'],
    ['that is a comment alone', '/* exists */', 'is missing'],
  ])('a code requirement %s: fails', (_what, CodeRequirement, words) => {
    const entry = { ...item(agent), CodeRequirement } as Payload;
    expect(access(xml(tcc(app, entry)))).toMatchObject({
      result: 'fail',
      found: `the code requirement of fhagent ${words}`,
    });
  });

  it('no code requirement: fails, also where the team is not known', () => {
    const { CodeRequirement: _, ...entry } = item(agent);
    for (const teamIdentifier of [team, undefined]) {
      expect(access(xml(tcc(app, entry)), false, { teamIdentifier })).toMatchObject({
        result: 'fail',
        found: 'the code requirement of fhagent is missing',
      });
    }
  });

  // https://github.com/jamf/PPPC-Utility: an application by its bundle id, a program by its path, as codesign says it.
  const designated = (identifier: string) =>
    `identifier "${identifier}" and anchor apple generic and certificate 1[field.1.2.840.113635.100.6.2.6] /* exists */ and certificate leaf[field.1.2.840.113635.100.6.1.13] /* exists */ and certificate leaf[subject.OU] = ${team}`;
  const utility = () => [
    { ...item('com.vendor.agent'), CodeRequirement: designated('com.vendor.agent') },
    { ...item(agent), CodeRequirement: designated('fhagent') },
  ];
  const folderAlone = { applicationIdentifier: undefined };

  it('as the utility writes it passes where the settings have the folder alone', () => {
    expect(access(xml(tcc(...utility())), false, folderAlone)).toMatchObject({ result: 'pass' });
  });

  it('with the requirement escaped once more is the same', () => {
    const escaped = utility().map((entry) => ({
      ...entry,
      CodeRequirement: String(entry.CodeRequirement).replaceAll('"', '&quot;'),
    }));
    expect(access(xml(tcc(...escaped)))).toMatchObject({
      result: 'fail',
      found: expect.stringContaining('application'),
    });
    expect(access(xml(tcc(...escaped)), false, folderAlone)).toMatchObject({ result: 'pass' });
  });

  it('is for the files in the settings', () => {
    const own = { agentFile: '/opt/agent/bin/agent', toolsFile: '/opt/agent/bin/tools' };
    const entries = tcc(app, item(own.agentFile), item(own.toolsFile));
    expect(access(xml(entries), true, own)).toMatchObject({ result: 'pass' });
    expect(access(xml(entries), true)).toMatchObject({ result: 'fail' });
    expect(access(xml(tcc(app, item(agent), item('/usr/local/fhfs/bin/fhtools'))), true, own)).toMatchObject({
      result: 'fail',
    });
  });

  const documented = 'pass: as documented, scoped to all computers';
  it.each<[string, Payload[], SettingsChange['macos'], string]>([
    ['the folder', [item('/Applications/Agent.app'), item(agent)], {}, documented],
    ['the vendor’s bundle', [item('com.x'), item(agent)], {}, documented],
    [
      'another bundle where the id is known',
      [item('com.x'), item(agent)],
      { applicationIdentifier: 'com.y' },
      'fail: All Files is not allowed for the application',
    ],
    [
      'the bundle where only its id is known',
      [item('com.y'), item(agent)],
      { applicationIdentifier: 'com.y', applicationFolder: undefined },
      documented,
    ],
    [
      'the vendor’s bundle where the team is not known',
      [item('com.x'), item(agent)],
      { teamIdentifier: undefined },
      'fail: All Files is not allowed for the application',
    ],
    [
      'the folder, and the bundle denied',
      [item('/Applications/Agent.app'), item('com.y', { Allowed: false }), item(agent)],
      { applicationIdentifier: 'com.y' },
      'fail: All Files is denied for the application',
    ],
    [
      'the folder, and the vendor’s bundle denied',
      [item('/Applications/Agent.app'), item('com.x', { Allowed: false }), item(agent)],
      {},
      'fail: All Files is denied for the application',
    ],
    [
      'the agent twice without a team',
      [app, { ...item(agent), CodeRequirement: 'x' }, { ...item(agent), CodeRequirement: 'y' }],
      {},
      'fail: the code requirement of fhagent names no team',
    ],
    [
      'nothing, with tools',
      [],
      { tools: true },
      'fail: All Files is not allowed for the application; All Files is not allowed for fhagent; All Files is not allowed for fhtools',
    ],
    [
      'a slash at the end',
      [item('/Applications/Agent.app//'), { ...item(` ${agent}/ `), IdentifierType: 'path' }],
      { applicationFolder: '/Applications/Agent.app//' },
      documented,
    ],
  ])('where the settings have the folder alone, or as said: %s', (_what, entries, own, expected) => {
    expect(say(access(xml(tcc(...entries)), false, { ...folderAlone, ...own }))).toBe(expected);
  });

  it('is checked where the settings name it and the application', () => {
    const advise = (macos: SettingsChange['macos'] = {}) => judgeJamf(fileAccessProfile, {}, { macos }).advice;
    expect(advise({ applicationFolder: '/x' })).toBe('Set deployment.macos.profiles.fileAccess to have this checked.');
    expect(advise({ profiles: { fileAccess: 'Two' } })).toBe(
      'Set deployment.macos.applicationFolder or applicationIdentifier to have this checked.',
    );
  });
});

const good = profile(kernel({ AllowedTeamIdentifiers: [team] }));

const signed = wrapInSignature(build(good)).toString('base64');

describe('a property list', () => {
  it.each<[string, string]>([
    ['on one line', build(good, { pretty: false })],
    ['with a byte-order mark', `\uFEFF${build(good)}`],
    [
      'with a layer of entities too many',
      build(good).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ],
    ['signed', signed],
    ['signed, in pieces', wrapInSignature(build(good).slice(0, 40), build(good).slice(40)).toString('base64')],
    ['signed, in lines', signed.replace(/(.{40})/g, '$1\n')],
    ['signed, in armour', `-----BEGIN PKCS7-----\n${signed}\n-----END PKCS7-----\n`],
  ])('%s is read', (_what, text) => {
    expect(extension(text)).toMatchObject({ result: 'pass' });
  });

  it.each<[string, string]>([
    ['empty', ''],
    ['cut short', build(good).slice(0, -30)],
    ['a web page', '<html><body>Sign in</body></html>'],
    ['another text', 'hello'],
    ['binary', Buffer.from(buildBinary(good)).toString('base64')],
    ['half a signed one', signed.slice(0, 80)],
    ['a signature around nothing', wrapInSignature('').toString('base64')],
    [
      'an entity bomb',
      `<!DOCTYPE plist [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><plist><dict><key>PayloadContent</key><string>&b;</string></dict>`,
    ],
  ])('%s is unknown, never a pass', (_what, text) => {
    expect(extension(text).result).toBe('unknown');
  });

  it('of the prototype is nobody’s', () => {
    const text = '<plist version="1.0"><dict><key>__proto__</key><dict><key>x</key><true/></dict></dict></plist>';
    parsePayloads(text);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

it('signed by openssl is read', ({ skip }) => {
  needProgram(skip, 'openssl');
  const folder = mkdtempSync(join(tmpdir(), 'muster-signed-'));
  const at = (name: string) => join(folder, name);
  writeFileSync(at('in'), build(good));
  const quiet = { stdio: 'ignore' } as const;
  const subject = ['-subj', '/CN=example', '-keyout', at('key'), '-out', at('cert')];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject], quiet);
  const keys = ['-signer', at('cert'), '-inkey', at('key')];
  execFileSync(
    'openssl',
    ['smime', '-sign', '-nodetach', '-outform', 'der', '-in', at('in'), '-out', at('out'), ...keys],
    quiet,
  );
  expect(extension(readFileSync(at('out')).toString('base64'))).toMatchObject({ result: 'pass' });
  rmSync(folder, { recursive: true });
});

it('of a real server is read: a passcode policy trusts no team', ({ skip }) => {
  const profile = needSharedText(skip, 'real/jamf-classic-profile.xml');
  const text = /<payloads>([\s\S]*)<\/payloads>/.exec(profile)?.[1] ?? '';
  expect(parsePayloads(text)).toMatchObject([{ PayloadType: 'com.apple.mobiledevice.passwordpolicy', minLength: 8 }]);
  expect(extension(text)).toMatchObject({ result: 'fail' });
});
