/**
 * The app is assigned at all: docs/coverage.md, section 1.2. An app that is assigned to nobody, or uninstalled, measures
 * nothing: the report has no rows of a group without an assignment.
 */
import { pluralize } from '../../../core/text/pluralize.ts';
import { windows } from '../../definition.ts';
import type { Check } from '../check.ts';
import { fail, passOrFail, reportUnread } from '../verdicts.ts';
import { collectAssignments, isExclusion, listUninstallations } from './assignments.ts';
import type { IntuneReading } from './reading.ts';

export const appAssigned: Check<IntuneReading> = {
  id: 'windows.app-assigned',
  expected: 'assigned to somebody, and uninstalled from nobody',
  blindSpot: 'whether the groups that it is assigned to have members',
  settings: [],
  instrument: 'when-read',
  judge({ apps }) {
    const assignments = collectAssignments(apps);
    if ('is' in assignments) {
      return reportUnread(assignments);
    }
    const targets = assignments.filter((one) => !isExclusion(one)).length;
    if (targets === 0) {
      return fail('the app is assigned to nobody', `Assign it as "${windows.assignmentType}".`);
    }
    return passOrFail(
      listUninstallations(assignments),
      `it has ${targets} ${pluralize(targets, 'target')}`,
      'Remove the assignment that uninstalls it: devices without the agent are then no sign of a failure.',
    );
  },
};
