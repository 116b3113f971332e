/** The profile that lets the agent read files. */
import { describe, expect, it } from 'vitest';
import { fileAccessProfile } from '../../src/deployment/checks/jamf/profiles.ts';
import type { DeploymentSettings } from '../../src/deployment/settings.ts';
import { judgeJamf, one, type SettingsChange, say } from './judging.ts';
import { asked, managed, type Payload, team, whole, xml } from './profile-payloads.ts';

function access(payloads: string, tools = false, macos: Partial<DeploymentSettings['macos']> = {}) {
  const settings = { ...asked, macos: { ...asked.macos, tools, ...macos } };
  return judgeJamf(fileAccessProfile, { fileAccessProfile: one({ ...whole, payloads }), managed }, settings);
}

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
