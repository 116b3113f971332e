/** The two configuration profiles: section 1.3, "Kernel extension approval profile" and "File access profile". */
import type { Finding } from '../../core/facts.ts';
import type { Check } from '../catalogue.ts';
import { macosFiles } from '../definition.ts';
import type { Deployment } from '../deployment-settings.ts';
import { type Found, judgeOne, notChecked, unknown, verdict } from '../finding.ts';
import { type Dictionary, dictionariesIn, dictionaryOf, listOf, payloadsOf } from '../profile/payloads.ts';

export interface ProfileFacts {
  readonly scoped: boolean;
  /** The property list as the server holds it. */
  readonly payloads: string;
}

const create =
  'Create it as section 1.3 says (`muster artifacts` renders it), or put its display name in the settings.';

export function checkExtensionProfile(asked: Deployment, found: Found<ProfileFacts>): Finding {
  const check = 'macos.extension-profile';
  const { profiles, teamIdentifier } = asked.macos;
  if (profiles.extension === undefined) return notChecked(check, 'deployment.macos.profiles.extension');
  if (teamIdentifier === undefined) return notChecked(check, 'deployment.macos.teamIdentifier');
  return judge(check, found, (payloads) => {
    const policies = payloads.filter(({ PayloadType: type }) => typeof type === 'string' && trustLists.has(type));
    if (policies.length === 0) return ['it has no payload for kernel or system extensions'];
    return policies.some((policy) => trusts(policy, teamIdentifier))
      ? []
      : ['no payload of it trusts the team identifier'];
  });
}

/** Where a team may be named besides AllowedTeamIdentifiers: https://developer.apple.com/documentation/devicemanagement */
const trustLists: ReadonlyMap<string, string> = new Map([
  ['com.apple.system-extension-policy', 'AllowedSystemExtensions'],
  ['com.apple.syspolicy.kernel-extension-policy', 'AllowedKernelExtensions'],
]);

function trusts(policy: Dictionary, team: string): boolean {
  if (listOf(policy.AllowedTeamIdentifiers).includes(team)) return true;
  const extensions = dictionaryOf(policy[trustLists.get(String(policy.PayloadType)) ?? '']);
  return listOf(extensions?.[team]).length > 0;
}

export function checkFileAccessProfile(asked: Deployment, found: Found<ProfileFacts>): Finding {
  const check = 'macos.file-access-profile';
  const { profiles, tools } = asked.macos;
  if (profiles.fileAccess === undefined) return notChecked(check, 'deployment.macos.profiles.fileAccess');
  const application = applicationOf(asked);
  if (application.length === 0) {
    return notChecked(check, 'deployment.macos.applicationFolder or applicationIdentifier');
  }
  return judge(check, found, (payloads) => {
    const entries = payloads
      .filter(({ PayloadType: type }) => type === 'com.apple.TCC.configuration-profile-policy')
      .flatMap(({ Services: services }) => dictionariesIn(dictionaryOf(services)?.SystemPolicyAllFiles));
    const wanted: [string, readonly Identity[]][] = [
      ['the application', application],
      ['fhagent', [{ type: 'path', identifier: macosFiles.agent }]],
    ];
    if (tools) wanted.push(['fhtools', [{ type: 'path', identifier: macosFiles.tools }]]);
    return wanted.flatMap(([what, identities]) => accessProblem(what, entriesOf(entries, identities)));
  });
}

interface Identity {
  readonly type: 'path' | 'bundleID';
  readonly identifier: string;
}

function applicationOf({ macos }: Deployment): readonly Identity[] {
  const { applicationFolder: folder, applicationIdentifier: bundle } = macos;
  return [
    ...(folder === undefined ? [] : [{ type: 'path' as const, identifier: folder }]),
    ...(bundle === undefined ? [] : [{ type: 'bundleID' as const, identifier: bundle }]),
  ];
}

function entriesOf(entries: readonly Dictionary[], identities: readonly Identity[]): readonly Dictionary[] {
  return entries.filter((entry) =>
    identities.some(
      ({ type, identifier }) =>
        entry.IdentifierType === type && trimmed(entry.Identifier) === identifier.replace(/\/+$/, ''),
    ),
  );
}

function trimmed(value: unknown): string {
  return typeof value === 'string' ? value.trim().replace(/\/+$/, '') : '';
}

/** Where entries contradict each other, the device refuses. */
function accessProblem(what: string, entries: readonly Dictionary[]): string[] {
  if (entries.length === 0) return [`All Files is not allowed for ${what}`];
  return entries.every(isAllowed) ? [] : [`All Files is denied for ${what}`];
}

/** A boolean, the integer 1, or from macOS 11 on a word; where both stand, both must allow. */
function isAllowed({ Allowed: allowed, Authorization: word }: Dictionary): boolean {
  const byFlag = allowed === undefined ? undefined : allowed === true || allowed === 1;
  const byWord = word === undefined ? undefined : word === 'Allow';
  return byFlag !== false && byWord !== false && (byFlag ?? byWord) === true;
}

function judge(
  check: Check,
  found: Found<ProfileFacts>,
  problemsOf: (payloads: readonly Dictionary[]) => readonly string[],
): Finding {
  return judgeOne(check, found, 'configuration profile', create, ({ scoped, payloads }) => {
    const read = payloadsOf(payloads);
    if (read === undefined) {
      return unknown(check, { why: 'its payload is no property list that can be read', advice: create });
    }
    const problems = [...problemsOf(read), ...(scoped ? [] : ['it has no scope'])];
    return verdict(check, problems, 'as documented, and scoped', create);
  });
}
