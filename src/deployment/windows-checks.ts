/** Every check of a Microsoft Intune source, from what was read of it so far. */
import type { Finding } from '../core/facts.ts';
import { checkApps, type ReadApps } from './checks/app.ts';
import { checkAssignment, type WantedGroup } from './checks/assignment.ts';
import { checkInstallCommand, checkUninstallCommand, givesParameter } from './checks/commands.ts';
import { checkDetectionRules } from './checks/detection-rule.ts';
import { checkPermissions } from './checks/permissions.ts';
import { checkPrerequisites, type Proofs } from './checks/prerequisites.ts';
import type { SlotTime } from './checks/statement.ts';
import { windows } from './definition.ts';
import type { Deployment } from './deployment-settings.ts';
import type { Unread } from './finding.ts';

/** In memory only: the install command goes no further. */
export interface WindowsRead {
  readonly apps: ReadApps;
  readonly groups: readonly WantedGroup[] | Unread;
  /** Application permissions. */
  readonly roles: readonly string[] | Unread;
  readonly devices: number;
}

const unread: Unread = {
  is: 'unread',
  why: 'not read: the reading ended before this was asked',
  advice: 'See why the source could not be read.',
};

export const nothingOfWindows: WindowsRead = { apps: unread, groups: unread, roles: unread, devices: 0 };

export function windowsFindings(asked: Deployment, read: WindowsRead, at: SlotTime): Finding[] {
  const { apps, groups, roles } = read;
  return [
    checkApps(apps),
    checkDetectionRules(apps, { accepted: asked.accepted, ...at }),
    checkAssignment(asked.windows.groups, apps, groups),
    checkInstallCommand(asked, apps),
    checkUninstallCommand(asked, apps),
    checkPermissions(roles),
    ...checkPrerequisites(asked, proofsOf(read), at),
  ];
}

function proofsOf({ apps, devices }: WindowsRead): Proofs {
  const known = 'is' in apps ? [] : apps;
  const isAssigned = known.some((app) => app.assignments.some(({ target }) => target === 'groupAssignmentTarget'));
  const gives = (name: string) => known.some((app) => givesParameter(app.installCommand, name));
  const isPackaged = known.some(({ setupFile }) => setupFile.toLowerCase() === windows.script.toLowerCase());
  return {
    'group-exists': isAssigned ? 'the app is assigned to a group' : undefined,
    'device-enrolled': devices > 0 ? 'the tenant lists enrolled devices' : undefined,
    'api-key': gives('-ApiKey') ? '-ApiKey of the install command is set' : undefined,
    'circle-id': gives('-circleid') ? '-circleid of the install command is set' : undefined,
    'install-script': isPackaged ? 'the app was packaged around it' : undefined,
  };
}
