/** Configuration profiles as Jamf stores them: one property list in one string, elements on one line. */
import { applicationIdentifier, teamIdentifier } from '../company.ts';
import { escapeXml } from './xml.ts';

const key = (name: string, value: string): string => `<key>${name}</key>${value}`;
const string = (value: string): string => (value === '' ? '<string/>' : `<string>${escapeXml(value)}</string>`);
const array = (...items: string[]): string => `<array>${items.join('')}</array>`;
const dictionary = (...entries: string[]): string => `<dict>${entries.join('')}</dict>`;

function payload(type: string, uuid: string, ...entries: string[]): string {
  return dictionary(
    key('PayloadUUID', string(uuid)),
    key('PayloadType', string(type)),
    key('PayloadIdentifier', string(uuid)),
    key('PayloadDisplayName', string('')),
    key('PayloadVersion', '<integer>1</integer>'),
    ...entries,
  );
}

function profile(uuid: string, ...payloads: string[]): string {
  const content = payload(
    'Configuration',
    uuid,
    key('PayloadScope', string('System')),
    key('PayloadContent', array(...payloads)),
  );
  return `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n<plist version="1">${content}</plist>`;
}

export const extensionPayload = profile(
  '5C0A0001-0000-4000-A000-000000000001',
  payload(
    'com.apple.system-extension-policy',
    '5C0A0001-0000-4000-A000-000000000002',
    key('AllowUserOverrides', '<true/>'),
    key('AllowedTeamIdentifiers', array(string(teamIdentifier))),
  ),
  payload(
    'com.apple.syspolicy.kernel-extension-policy',
    '5C0A0001-0000-4000-A000-000000000003',
    key('AllowUserOverrides', '<false/>'),
    key('AllowedTeamIdentifiers', array(string(teamIdentifier))),
  ),
);

function access(identifier: string, type: 'bundleID' | 'path', allowed: string): string {
  const requirement = `identifier "${identifier.split('/').at(-1)}" and anchor apple generic and certificate leaf[subject.OU] = ${teamIdentifier}`;
  return dictionary(
    key('Identifier', string(identifier)),
    key('IdentifierType', string(type)),
    key('CodeRequirement', string(requirement)),
    allowed,
    key('StaticCode', '<integer>0</integer>'),
  );
}

export const fileAccessPayload = profile(
  '5C0A0002-0000-4000-A000-000000000001',
  payload(
    'com.apple.TCC.configuration-profile-policy',
    '5C0A0002-0000-4000-A000-000000000002',
    key(
      'Services',
      dictionary(
        key(
          'SystemPolicyAllFiles',
          array(
            // Real profiles write the permission in each of these ways.
            access(applicationIdentifier, 'bundleID', key('Allowed', '<integer>1</integer>')),
            access('/usr/local/fhfs/bin/fhagent', 'path', key('Authorization', string('Allow'))),
          ),
        ),
      ),
    ),
  ),
);
