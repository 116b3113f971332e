/** The three configuration profiles: section 1.3. Their identifiers follow from their content, so that they stay. */
import { createHash } from 'node:crypto';
import { build, type PlistValue } from 'plist';
import { macosFiles } from '../definition.ts';
import { type Company, placeholders } from './render.ts';

type Payload = Readonly<Record<string, PlistValue>>;

export function renderKernelExtensionProfile(company: Company): string {
  return renderProfile(company, 'kernel-extension', 'Kernel extension approval of the endpoint agent', {
    PayloadType: 'com.apple.syspolicy.kernel-extension-policy',
    AllowUserOverrides: false,
    AllowedTeamIdentifiers: [findTeamIdentifier(company)],
  });
}

export function renderSystemExtensionProfile(company: Company): string {
  return renderProfile(company, 'system-extension', 'System extension approval of the endpoint agent', {
    PayloadType: 'com.apple.system-extension-policy',
    AllowUserOverrides: true,
    AllowedTeamIdentifiers: [findTeamIdentifier(company)],
  });
}

export function renderFileAccessProfile(company: Company): string {
  const { applicationIdentifier, applicationFolder, tools } = company.deployment.macos;
  const application =
    applicationIdentifier === undefined
      ? buildAccessEntry(company, 'path', applicationFolder ?? placeholders.application)
      : buildAccessEntry(company, 'bundleID', applicationIdentifier);
  const entries = [application, buildAccessEntry(company, 'path', macosFiles.agent)];
  if (tools) {
    entries.push(buildAccessEntry(company, 'path', macosFiles.tools));
  }
  return renderProfile(company, 'file-access', 'File access of the endpoint agent', {
    PayloadType: 'com.apple.TCC.configuration-profile-policy',
    Services: { SystemPolicyAllFiles: entries },
  });
}

/** Who signed it, and nothing about its name: the document does not show how the files are signed otherwise. */
function buildAccessEntry(
  company: Company,
  type: 'path' | 'bundleID',
  identifier: string,
): { [key: string]: PlistValue } {
  const name = type === 'bundleID' ? `identifier "${identifier}" and ` : '';
  return {
    Identifier: identifier,
    IdentifierType: type,
    CodeRequirement: `${name}anchor apple generic and certificate leaf[subject.OU] = "${findTeamIdentifier(company)}"`,
    Allowed: true,
    StaticCode: false,
  };
}

function findTeamIdentifier({ deployment }: Company): string {
  return deployment.macos.teamIdentifier ?? placeholders.team;
}

function renderProfile({ deployment }: Company, kind: string, displayName: string, payload: Payload): string {
  const prefix = deployment.macos.applicationIdentifier ?? 'endpoint-agent';
  const identifier = `${prefix}.${kind}`;
  return `${build({
    PayloadType: 'Configuration',
    PayloadVersion: 1,
    PayloadIdentifier: identifier,
    PayloadUUID: computeUuid(identifier, payload),
    PayloadDisplayName: displayName,
    PayloadScope: 'System',
    PayloadContent: [
      {
        ...payload,
        PayloadVersion: 1,
        PayloadIdentifier: `${identifier}.payload`,
        PayloadUUID: computeUuid(`${identifier}.payload`, payload),
        PayloadDisplayName: displayName,
      },
    ],
  })}\n`;
}

/** A UUID of version 8 (RFC 9562): made of a hash, the same for the same content. */
function computeUuid(identifier: string, payload: Payload): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([identifier, payload]))
    .digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join('-').toUpperCase();
}
