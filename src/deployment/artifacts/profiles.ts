/** The three configuration profiles: docs/coverage.md, section 1.3. Their UUIDs are hashes of their content, so they are stable. */
import { build, type PlistValue } from 'plist';
import { computeSha256 } from '../../base/sha256.ts';
import { placeholders } from '../placeholders.ts';
import type { Company } from './render.ts';

type Payload = Readonly<Record<string, PlistValue>>;

/** Names of the profiles where the settings have none. */
export const profileNames = { extension: 'Agent kernel extension', fileAccess: 'Agent file access' } as const;

/** Section 1.3 asks for a description that identifies it as this. */
export const extensionProfileDescription = 'Kernel extension approval profile of the endpoint agent';

export function renderKernelExtensionProfile(company: Company): string {
  return renderExtensionProfile(company, 'kernel-extension', {
    PayloadType: 'com.apple.syspolicy.kernel-extension-policy',
    AllowUserOverrides: false,
  });
}

export function renderSystemExtensionProfile(company: Company): string {
  return renderExtensionProfile(company, 'system-extension', {
    PayloadType: 'com.apple.system-extension-policy',
    AllowUserOverrides: true,
  });
}

/** Both profiles have the one name in the settings: a company uploads the one that its agent needs. */
function renderExtensionProfile(company: Company, kind: string, payload: Payload): string {
  const name = company.deployment.macos.profiles.extension ?? profileNames.extension;
  const teams = [findTeamIdentifier(company)];
  return renderProfile(
    company,
    kind,
    { name, description: extensionProfileDescription },
    {
      ...payload,
      AllowedTeamIdentifiers: teams,
    },
  );
}

export function renderFileAccessProfile(company: Company): string {
  const { applicationIdentifier, applicationFolder, tools, agentFile, toolsFile, profiles } = company.deployment.macos;
  const application =
    applicationIdentifier === undefined
      ? buildAccessEntry(company, 'path', applicationFolder ?? placeholders.application)
      : buildAccessEntry(company, 'bundleID', applicationIdentifier);
  const entries = [application, buildAccessEntry(company, 'path', agentFile)];
  if (tools) {
    entries.push(buildAccessEntry(company, 'path', toolsFile));
  }
  const texts = {
    name: profiles.fileAccess ?? profileNames.fileAccess,
    description: 'Allows the endpoint agent access to all files.',
  };
  return renderProfile(company, 'file-access', texts, {
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

/** Jamf Pro takes the name and the description of an uploaded profile from its property list. */
interface ProfileTexts {
  readonly name: string;
  readonly description: string;
}

function renderProfile(
  { deployment }: Company,
  kind: string,
  { name, description }: ProfileTexts,
  payload: Payload,
): string {
  const prefix = deployment.macos.applicationIdentifier ?? 'endpoint-agent';
  const identifier = `${prefix}.${kind}`;
  return `${build({
    PayloadType: 'Configuration',
    PayloadVersion: 1,
    PayloadIdentifier: identifier,
    PayloadUUID: computeUuid(identifier, payload),
    PayloadDisplayName: name,
    PayloadDescription: description,
    PayloadScope: 'System',
    PayloadContent: [
      {
        ...payload,
        PayloadVersion: 1,
        PayloadIdentifier: `${identifier}.payload`,
        PayloadUUID: computeUuid(`${identifier}.payload`, payload),
        PayloadDisplayName: name,
        PayloadDescription: description,
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
