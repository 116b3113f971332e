/** Configuration profiles as Jamf stores them: one property list in one string, elements on one line. */
import { applicationIdentifier, teamIdentifier } from '../company.ts';
import { escapeXml } from './xml.ts';

export const extensionPayload = renderConfigurationProfile(
  '5C0A0001-0000-4000-A000-000000000001',
  renderPayload(
    'com.apple.system-extension-policy',
    '5C0A0001-0000-4000-A000-000000000002',
    renderKey('AllowUserOverrides', '<true/>'),
    renderKey('AllowedTeamIdentifiers', renderArray(renderString(teamIdentifier))),
  ),
  renderPayload(
    'com.apple.syspolicy.kernel-extension-policy',
    '5C0A0001-0000-4000-A000-000000000003',
    renderKey('AllowUserOverrides', '<false/>'),
    renderKey('AllowedTeamIdentifiers', renderArray(renderString(teamIdentifier))),
  ),
);

export const fileAccessPayload = renderConfigurationProfile(
  '5C0A0002-0000-4000-A000-000000000001',
  renderPayload(
    'com.apple.TCC.configuration-profile-policy',
    '5C0A0002-0000-4000-A000-000000000002',
    renderKey(
      'Services',
      renderDictionary(
        renderKey(
          'SystemPolicyAllFiles',
          renderArray(
            // Real profiles write the permission in each of these ways.
            renderAccessRule(applicationIdentifier, 'bundleID', renderKey('Allowed', '<integer>1</integer>')),
            renderAccessRule('/usr/local/fhfs/bin/fhagent', 'path', renderKey('Authorization', renderString('Allow'))),
          ),
        ),
      ),
    ),
  ),
);

function renderConfigurationProfile(uuid: string, ...payloads: string[]): string {
  const content = renderPayload(
    'Configuration',
    uuid,
    renderKey('PayloadScope', renderString('System')),
    renderKey('PayloadContent', renderArray(...payloads)),
  );
  return `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n<plist version="1">${content}</plist>`;
}

function renderPayload(type: string, uuid: string, ...entries: string[]): string {
  return renderDictionary(
    renderKey('PayloadUUID', renderString(uuid)),
    renderKey('PayloadType', renderString(type)),
    renderKey('PayloadIdentifier', renderString(uuid)),
    renderKey('PayloadDisplayName', renderString('')),
    renderKey('PayloadVersion', '<integer>1</integer>'),
    ...entries,
  );
}

function renderArray(...items: string[]): string {
  return `<array>${items.join('')}</array>`;
}

function renderAccessRule(identifier: string, type: 'bundleID' | 'path', allowed: string): string {
  const requirement = `identifier "${identifier.split('/').at(-1)}" and anchor apple generic and certificate leaf[subject.OU] = ${teamIdentifier}`;
  return renderDictionary(
    renderKey('Identifier', renderString(identifier)),
    renderKey('IdentifierType', renderString(type)),
    renderKey('CodeRequirement', renderString(requirement)),
    allowed,
    renderKey('StaticCode', '<integer>0</integer>'),
  );
}

function renderDictionary(...entries: string[]): string {
  return `<dict>${entries.join('')}</dict>`;
}

function renderKey(name: string, value: string): string {
  return `<key>${name}</key>${value}`;
}

function renderString(value: string): string {
  return value === '' ? '<string/>' : `<string>${escapeXml(value)}</string>`;
}
