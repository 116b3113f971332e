/**
 * Checks to whom the app is assigned: docs/coverage.md, section 1.2. An app that is assigned to nobody, or uninstalled,
 * measures nothing; any other difference is one for people to look at. The report has no rows of a group without an
 * assignment.
 */
import type { Finding } from '../../core/facts.ts';
import { compareCodePoints } from '../../core/order.ts';
import { pluralize } from '../../core/pluralize.ts';
import { windows } from '../definition.ts';
import type { DeploymentSettings, MeantAssignment } from '../deployment-settings.ts';
import { fail, pass, passOrFail, quoteText, type ReadFailure, reportUnknown } from '../finding.ts';
import type { AbsentApps, AppsReading, AssignmentFacts } from './app.ts';

type AssignmentSettings = Pick<DeploymentSettings['windows'], 'groups' | 'alsoAssigned'>;

/** A group in the settings, with the ids of the groups that have this name; an id is used as it is. */
export interface NamedGroup {
  readonly named: string;
  readonly ids: readonly string[];
}

interface AssignmentReading {
  readonly apps: AppsReading;
  readonly groups: readonly NamedGroup[] | ReadFailure;
  readonly hasFilters: boolean | undefined;
}

/** The groups in the settings whose ids are needed, each once. */
export function listAssignmentGroups({ groups = [], alsoAssigned = [] }: AssignmentSettings): string[] {
  return [...new Set([...groups, ...alsoAssigned.flatMap(({ group }) => group ?? [])])];
}

export function checkAppAssigned(apps: AppsReading): Finding {
  const check = 'windows.app-assigned';
  const assignments = collectAssignments(apps);
  if ('is' in assignments) {
    return reportUnknown(check, assignments);
  }
  const targets = assignments.filter((one) => !isExclusion(one));
  if (targets.length === 0) {
    return fail(check, 'the app is assigned to nobody', `Assign it as "${windows.assignmentType}".`);
  }
  const uninstalled = targets.filter(({ intent }) => intent === 'uninstall');
  return passOrFail(
    check,
    uninstalled.map((one) => `it is uninstalled from ${nameTarget(one)}`),
    `it has ${targets.length} ${pluralize(targets.length, 'target')}`,
    'Remove the assignment that uninstalls it: devices without the agent are then no sign of a failure.',
  );
}

export function checkAssignment(
  settings: AssignmentSettings,
  { apps, groups, hasFilters }: AssignmentReading,
): Finding {
  const check = 'windows.assignment';
  const assignments = collectAssignments(apps);
  if ('is' in assignments) {
    return reportUnknown(check, assignments);
  }
  const shown = describeAssignments(assignments, hasFilters);
  if ((settings.groups ?? []).length === 0 && (settings.alsoAssigned ?? []).length === 0) {
    const problems = findProblemsOfAny(assignments);
    return problems.length === 0
      ? pass(check, shown)
      : fail(check, `${problems.join('; ')} (${shown})`, `Assign the app as "${windows.assignmentType}".`);
  }
  if ('is' in groups) {
    return reportUnknown(check, { ...groups, why: `${groups.why} (${shown})` });
  }
  const problems = [...new Set(findDifferences(settings, groups, assignments))];
  return problems.length === 0
    ? pass(check, shown)
    : fail(
        check,
        `${problems.join('; ')} (${shown})`,
        `Assign the app as "${windows.assignmentType}" to the groups in the settings, or name what else is meant in deployment.windows.alsoAssigned.`,
      );
}

/** Of all apps together: an upgraded app takes over its predecessor's groups one by one. */
function collectAssignments(apps: AppsReading): readonly AssignmentFacts[] | ReadFailure | AbsentApps {
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

function isExclusion({ target }: AssignmentFacts): boolean {
  return target === exclusionTarget;
}

/** Where the settings name nobody, it is enough that somebody gets the app. */
function findProblemsOfAny(assignments: readonly AssignmentFacts[]): string[] {
  const targets = assignments.filter((one) => !isExclusion(one));
  const uninstalled = targets.filter(({ intent }) => intent === 'uninstall');
  if (uninstalled.length > 0) {
    return uninstalled.map((one) => `it is uninstalled from ${nameTarget(one)}`);
  }
  const isOffered = targets.some(({ intent }) => intent === 'available' || intent === 'required');
  return isOffered ? [] : ['the app is neither available to nor required for anybody'];
}

/** An assignment that the settings name, with the ids of its group. */
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

/** https://learn.microsoft.com/graph/api/resources/intune-shared-deviceandappmanagementassignmenttarget */
const meantTargets = {
  group: { type: 'groupAssignmentTarget', title: 'the group' },
  allDevices: { type: 'allDevicesAssignmentTarget', title: 'all devices' },
  allUsers: { type: 'allLicensedUsersAssignmentTarget', title: 'all users' },
} as const satisfies Readonly<Record<MeantAssignment['target'], { readonly type: string; readonly title: string }>>;
const exclusionTarget = 'exclusionGroupAssignmentTarget';

/** Many more would hide the rest of the finding. */
const maximumShownAssignments = 20;

/** Every target with its intent; filters are known from the app's report alone. */
function describeAssignments(assignments: readonly AssignmentFacts[], hasFilters: boolean | undefined): string {
  const all = [...new Set(assignments.map(describeAssignment))].sort(compareCodePoints);
  const more = all.length - maximumShownAssignments;
  const shown = all.length === 0 ? ['assigned to nobody'] : all.slice(0, maximumShownAssignments);
  const filters = hasFilters === undefined ? 'not known' : hasFilters ? 'in use' : 'none';
  return [...shown, ...(more > 0 ? [`${more} more`] : []), `assignment filters: ${filters}`].join('; ');
}

function describeAssignment(assignment: AssignmentFacts): string {
  const { intent } = assignment;
  return isExclusion(assignment)
    ? `not ${nameIntent(intent)} ${nameTarget(assignment)} (excluded)`
    : `${nameIntent(intent)} ${nameTarget(assignment)}`;
}

function nameIntent(intent: string): string {
  switch (intent) {
    case 'available':
      return 'available to';
    case 'required':
      return 'required for';
    case 'availableWithoutEnrollment':
      return 'available without enrolment to';
    case 'uninstall':
      return 'uninstalled from';
    default:
      return `assigned with the intent ${quoteText(intent)} to`;
  }
}

function nameTarget({ target, groupId }: AssignmentFacts): string {
  if (groupId !== undefined) {
    return `the group ${quoteText(groupId)}`;
  }
  return Object.values(meantTargets).find(({ type }) => type === target)?.title ?? quoteText(target);
}
