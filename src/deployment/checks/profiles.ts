/** Checks the two configuration profiles: docs/coverage.md, section 1.3. */
import type { Finding } from '../../core/facts.ts';
import type { CheckId } from '../catalogue.ts';
import type { DeploymentSettings } from '../deployment-settings.ts';
import { judgeOne, type LookupResult, passOrFail, reportNotChecked, reportUnknown } from '../finding.ts';
import {
  type Dictionary,
  parsePayloads,
  readArray,
  readDictionaries,
  readDictionary,
  unescapeEntities,
} from '../profile/payloads.ts';
import { judgeScope, type ScopeFacts, scopeAdvice } from './scope.ts';

export interface ProfileFacts {
  readonly scope: ScopeFacts;
  readonly description: string;
  /** `Install Automatically` or `Make Available in Self Service`; undefined where the server does not say. */
  readonly distribution: string | undefined;
  /** `System` or `computer` for the whole computer, `user` for one user. */
  readonly level: string | undefined;
  /** The property list as the server stores it. */
  readonly payloads: string;
}

const creationAdvice =
  'Create it as section 1.3 of the deployment interface describes (`muster artifacts` renders it), or put its display name in the settings.';

/** `managed` are the ids of all managed computers; undefined where the inventory was not read in full. */
export function checkExtensionProfile(
  settings: DeploymentSettings,
  found: LookupResult<ProfileFacts>,
  managed: readonly string[] | undefined,
): Finding {
  const check = 'macos.extension-profile';
  const { profiles, teamIdentifier } = settings.macos;
  if (profiles.extension === undefined) {
    return reportNotChecked(check, 'deployment.macos.profiles.extension');
  }
  if (teamIdentifier === undefined) {
    return reportNotChecked(check, 'deployment.macos.teamIdentifier');
  }
  return judgeProfile(check, found, managed, (payloads, { description }) => {
    const unnamed = description.trim() === '' ? ['its description does not say what it is for'] : [];
    const policies = payloads.filter(({ PayloadType: type }) => typeof type === 'string' && trustListKeys.has(type));
    if (policies.length === 0) {
      return ['it has no payload for kernel or system extensions', ...unnamed];
    }
    return policies.some((policy) => isTrusted(policy, teamIdentifier))
      ? unnamed
      : ['none of its payloads trusts the team identifier', ...unnamed];
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

export function checkFileAccessProfile(
  settings: DeploymentSettings,
  found: LookupResult<ProfileFacts>,
  managed: readonly string[] | undefined,
): Finding {
  const check = 'macos.file-access-profile';
  const { profiles, tools, agentFile, toolsFile, teamIdentifier } = settings.macos;
  if (profiles.fileAccess === undefined) {
    return reportNotChecked(check, 'deployment.macos.profiles.fileAccess');
  }
  if (settings.macos.applicationFolder === undefined && settings.macos.applicationIdentifier === undefined) {
    return reportNotChecked(check, 'deployment.macos.applicationFolder or applicationIdentifier');
  }
  return judgeProfile(check, found, managed, (payloads) => {
    const entries = payloads
      .filter(({ PayloadType: type }) => type === 'com.apple.TCC.configuration-profile-policy')
      .flatMap(({ Services: services }) => readDictionaries(readDictionary(services)?.SystemPolicyAllFiles));
    const wanted: [string, readonly Dictionary[]][] = [
      ['the application', selectApplicationEntries(entries, settings)],
      ['fhagent', selectAccessEntries(entries, { type: 'path', identifier: agentFile })],
    ];
    if (tools) {
      wanted.push(['fhtools', selectAccessEntries(entries, { type: 'path', identifier: toolsFile })]);
    }
    return wanted.flatMap(([what, selected]) => findAccessProblems(what, selected, teamIdentifier));
  });
}

interface AccessIdentity {
  readonly type: 'path' | 'bundleID';
  readonly identifier: string;
}

/**
 * The document's utility writes an application by its bundle id, even when it was added by its folder:
 * https://github.com/jamf/PPPC-Utility. Where the settings do not have the id, the vendor's signature identifies it.
 */
function selectApplicationEntries(
  entries: readonly Dictionary[],
  { macos }: DeploymentSettings,
): readonly Dictionary[] {
  const { applicationFolder: folder, applicationIdentifier: bundle, teamIdentifier: team } = macos;
  const byFolder = folder === undefined ? [] : selectAccessEntries(entries, { type: 'path', identifier: folder });
  if (bundle !== undefined) {
    return [...byFolder, ...selectAccessEntries(entries, { type: 'bundleID', identifier: bundle })];
  }
  const byTeam = entries.filter(
    (entry) => entry.IdentifierType === 'bundleID' && team !== undefined && findRequirementProblem(entry, team) === '',
  );
  return [...byFolder, ...byTeam];
}

function selectAccessEntries(
  entries: readonly Dictionary[],
  { type, identifier }: AccessIdentity,
): readonly Dictionary[] {
  return entries.filter(
    (entry) =>
      entry.IdentifierType === type && normalizeIdentifier(entry.Identifier) === identifier.replace(/\/+$/, ''),
  );
}

function normalizeIdentifier(value: unknown): string {
  return typeof value === 'string' ? value.trim().replace(/\/+$/, '') : '';
}

/** Where entries contradict each other, the device denies access. */
function findAccessProblems(what: string, entries: readonly Dictionary[], team: string | undefined): string[] {
  if (entries.length === 0) {
    return [`All Files is not allowed for ${what}`];
  }
  if (!entries.every(isAllowed)) {
    return [`All Files is denied for ${what}`];
  }
  const problems = entries.map((entry) => findRequirementProblem(entry, team)).filter((problem) => problem !== '');
  return [...new Set(problems)].map((problem) => `the code requirement of ${what} ${problem}`);
}

/** A boolean, the integer 1, or since macOS 11 a word; where both exist, both must allow. */
function isAllowed({ Allowed: allowed, Authorization: word }: Dictionary): boolean {
  const byFlag = allowed === undefined ? undefined : allowed === true || allowed === 1;
  const byWord = word === undefined ? undefined : word === 'Allow';
  return byFlag !== false && byWord !== false && (byFlag ?? byWord) === true;
}

/**
 * A device applies an entry only to a program whose signature meets the code requirement. Jamf Pro can return its text
 * with a layer of entities too many. Empty where nothing is wrong.
 */
function findRequirementProblem({ CodeRequirement: requirement }: Dictionary, team: string | undefined): string {
  const text =
    typeof requirement === 'string'
      ? unescapeEntities(requirement)
          .replace(/\/\*[\s\S]*?\*\//g, ' ')
          .trim()
      : '';
  if (text === '') {
    return 'is missing';
  }
  if (team === undefined) {
    return '';
  }
  const teams = [...text.matchAll(/certificate\s+leaf\s*\[\s*subject\.OU\s*\]\s*=\s*"?([^\s")]+)/gi)].map(
    ([, named]) => named,
  );
  if (teams.length === 0) {
    return 'names no team';
  }
  return teams.every((named) => named === team) ? '' : 'names another team';
}

/** A profile that waits in Self Service, or belongs to one user, gives the agent nothing. */
function findDeliveryProblems({ distribution, level }: ProfileFacts): string[] {
  const problems: string[] = [];
  if (distribution !== undefined && distribution !== 'Install Automatically') {
    problems.push('it is not installed automatically, only offered in Self Service');
  }
  if (level?.toLowerCase() === 'user') {
    problems.push('it is a profile for users, not for computers');
  }
  return problems;
}

function judgeProfile(
  check: CheckId,
  found: LookupResult<ProfileFacts>,
  managed: readonly string[] | undefined,
  findProblems: (payloads: readonly Dictionary[], profile: ProfileFacts) => readonly string[],
): Finding {
  return judgeOne(check, found, 'configuration profile', creationAdvice, (profile) => {
    const read = parsePayloads(profile.payloads);
    if (read === undefined) {
      return reportUnknown(check, { why: 'its payload is not a readable property list', advice: creationAdvice });
    }
    const scope = judgeScope(profile.scope, managed);
    const problems = [...findProblems(read, profile), ...findDeliveryProblems(profile), ...scope.problems];
    if (problems.length === 0 && scope.unread !== undefined) {
      return reportUnknown(check, { why: scope.unread, advice: scopeAdvice });
    }
    if (problems.length === 0 && (profile.distribution === undefined || profile.level === undefined)) {
      const why = 'the server does not say whether it is installed automatically, and on computers';
      return reportUnknown(check, { why, advice: 'See the profile on the server.' });
    }
    return passOrFail(check, problems, `as documented, ${scope.shown}`, creationAdvice);
  });
}
