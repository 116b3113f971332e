/** The assignments of the app, and the words for them. */
import type { DeploymentSettings, MeantAssignment } from '../../../settings/deployment/deployment.ts';
import type { ReadFailure } from '../lookup.ts';
import { quoteText } from '../verdicts.ts';
import type { AbsentApps, AppsReading, AssignmentFacts } from './reading.ts';

export type AssignmentSettings = Pick<DeploymentSettings['windows'], 'groups' | 'alsoAssigned'>;

/** https://learn.microsoft.com/graph/api/resources/intune-shared-deviceandappmanagementassignmenttarget */
export const meantTargets = {
  group: { type: 'groupAssignmentTarget', title: 'the group' },
  allDevices: { type: 'allDevicesAssignmentTarget', title: 'all devices' },
  allUsers: { type: 'allLicensedUsersAssignmentTarget', title: 'all users' },
} as const satisfies Readonly<Record<MeantAssignment['target'], { readonly type: string; readonly title: string }>>;
export const exclusionTarget = 'exclusionGroupAssignmentTarget';

/** The groups in the settings whose ids are needed, each once. */
export function listAssignmentGroups({ groups = [], alsoAssigned = [] }: AssignmentSettings): string[] {
  return [...new Set([...groups, ...alsoAssigned.flatMap(({ group }) => group ?? [])])];
}

/** All apps together: an upgraded app takes over its predecessor's groups one by one. */
export function collectAssignments(apps: AppsReading): readonly AssignmentFacts[] | ReadFailure | AbsentApps {
  if ('is' in apps) {
    return apps;
  }
  const all: AssignmentFacts[] = [];
  for (const { assignments } of apps) {
    if ('is' in assignments) {
      return assignments;
    }
    all.push(...assignments);
  }
  return all;
}

export function isExclusion({ target }: AssignmentFacts): boolean {
  return target === exclusionTarget;
}

/** One sentence for each target that the app is uninstalled from. */
export function listUninstallations(assignments: readonly AssignmentFacts[]): string[] {
  return assignments
    .filter((one) => !isExclusion(one) && one.intent === 'uninstall')
    .map((one) => `it is uninstalled from ${nameTarget(one)}`);
}

export function describeAssignment(assignment: AssignmentFacts): string {
  const words = `${nameIntent(assignment.intent)} ${nameTarget(assignment)}`;
  return isExclusion(assignment) ? `not ${words} (excluded)` : words;
}

export function nameIntent(intent: string): string {
  return knownIntents.get(intent) ?? `assigned with the intent ${quoteText(intent)} to`;
}

const knownIntents: ReadonlyMap<string, string> = new Map([
  ['available', 'available to'],
  ['required', 'required for'],
  ['availableWithoutEnrollment', 'available without enrolment to'],
  ['uninstall', 'uninstalled from'],
]);

function nameTarget({ target, groupId }: AssignmentFacts): string {
  if (groupId !== undefined) {
    return `the group ${quoteText(groupId)}`;
  }
  return Object.values(meantTargets).find(({ type }) => type === target)?.title ?? quoteText(target);
}
