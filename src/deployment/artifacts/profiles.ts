/** The three configuration profiles: docs/coverage.md, section 1.3. Their UUIDs are hashes of their content, so they are stable. */
import { build, type PlistValue } from 'plist';
import { computeSha256 } from '../../sha256.ts';
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

/** The code requirement names the signing team only: the deployment interface shows nothing else of the signatures. */
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

/** A UUID of version 8 (RFC 9562): made from a hash, so the same content has the same UUID. */
function computeUuid(identifier: string, payload: Payload): string {
  const hex = computeSha256(JSON.stringify([identifier, payload]));
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join('-').toUpperCase();
}
