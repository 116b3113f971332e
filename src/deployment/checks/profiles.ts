/** Checks the two configuration profiles: docs/coverage.md, section 1.3. */
import type { Finding } from '../../core/facts.ts';
import type { CheckId } from '../catalogue.ts';
import { macosFiles } from '../definition.ts';
import type { DeploymentSettings } from '../deployment-settings.ts';
import { judgeOne, type LookupResult, passOrFail, reportNotChecked, reportUnknown } from '../finding.ts';
import { type Dictionary, parsePayloads, readArray, readDictionaries, readDictionary } from '../profile/payloads.ts';

export interface ProfileFacts {
  readonly scoped: boolean;
  /** The property list as the server stores it. */
  readonly payloads: string;
}

const creationAdvice =
  'Create it as section 1.3 of the deployment interface describes (`muster artifacts` renders it), or put its display name in the settings.';

export function checkExtensionProfile(settings: DeploymentSettings, found: LookupResult<ProfileFacts>): Finding {
  const check = 'macos.extension-profile';
  const { profiles, teamIdentifier } = settings.macos;
  if (profiles.extension === undefined) {
    return reportNotChecked(check, 'deployment.macos.profiles.extension');
  }
  if (teamIdentifier === undefined) {
    return reportNotChecked(check, 'deployment.macos.teamIdentifier');
  }
  return judgeProfile(check, found, (payloads) => {
    const policies = payloads.filter(({ PayloadType: type }) => typeof type === 'string' && trustListKeys.has(type));
    if (policies.length === 0) {
      return ['it has no payload for kernel or system extensions'];
    }
    return policies.some((policy) => isTrusted(policy, teamIdentifier))
      ? []
      : ['none of its payloads trusts the team identifier'];
  });
}

/** Where a team may be named besides AllowedTeamIdentifiers: https://developer.apple.com/documentation/devicemanagement */
const trustListKeys: ReadonlyMap<string, string> = new Map([
  ['com.apple.system-extension-policy', 'AllowedSystemExtensions'],
  ['com.apple.syspolicy.kernel-extension-policy', 'AllowedKernelExtensions'],
]);

function isTrusted(policy: Dictionary, team: string): boolean {
  if (readArray(policy.AllowedTeamIdentifiers).includes(team)) {
    return true;
  }
  const extensions = readDictionary(policy[trustListKeys.get(String(policy.PayloadType)) ?? '']);
  return readArray(extensions?.[team]).length > 0;
}

export function checkFileAccessProfile(settings: DeploymentSettings, found: LookupResult<ProfileFacts>): Finding {
  const check = 'macos.file-access-profile';
  const { profiles, tools } = settings.macos;
  if (profiles.fileAccess === undefined) {
    return reportNotChecked(check, 'deployment.macos.profiles.fileAccess');
  }
  const application = listApplicationIdentities(settings);
  if (application.length === 0) {
    return reportNotChecked(check, 'deployment.macos.applicationFolder or applicationIdentifier');
  }
  return judgeProfile(check, found, (payloads) => {
    const entries = payloads
      .filter(({ PayloadType: type }) => type === 'com.apple.TCC.configuration-profile-policy')
      .flatMap(({ Services: services }) => readDictionaries(readDictionary(services)?.SystemPolicyAllFiles));
    const wanted: [string, readonly AccessIdentity[]][] = [
      ['the application', application],
      ['fhagent', [{ type: 'path', identifier: macosFiles.agent }]],
    ];
    if (tools) {
      wanted.push(['fhtools', [{ type: 'path', identifier: macosFiles.tools }]]);
    }
    return wanted.flatMap(([what, identities]) => findAccessProblem(what, selectAccessEntries(entries, identities)));
  });
}

interface AccessIdentity {
  readonly type: 'path' | 'bundleID';
  readonly identifier: string;
}

function listApplicationIdentities({ macos }: DeploymentSettings): readonly AccessIdentity[] {
  const { applicationFolder: folder, applicationIdentifier: bundle } = macos;
  return [
    ...(folder === undefined ? [] : [{ type: 'path' as const, identifier: folder }]),
    ...(bundle === undefined ? [] : [{ type: 'bundleID' as const, identifier: bundle }]),
  ];
}

function selectAccessEntries(
  entries: readonly Dictionary[],
  identities: readonly AccessIdentity[],
): readonly Dictionary[] {
  return entries.filter((entry) =>
    identities.some(
      ({ type, identifier }) =>
        entry.IdentifierType === type && normalizeIdentifier(entry.Identifier) === identifier.replace(/\/+$/, ''),
    ),
  );
}

function normalizeIdentifier(value: unknown): string {
  return typeof value === 'string' ? value.trim().replace(/\/+$/, '') : '';
}

/** Where entries contradict each other, the device denies access. */
function findAccessProblem(what: string, entries: readonly Dictionary[]): string[] {
  if (entries.length === 0) {
    return [`All Files is not allowed for ${what}`];
  }
  return entries.every(isAllowed) ? [] : [`All Files is denied for ${what}`];
}

/** A boolean, the integer 1, or since macOS 11 a word; where both exist, both must allow. */
function isAllowed({ Allowed: allowed, Authorization: word }: Dictionary): boolean {
  const byFlag = allowed === undefined ? undefined : allowed === true || allowed === 1;
  const byWord = word === undefined ? undefined : word === 'Allow';
  return byFlag !== false && byWord !== false && (byFlag ?? byWord) === true;
}

function judgeProfile(
  check: CheckId,
  found: LookupResult<ProfileFacts>,
  findProblems: (payloads: readonly Dictionary[]) => readonly string[],
): Finding {
  return judgeOne(check, found, 'configuration profile', creationAdvice, ({ scoped, payloads }) => {
    const read = parsePayloads(payloads);
    if (read === undefined) {
      return reportUnknown(check, { why: 'its payload is not a readable property list', advice: creationAdvice });
    }
    const problems = [...findProblems(read), ...(scoped ? [] : ['it has no scope'])];
    return passOrFail(check, problems, 'as documented, and scoped', creationAdvice);
  });
}
