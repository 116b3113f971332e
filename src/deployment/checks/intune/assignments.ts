/**
 * Checks the app's assignments: docs/coverage.md, section 1.2. An app that is assigned to nobody, or uninstalled,
 * measures nothing: the report has no rows of a group without an assignment. A difference from the settings is for
 * people to review.
 */
import { compareCodePoints } from '../../../core/text/order.ts';
import { pluralize } from '../../../core/text/pluralize.ts';
import { windows } from '../../definition.ts';
import type { DeploymentSettings, MeantAssignment } from '../../settings.ts';
import type { Check } from '../check.ts';
import { fail, notReadYet, pass, passOrFail, quoteText, reportUnread, type Verdict } from '../verdicts.ts';
import { judgeApps } from './app.ts';
import type { AppsReading, AssignmentFacts, IntuneReading, NamedGroup } from './reading.ts';

export const appAssigned: Check<IntuneReading> = {
  id: 'windows.app-assigned',
  expected: 'assigned to somebody, and uninstalled from nobody',
  blindSpot: 'whether the groups that it is assigned to have members',
  instrument: 'when-read',
  judge: ({ apps }) =>
    judgeAssignments(apps, (assignments) => {
      const targets = assignments.filter((one) => !isExclusion(one)).length;
      if (targets === 0) {
        return fail('the app is assigned to nobody', `Assign it as "${windows.assignmentType}".`);
      }
      return passOrFail(
        listUninstallations(assignments),
        `it has ${targets} ${pluralize(targets, 'target')}`,
        'Remove the assignment that uninstalls it: devices without the agent are then no sign of a failure.',
      );
    }),
};

export const assignmentCheck: Check<IntuneReading> = {
  id: 'windows.assignment',
  expected:
    'available for enrolled devices to the groups in the settings, and as alsoAssigned says; where neither is set, available or required for somebody',
  blindSpot: 'which devices are in the groups, and which of them an assignment filter leaves out',
  settings: ['deployment.windows.groups', 'deployment.windows.alsoAssigned'],
  judge: ({ apps, groups, hasFilters }, { settings }) =>
    judgeAssignments(apps, (assignments) => {
      const shown = describeAssignments(assignments, hasFilters);
      const assign = `Assign the app as "${windows.assignmentType}"`;
      const judge = (problems: readonly string[], advice: string) =>
        problems.length === 0 ? pass(shown) : fail(`${problems.join('; ')} (${shown})`, advice);
      const { groups: names = [], alsoAssigned = [] } = settings.windows;
      if (names.length === 0 && alsoAssigned.length === 0) {
        return judge(findProblemsOfAny(assignments), `${assign}.`);
      }
      if (groups === undefined || 'kind' in groups) {
        const { why, advice } = groups ?? notReadYet;
        return reportUnread({ why: `${why} (${shown})`, advice });
      }
      return judge(
        [...new Set(findDifferences(settings.windows, groups, assignments))],
        `${assign} to the groups in the settings, or name what else is meant in deployment.windows.alsoAssigned.`,
      );
    }),
};

/** Judges all apps together, since an upgraded app takes over its predecessor's groups one by one. */
function judgeAssignments(
  apps: AppsReading | undefined,
  judge: (assignments: readonly AssignmentFacts[]) => Verdict,
): Verdict {
  return judgeApps(apps, (read) => {
    const all: AssignmentFacts[] = [];
    for (const { assignments } of read) {
      if ('kind' in assignments) {
        return reportUnread(assignments);
      }
      all.push(...assignments);
    }
    return judge(all);
  });
}

/** Problems where the settings name no assignments: then any assignment that installs the app is enough. */
function findProblemsOfAny(assignments: readonly AssignmentFacts[]): string[] {
  const uninstalled = listUninstallations(assignments);
  const isOffered = assignments.some((one) => !isExclusion(one) && ['available', 'required'].includes(one.intent));
  return isOffered || uninstalled.length > 0
    ? uninstalled
    : ['the app is neither available to nor required for anybody'];
}

export type AssignmentSettings = Pick<DeploymentSettings['windows'], 'groups' | 'alsoAssigned'>;

/** The groups in the settings whose ids are needed, each once. */
export function listAssignmentGroups({ groups = [], alsoAssigned = [] }: AssignmentSettings): string[] {
  return [...new Set([...groups, ...alsoAssigned.flatMap(({ group }) => group ?? [])])];
}

/** An assignment of the settings, with the ids of its group. */
interface Meant extends Omit<MeantAssignment, 'group'> {
  readonly group: NamedGroup | undefined;
}

function findDifferences(
  { groups = [], alsoAssigned = [] }: AssignmentSettings,
  found: readonly NamedGroup[],
  assignments: readonly AssignmentFacts[],
): string[] {
  const findGroup = (name: string | undefined) => found.find(({ named }) => named === name);
  const meant: Meant[] = [
    ...groups.map((name) => ({ target: 'group', group: findGroup(name), exclude: false }) as const),
    ...alsoAssigned.map((one) => ({ ...one, group: findGroup(one.group) })),
  ];
  const lacking = meant.flatMap((one) => findProblemOfGroup(one) ?? findLack(one, assignments) ?? []);
  const others = assignments.filter((one) => !meant.some((expected) => isMeant(one, expected)));
  return [...lacking, ...others.map((one) => `it is also ${describeAssignment(one)}`)];
}

function findProblemOfGroup({ group }: Meant): string | undefined {
  if (group === undefined || group.ids.length === 1) {
    return undefined;
  }
  const name = quoteText(group.named);
  return group.ids.length === 0
    ? `there is no group ${name}`
    : `there are ${group.ids.length} groups ${name}; name the id`;
}

function findLack(meant: Meant, assignments: readonly AssignmentFacts[]): string | undefined {
  if (assignments.some((one) => isMeant(one, meant))) {
    return undefined;
  }
  const to = meant.group === undefined ? meantTargets[meant.target].title : `the group ${quoteText(meant.group.named)}`;
  return meant.exclude
    ? `the app does not exclude ${to}`
    : `the app is not ${nameIntent(meant.intent ?? windows.intent)} ${to}`;
}

function isMeant({ intent, target, groupId }: AssignmentFacts, meant: Meant): boolean {
  const { exclude, group } = meant;
  const isSameTarget = target === (exclude ? exclusionTarget : meantTargets[meant.target].type);
  const isSameGroup =
    meant.target !== 'group' || (groupId !== undefined && group?.ids.includes(groupId.toLowerCase()) === true);
  const expectedIntent = meant.intent ?? (exclude ? intent : windows.intent);
  return isSameTarget && isSameGroup && intent === expectedIntent;
}

/** Types of targets: https://learn.microsoft.com/graph/api/resources/intune-shared-deviceandappmanagementassignmenttarget */
export const meantTargets = {
  group: { type: 'groupAssignmentTarget', title: 'the group' },
  allDevices: { type: 'allDevicesAssignmentTarget', title: 'all devices' },
  allUsers: { type: 'allLicensedUsersAssignmentTarget', title: 'all users' },
} as const satisfies Readonly<Record<MeantAssignment['target'], { readonly type: string; readonly title: string }>>;
const exclusionTarget = 'exclusionGroupAssignmentTarget';

function isExclusion({ target }: AssignmentFacts): boolean {
  return target === exclusionTarget;
}

/** A sentence for each target from which the app is uninstalled. */
function listUninstallations(assignments: readonly AssignmentFacts[]): string[] {
  return assignments
    .filter((one) => !isExclusion(one) && one.intent === 'uninstall')
    .map((one) => `it is ${describeAssignment(one)}`);
}

/** Assignments to show; more would hide the rest of the finding. */
const maximumShownAssignments = 20;

/** Describes every target with its intent, and whether there are filters, which only the app's report shows. */
function describeAssignments(assignments: readonly AssignmentFacts[], hasFilters: boolean | undefined): string {
  const all = [...new Set(assignments.map(describeAssignment))].sort(compareCodePoints);
  const more = all.length - maximumShownAssignments;
  const shown = all.length === 0 ? ['assigned to nobody'] : all.slice(0, maximumShownAssignments);
  const filters = hasFilters === undefined ? 'not known' : hasFilters ? 'in use' : 'none';
  return [...shown, ...(more > 0 ? [`${more} more`] : []), `assignment filters: ${filters}`].join('; ');
}

function describeAssignment(assignment: AssignmentFacts): string {
  const { intent, target, groupId } = assignment;
  const known = Object.values(meantTargets).find(({ type }) => type === target);
  const to = groupId === undefined ? (known?.title ?? quoteText(target)) : `the group ${quoteText(groupId)}`;
  const words = `${nameIntent(intent)} ${to}`;
  return isExclusion(assignment) ? `not ${words} (excluded)` : words;
}

const knownIntents: ReadonlyMap<string, string> = new Map([
  ['available', 'available to'],
  ['required', 'required for'],
  ['availableWithoutEnrollment', 'available without enrolment to'],
  ['uninstall', 'uninstalled from'],
]);

function nameIntent(intent: string): string {
  return knownIntents.get(intent) ?? `assigned with the intent ${quoteText(intent)} to`;
}
