/** Every check of a Microsoft Intune source, in the order in which reports show them. */
import { windows } from '../../definition.ts';
import { buildUninstallFile } from '../../windows-places.ts';
import type { Check } from '../check.ts';
import { createPlacesCheck, createPrerequisiteChecks } from '../common-checks.ts';
import { judgeReadOnly, reportUnread } from '../verdicts.ts';
import { appCheck, detectionRule } from './app.ts';
import { appAssigned, assignmentCheck, meantTargets } from './assignments.ts';
import { hasParameterValue, installCommand, uninstallCommand } from './commands.ts';
import type { AppFacts, IntuneReading } from './reading.ts';

const agentPlaces = createPlacesCheck('windows.agent-places', ({ windows: own }) => {
  const uninstaller = buildUninstallFile(own.vendorFolder ?? '<vendor_folder>');
  const { path, file } = windows.detection;
  return [
    { setting: 'deployment.windows.detection.path', set: own.detection.path, documented: path },
    { setting: 'deployment.windows.detection.file', set: own.detection.file, documented: file },
    { setting: 'deployment.windows.uninstallFile', set: own.uninstallFile ?? uninstaller, documented: uninstaller },
  ];
});

const prerequisites = createPrerequisiteChecks<IntuneReading>({
  'group-exists': proveByApp(
    'the app is assigned to a group',
    ({ assignments }) =>
      !('kind' in assignments) && assignments.some(({ target }) => target === meantTargets.group.type),
  ),
  'device-enrolled': ({ devices = 0 }) => (devices > 0 ? 'the tenant lists enrolled devices' : undefined),
  'api-key': proveByParameter('-ApiKey'),
  'circle-id': proveByParameter('-circleid'),
  'install-script': proveByApp(
    'the app was packaged around it',
    ({ setupFile }) => setupFile.toLowerCase() === windows.script.toLowerCase(),
  ),
});

/** Checks that Muster's application permissions only read: docs/coverage.md, section 5. */
export const permissionsReadOnly: Check<IntuneReading> = {
  id: 'windows.permissions-read-only',
  expected: 'application permissions that read and do nothing else',
  blindSpot: 'what the application may do outside Microsoft Graph',
  judge({ roles }) {
    if (roles === undefined || 'kind' in roles) {
      return reportUnread(roles);
    }
    const advice = 'Remove every permission that does not end with .Read.All.';
    return judgeReadOnly(roles, 'permissions', /\.Read(\.All)?$/, advice);
  },
};

export const intuneChecks: readonly Check<IntuneReading>[] = [
  appCheck,
  detectionRule,
  appAssigned,
  assignmentCheck,
  installCommand,
  uninstallCommand,
  permissionsReadOnly,
  agentPlaces,
  ...prerequisites,
];

function proveByApp(proof: string, proves: (app: AppFacts) => boolean) {
  return ({ apps }: IntuneReading) =>
    apps !== undefined && !('kind' in apps) && apps.some(proves) ? proof : undefined;
}

function proveByParameter(name: string) {
  return proveByApp(`${name} of the install command is set`, (app) => hasParameterValue(app.installCommand, name));
}
