/** Makes every check of a Microsoft Intune source from what was read so far. */
import type { Finding } from '../core/facts.ts';
import { reportWindowsPlaces } from './agent-places.ts';
import { type AppsReading, checkApps } from './checks/app.ts';
import { checkAppAssigned, checkAssignment, type NamedGroup } from './checks/assignment.ts';
import { checkInstallCommand, checkUninstallCommand, hasParameterValue } from './checks/commands.ts';
import { checkDetectionRules } from './checks/detection-rule.ts';
import { checkPermissions } from './checks/permissions.ts';
import { checkPrerequisites, type PrerequisiteProofs } from './checks/prerequisites.ts';
import type { SlotTime } from './checks/statement.ts';
import { windows } from './definition.ts';
import type { DeploymentSettings } from './deployment-settings.ts';
import { notReadYet, type ReadFailure } from './finding.ts';

/** In memory only: the install command is never stored. */
export interface WindowsReading {
  readonly apps: AppsReading;
  /** The groups that the settings name. */
  readonly groups: readonly NamedGroup[] | ReadFailure;
  /** Whether assignments have filters; undefined where that is not known. */
  readonly hasFilters: boolean | undefined;
  /** Application permissions. */
  readonly roles: readonly string[] | ReadFailure;
  readonly devices: number;
}

export const emptyWindowsReading: WindowsReading = {
  apps: notReadYet,
  groups: notReadYet,
  hasFilters: undefined,
  roles: notReadYet,
  devices: 0,
};

export function checkWindows(settings: DeploymentSettings, read: WindowsReading, at: SlotTime): Finding[] {
  const { apps, roles } = read;
  return [
    checkApps(apps),
    checkDetectionRules(apps, { accepted: settings.accepted, ...at }, settings.windows.detection),
    checkAppAssigned(apps),
    checkAssignment(settings.windows, read),
    checkInstallCommand(settings, apps),
    checkUninstallCommand(settings, apps),
    checkPermissions(roles),
    reportWindowsPlaces(settings),
    ...checkPrerequisites(settings, collectWindowsProofs(read), at),
  ];
}

function collectWindowsProofs({ apps, devices }: WindowsReading): PrerequisiteProofs {
  const known = 'is' in apps ? [] : apps;
  const isAssigned = known.some(
    ({ assignments }) => !('is' in assignments) && assignments.some(({ target }) => target === 'groupAssignmentTarget'),
  );
  const gives = (name: string) => known.some((app) => hasParameterValue(app.installCommand, name));
  const isPackaged = known.some(({ setupFile }) => setupFile.toLowerCase() === windows.script.toLowerCase());
  return {
    'group-exists': isAssigned ? 'the app is assigned to a group' : undefined,
    'device-enrolled': devices > 0 ? 'the tenant lists enrolled devices' : undefined,
    'api-key': gives('-ApiKey') ? '-ApiKey of the install command is set' : undefined,
    'circle-id': gives('-circleid') ? '-circleid of the install command is set' : undefined,
    'install-script': isPackaged ? 'the app was packaged around it' : undefined,
  };
}
