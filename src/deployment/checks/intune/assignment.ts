/** Whom the app is assigned to: docs/coverage.md, section 1.2. A difference from the settings is one for people to look at. */
import { compareCodePoints } from '../../../core/text/order.ts';
import type { MeantAssignment } from '../../../settings/deployment/deployment.ts';
import { windows } from '../../definition.ts';
import type { Check } from '../check.ts';
import { fail, pass, quoteText, reportUnread } from '../verdicts.ts';
import {
  type AssignmentSettings,
  collectAssignments,
  describeAssignment,
  exclusionTarget,
  isExclusion,
  listUninstallations,
  meantTargets,
  nameIntent,
} from './assignments.ts';
import type { AssignmentFacts, IntuneReading, NamedGroup } from './reading.ts';

export const assignmentCheck: Check<IntuneReading> = {
  id: 'windows.assignment',
  expected:
    'available for enrolled devices to the groups in the settings, and as alsoAssigned says; where neither is set, available or required for somebody',
  blindSpot: 'which devices are in the groups, and which of them an assignment filter leaves out',
  settings: ['deployment.windows.groups', 'deployment.windows.alsoAssigned'],
  judge({ apps, groups, hasFilters }, { settings }) {
    const assignments = collectAssignments(apps);
    if ('is' in assignments) {
      return reportUnread(assignments);
    }
    const shown = describeAssignments(assignments, hasFilters);
    const assign = `Assign the app as "${windows.assignmentType}"`;
    const judge = (problems: readonly string[], advice: string) =>
      problems.length === 0 ? pass(shown) : fail(`${problems.join('; ')} (${shown})`, advice);
    const { groups: meantGroups = [], alsoAssigned = [] } = settings.windows;
    if (meantGroups.length === 0 && alsoAssigned.length === 0) {
      return judge(findProblemsOfAny(assignments), `${assign}.`);
    }
    if ('is' in groups) {
      return reportUnread({ ...groups, why: `${groups.why} (${shown})` });
    }
    return judge(
      [...new Set(findDifferences(settings.windows, groups, assignments))],
      `${assign} to the groups in the settings, or name what else is meant in deployment.windows.alsoAssigned.`,
    );
  },
};

/** Where the settings name nobody, it is enough that somebody gets the app. */
function findProblemsOfAny(assignments: readonly AssignmentFacts[]): string[] {
  const uninstalled = listUninstallations(assignments);
  const isOffered = assignments.some(
    (one) => !isExclusion(one) && (one.intent === 'available' || one.intent === 'required'),
  );
  return isOffered || uninstalled.length > 0
    ? uninstalled
    : ['the app is neither available to nor required for anybody'];
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
