/**
 * Checks the two configuration profiles: docs/coverage.md, section 1.3. One trusts the vendor's kernel or system
 * extensions, the other gives the agent access to all files. Both must be readable, installed automatically, and
 * scoped.
 */
import { isRecord } from '../../../base/is-record.ts';
import { type Dictionary, parsePayloads, readArray, unescapeEntities } from '../../profile/payloads.ts';
import type { DeploymentSettings } from '../../settings.ts';
import type { Check } from '../check.ts';
import {
  collectProblems,
  judgeOne,
  type LookupResult,
  reportNotChecked,
  reportUnknown,
  type Verdict,
} from '../verdicts.ts';
import type { JamfReading, ProfileFacts } from './reading.ts';
import { judgeScope, judgeWithScope } from './scope.ts';

export const extensionProfile: Check<JamfReading> = {
  id: 'macos.extension-profile',
  expected:
    'a profile that trusts the team identifier for kernel or system extensions, described, installed automatically on computers, scoped',
  blindSpot:
    'which Macs have installed it, and which team signed the agent’s extension: the team identifier is a setting',
  needs: ['deployment.macos.profiles.extension', 'deployment.macos.teamIdentifier'],
  judge(reading, { settings }) {
    const { teamIdentifier = '' } = settings.macos;
    return judgeProfile(reading.extensionProfile, reading, (payloads, { description }) => {
      const policies = payloads.filter(({ PayloadType: type }) => typeof type === 'string' && trustListKeys.has(type));
      return collectProblems([
        [policies.length === 0, 'it has no payload for kernel or system extensions'],
        [
          policies.length > 0 && !policies.some((policy) => isTrusted(policy, teamIdentifier)),
          'none of its payloads trusts the team identifier',
        ],
        [description.trim() === '', 'its description does not say what it is for'],
      ]);
    });
  },
};

/** Keys besides AllowedTeamIdentifiers that can name a team: https://developer.apple.com/documentation/devicemanagement */
const trustListKeys: ReadonlyMap<string, string> = new Map([
  ['com.apple.system-extension-policy', 'AllowedSystemExtensions'],
  ['com.apple.syspolicy.kernel-extension-policy', 'AllowedKernelExtensions'],
]);

function isTrusted(policy: Dictionary, team: string): boolean {
  const extensions = policy[trustListKeys.get(String(policy.PayloadType)) ?? ''];
  return (
    readArray(policy.AllowedTeamIdentifiers).includes(team) ||
    (isRecord(extensions) && readArray(extensions[team]).length > 0)
  );
}

export const fileAccessProfile: Check<JamfReading> = {
  id: 'macos.file-access-profile',
  expected:
    'a profile that allows All Files to the application and to fhagent as signed by the team, installed automatically on computers, scoped',
  blindSpot: 'which Macs have installed it, and whether the installed agent meets the code requirement',
  needs: ['deployment.macos.profiles.fileAccess'],
  settings: [
    'deployment.macos.applicationFolder',
    'deployment.macos.applicationIdentifier',
    'deployment.macos.teamIdentifier',
    'deployment.macos.tools',
    'deployment.macos.agentFile',
    'deployment.macos.toolsFile',
  ],
  judge(reading, { settings: { macos } }) {
    if (macos.applicationFolder === undefined && macos.applicationIdentifier === undefined) {
      return reportNotChecked('deployment.macos.applicationFolder or applicationIdentifier');
    }
    return judgeProfile(reading.fileAccessProfile, reading, (payloads) => {
      const entries = payloads
        .filter(({ PayloadType: type }) => type === 'com.apple.TCC.configuration-profile-policy')
        .flatMap(({ Services: services }) => (isRecord(services) ? readArray(services.SystemPolicyAllFiles) : []))
        .filter(isRecord);
      const wanted: (readonly [string, readonly Dictionary[]])[] = [
        ['the application', selectApplicationEntries(entries, macos)],
        ['fhagent', selectEntries(entries, 'path', macos.agentFile)],
        ...(macos.tools ? [['fhtools', selectEntries(entries, 'path', macos.toolsFile)] as const] : []),
      ];
      return wanted.flatMap(([what, selected]) => findAccessProblems(what, selected, macos.teamIdentifier));
    });
  },
};

/**
 * Entries of the application. The document's utility writes its bundle id, even when it was added by its folder:
 * https://github.com/jamf/PPPC-Utility. Where the settings lack the id, the vendor's signature identifies it.
 */
function selectApplicationEntries(
  entries: readonly Dictionary[],
  { applicationFolder, applicationIdentifier, teamIdentifier }: DeploymentSettings['macos'],
): readonly Dictionary[] {
  const isSigned = (entry: Dictionary) =>
    teamIdentifier !== undefined && findRequirementProblem(entry, teamIdentifier) === undefined;
  return [
    ...selectEntries(entries, 'path', applicationFolder),
    ...(applicationIdentifier === undefined
      ? entries.filter((entry) => entry.IdentifierType === 'bundleID' && isSigned(entry))
      : selectEntries(entries, 'bundleID', applicationIdentifier)),
  ];
}

function selectEntries(
  entries: readonly Dictionary[],
  type: 'path' | 'bundleID',
  identifier: string | undefined,
): readonly Dictionary[] {
  return entries.filter(
    ({ IdentifierType, Identifier }) =>
      IdentifierType === type && typeof Identifier === 'string' && trimPath(Identifier) === trimPath(identifier),
  );
}

function trimPath(path: string | undefined): string | undefined {
  return path?.trim().replace(/\/+$/, '');
}

/** Problems of access entries; a device denies access where they contradict each other. */
function findAccessProblems(what: string, entries: readonly Dictionary[], team: string | undefined): string[] {
  if (entries.length === 0) {
    return [`All Files is not allowed for ${what}`];
  }
  if (!entries.every(isAllowed)) {
    return [`All Files is denied for ${what}`];
  }
  const problems = new Set(entries.flatMap((entry) => findRequirementProblem(entry, team) ?? []));
  return [...problems].map((problem) => `the code requirement of ${what} ${problem}`);
}

/** Whether an entry allows access: by a boolean, the integer 1, or since macOS 11 a word; if both exist, both must allow. */
function isAllowed({ Allowed: allowed, Authorization: word }: Dictionary): boolean {
  const byFlag = allowed === undefined ? undefined : allowed === true || allowed === 1;
  const byWord = word === undefined ? undefined : word === 'Allow';
  return byFlag !== false && byWord !== false && (byFlag ?? byWord) === true;
}

/**
 * The problem of the code requirement, without which a device ignores an entry. Jamf Pro can return its text with one
 * layer of entities too many.
 */
function findRequirementProblem({ CodeRequirement: text }: Dictionary, team: string | undefined): string | undefined {
  const requirement = typeof text === 'string' ? unescapeEntities(text).replace(/\/\*[\s\S]*?\*\//g, ' ') : '';
  if (requirement.trim() === '') {
    return 'is missing';
  }
  const named = [...requirement.matchAll(/certificate\s+leaf\s*\[\s*subject\.OU\s*\]\s*=\s*"?([^\s")]+)/gi)];
  if (team === undefined || (named.length > 0 && named.every(([, other]) => other === team))) {
    return undefined;
  }
  return named.length === 0 ? 'names no team' : 'names another team';
}

const creationAdvice =
  'Create it as section 1.3 of the deployment interface describes (`muster artifacts` renders it), or put its display name in the settings.';

function judgeProfile(
  found: LookupResult<ProfileFacts> | undefined,
  { managed }: JamfReading,
  findProblems: (payloads: readonly Dictionary[], profile: ProfileFacts) => readonly string[],
): Verdict {
  return judgeOne(found, 'configuration profile', creationAdvice, (profile) => {
    const payloads = parsePayloads(profile.payloads);
    if (payloads === undefined) {
      return reportUnknown('its payload is not a readable property list', creationAdvice);
    }
    const { distribution, level } = profile;
    // A profile that waits in Self Service, or belongs to one user, has no effect on the agent.
    const isOffered = distribution !== undefined && distribution !== 'Install Automatically';
    const delivery = collectProblems([
      [isOffered, 'it is not installed automatically, only offered in Self Service'],
      [level?.toLowerCase() === 'user', 'it is a profile for users, not for computers'],
    ]);
    const problems = [...findProblems(payloads, profile), ...delivery];
    const verdict = judgeWithScope(problems, judgeScope(profile.scope, managed), 'as documented', creationAdvice);
    if (verdict.result === 'pass' && (distribution === undefined || level === undefined)) {
      const why = 'the server does not say whether it is installed automatically, and on computers';
      return reportUnknown(why, 'See the profile on the server.');
    }
    return verdict;
  });
}
