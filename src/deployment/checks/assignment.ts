/** Checks to which groups the app is assigned: docs/coverage.md, section 1.2. The report has no rows of a group without an assignment. */
import type { Finding } from '../../core/facts.ts';
import { windows } from '../definition.ts';
import { passOrFail, quoteText, type ReadFailure, reportNotChecked, reportUnknown } from '../finding.ts';
import type { AppFacts, AppsReading, AssignmentFacts } from './app.ts';

/** A group in the settings, with the ids of the groups that have this name; an id is used as it is. */
export interface WantedGroup {
  readonly named: string;
  readonly ids: readonly string[];
}

const advice = `Assign the app as "${windows.assignmentType}" to the groups in the settings and to nobody else.`;

export function checkAssignment(
  named: readonly string[] | undefined,
  apps: AppsReading,
  groups: readonly WantedGroup[] | ReadFailure,
): Finding {
  const check = 'windows.assignment';
  if (named === undefined || named.length === 0) {
    return reportNotChecked(check, 'deployment.windows.groups');
  }
  if ('is' in apps) {
    return reportUnknown(check, apps);
  }
  if ('is' in groups) {
    return reportUnknown(check, groups);
  }
  const problems = [...groups.flatMap((group) => findGroupProblems(group, apps)), ...findOtherTargets(groups, apps)];
  return passOrFail(
    check,
    [...new Set(problems)],
    'available to the groups in the settings, and to nobody else',
    advice,
  );
}

/** An upgraded app takes over its predecessor's groups one by one, so one of several apps is sufficient. */
function findGroupProblems({ named, ids }: WantedGroup, apps: readonly AppFacts[]): string[] {
  if (ids.length === 0) {
    return [`there is no group ${quoteText(named)}`];
  }
  if (ids.length > 1) {
    return [`there are ${ids.length} groups ${quoteText(named)}; name the id`];
  }
  const isOffered = apps.some((app) =>
    app.assignments.some((one) => isAssignedTo(one, ids) && one.intent === windows.intent),
  );
  return isOffered ? [] : [`the app is not available to the group ${quoteText(named)}`];
}

function isAssignedTo({ target, groupId }: AssignmentFacts, ids: readonly string[]): boolean {
  return target === 'groupAssignmentTarget' && groupId !== undefined && ids.includes(groupId.toLowerCase());
}

function findOtherTargets(groups: readonly WantedGroup[], apps: readonly AppFacts[]): string[] {
  const wanted = groups.flatMap(({ ids }) => ids);
  return apps
    .flatMap((app) => app.assignments)
    .flatMap((one) => {
      const to = one.groupId === undefined ? quoteText(one.target) : `the group ${quoteText(one.groupId)}`;
      if (one.target === 'exclusionGroupAssignmentTarget') {
        return [`it excludes ${to}`];
      }
      if (one.intent !== windows.intent) {
        return [`it has the intent ${quoteText(one.intent)} for ${to}`];
      }
      return isAssignedTo(one, wanted) ? [] : [`it is also available to ${to}`];
    });
}
