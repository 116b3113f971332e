/** Every check of a Microsoft Intune source, in the order in which reports show them. */
import { windows } from '../../definition.ts';
import type { Check } from '../check.ts';
import { createPrerequisiteChecks, type PrerequisiteProofs } from '../prerequisites.ts';
import { windowsAgentPlaces } from './agent-places.ts';
import { appCheck } from './app.ts';
import { appAssigned } from './app-assigned.ts';
import { assignmentCheck } from './assignment.ts';
import { meantTargets } from './assignments.ts';
import { detectionRule } from './detection-rule.ts';
import { hasParameterValue, installCommand } from './install-command.ts';
import { permissionsReadOnly } from './permissions-read-only.ts';
import type { AppFacts, IntuneReading } from './reading.ts';
import { uninstallCommand } from './uninstall-command.ts';

const proofs: PrerequisiteProofs<IntuneReading> = {
  'group-exists': proveByApp('the app is assigned to a group', hasGroup),
  'device-enrolled': ({ devices }) => (devices > 0 ? 'the tenant lists enrolled devices' : undefined),
  'api-key': proveByApp('-ApiKey of the install command is set', (app) =>
    hasParameterValue(app.installCommand, '-ApiKey'),
  ),
  'circle-id': proveByApp('-circleid of the install command is set', (app) =>
    hasParameterValue(app.installCommand, '-circleid'),
  ),
  'install-script': proveByApp(
    'the app was packaged around it',
    ({ setupFile }) => setupFile.toLowerCase() === windows.script.toLowerCase(),
  ),
};

export const intuneChecks: readonly Check<IntuneReading>[] = [
  appCheck,
  detectionRule,
  appAssigned,
  assignmentCheck,
  installCommand,
  uninstallCommand,
  permissionsReadOnly,
  windowsAgentPlaces,
  ...createPrerequisiteChecks(proofs),
];

function proveByApp(proof: string, proves: (app: AppFacts) => boolean) {
  return ({ apps }: IntuneReading) => (!('is' in apps) && apps.some(proves) ? proof : undefined);
}

function hasGroup({ assignments }: AppFacts): boolean {
  return !('is' in assignments) && assignments.some(({ target }) => target === meantTargets.group.type);
}
