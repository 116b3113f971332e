/** Renders the three configuration profiles: docs/coverage.md, section 1.3. Their UUIDs are stable hashes of their content. */
import { build, type PlistValue } from 'plist';
import { computeSha256 } from '../../base/sha256.ts';
import { placeholders } from '../definition.ts';
import { type Company, nameObjects } from './artifact.ts';

type Dictionary = Record<string, PlistValue>;

/** The description by which section 1.3 identifies the profile. */
export const extensionProfileDescription = 'Kernel extension approval profile of the endpoint agent';

const extensionPayloads = {
  kernel: { PayloadType: 'com.apple.syspolicy.kernel-extension-policy', AllowUserOverrides: false },
  system: { PayloadType: 'com.apple.system-extension-policy', AllowUserOverrides: true },
};

/** Renders one of two profiles that share a name in the settings: a company uploads the one that its agent needs. */
export function renderExtensionProfile(company: Company, kind: keyof typeof extensionPayloads): string {
  const name = nameObjects(company).extensionProfile;
  return renderProfile(company, `${kind}-extension`, name, extensionProfileDescription, {
    ...extensionPayloads[kind],
    AllowedTeamIdentifiers: [findTeamIdentifier(company)],
  });
}

export function renderFileAccessProfile(company: Company): string {
  const { applicationIdentifier, applicationFolder, tools, agentFile, toolsFile } = company.deployment.macos;
  const team = findTeamIdentifier(company);
  const entries = [
    applicationIdentifier === undefined
      ? buildAccessEntry(team, 'path', applicationFolder ?? placeholders.application)
      : buildAccessEntry(team, 'bundleID', applicationIdentifier),
    ...[agentFile, ...(tools ? [toolsFile] : [])].map((file) => buildAccessEntry(team, 'path', file)),
  ];
  const description = 'Allows the endpoint agent access to all files.';
  return renderProfile(company, 'file-access', nameObjects(company).fileAccessProfile, description, {
    PayloadType: 'com.apple.TCC.configuration-profile-policy',
    Services: { SystemPolicyAllFiles: entries },
  });
}

/** An entry whose code requirement names the signing team alone: the deployment interface shows no more of the signatures. */
function buildAccessEntry(team: string, type: 'path' | 'bundleID', identifier: string): Dictionary {
  const name = type === 'bundleID' ? `identifier "${identifier}" and ` : '';
  return {
    Identifier: identifier,
    IdentifierType: type,
    CodeRequirement: `${name}anchor apple generic and certificate leaf[subject.OU] = "${team}"`,
    Allowed: true,
    StaticCode: false,
  };
}

function findTeamIdentifier({ deployment }: Company): string {
  return deployment.macos.teamIdentifier ?? placeholders.team;
}

/** A property list with the name and the description, from which Jamf Pro takes those of an uploaded profile. */
function renderProfile(
  { deployment }: Company,
  kind: string,
  name: string,
  description: string,
  payload: Dictionary,
): string {
  const identifier = `${deployment.macos.applicationIdentifier ?? 'endpoint-agent'}.${kind}`;
  const describe = (own: string): Dictionary => ({
    PayloadVersion: 1,
    PayloadIdentifier: own,
    PayloadUUID: computeUuid(own, payload),
    PayloadDisplayName: name,
    PayloadDescription: description,
  });
  return `${build({
    PayloadType: 'Configuration',
    ...describe(identifier),
    PayloadScope: 'System',
    PayloadContent: [{ ...payload, ...describe(`${identifier}.payload`) }],
  })}\n`;
}

/** A UUID of version 8 (RFC 9562) from a hash, so that the same content has the same UUID. */
function computeUuid(identifier: string, payload: Dictionary): string {
  const hex = computeSha256(JSON.stringify([identifier, payload]));
  const [, first, second, third, fourth, fifth] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(hex) ?? [];
  return `${first}-${second}-8${third}-8${fourth}-${fifth}`.toUpperCase();
}
