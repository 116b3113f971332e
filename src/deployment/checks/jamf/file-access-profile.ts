/** The profile that allows the agent access to all files: docs/coverage.md, section 1.3. */
import type { DeploymentSettings } from '../../../settings/deployment/deployment.ts';
import { type Dictionary, readDictionaries, readDictionary, unescapeEntities } from '../../profile/payloads.ts';
import type { Check } from '../check.ts';
import { reportNotChecked } from '../verdicts.ts';
import { judgeProfile } from './judge-profile.ts';
import type { JamfReading } from './reading.ts';

export const fileAccessProfile: Check<JamfReading> = {
  id: 'macos.file-access-profile',
  expected:
    'a profile that allows All Files to the application and to fhagent as signed by the team, installed automatically on computers, scoped',
  blindSpot: 'which Macs have installed it, and whether the installed agent meets the code requirement',
  settings: [
    'deployment.macos.profiles.fileAccess',
    'deployment.macos.applicationFolder',
    'deployment.macos.applicationIdentifier',
    'deployment.macos.teamIdentifier',
    'deployment.macos.tools',
    'deployment.macos.agentFile',
    'deployment.macos.toolsFile',
  ],
  judge(reading, { settings }) {
    const { profiles, applicationFolder, applicationIdentifier } = settings.macos;
    if (profiles.fileAccess === undefined) {
      return reportNotChecked('deployment.macos.profiles.fileAccess');
    }
    if (applicationFolder === undefined && applicationIdentifier === undefined) {
      return reportNotChecked('deployment.macos.applicationFolder or applicationIdentifier');
    }
    return judgeProfile(reading.fileAccessProfile, reading, (payloads) => findFileAccessProblems(payloads, settings));
  },
};

function findFileAccessProblems(payloads: readonly Dictionary[], settings: DeploymentSettings): string[] {
  const { tools, agentFile, toolsFile, teamIdentifier } = settings.macos;
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
