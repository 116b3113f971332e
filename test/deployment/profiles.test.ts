/** Configuration profiles in every way they are written. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, buildBinary } from 'plist';
import { describe, expect, it } from 'vitest';
import { extensionProfile } from '../../src/deployment/checks/jamf/profiles.ts';
import type { ProfileFacts } from '../../src/deployment/checks/jamf/reading.ts';
import type { ScopeFacts } from '../../src/deployment/checks/jamf/scope.ts';
import { parsePayloads } from '../../src/deployment/profile/payloads.ts';
import { needProgram, needSharedText } from '../needs.ts';
import { everyone, judgeJamf, type SettingsChange, say } from './judging.ts';
import { asked, extension, type Payload, profile, team, xml } from './profile-payloads.ts';
import { wrapInSignature } from './signed-profile.ts';

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
    expect(say(judgeJamf(extensionProfile, { extensionProfile: { kind: 'none' } }, asked))).toBe(
      'fail: there is no configuration profile of that name',
    );
  });

  it('passes for computers however that is written', () => {
    for (const level of ['System', 'computer', 'Computer']) {
      expect(extension(sound, { level }).result).toBe('pass');
    }
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
