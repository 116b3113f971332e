/** Every check of a Jamf Pro source, in the order in which reports show them. */
import { macosFiles } from '../../definition.ts';
import type { Check } from '../check.ts';
import { createPlacesCheck, createPrerequisiteChecks } from '../common-checks.ts';
import { bundleCheck, packageCheck } from './downloads.ts';
import { accountReadOnly, permissionsReadOnly } from './permissions.ts';
import { findPolicyParameter, policyCheck, policyParameters, updateInventory } from './policy.ts';
import { extensionProfile, fileAccessProfile } from './profiles.ts';
import type { JamfReading } from './reading.ts';
import { extensionAttribute, scriptCheck } from './scripts.ts';
import { smartGroupInstalled, smartGroupNotInstalled } from './smart-groups.ts';

const agentPlaces = createPlacesCheck('macos.agent-places', ({ macos }) => [
  { setting: 'deployment.macos.agentFile', set: macos.agentFile, documented: macosFiles.agent },
  { setting: 'deployment.macos.toolsFile', set: macos.toolsFile, documented: macosFiles.tools },
]);

const prerequisites = createPrerequisiteChecks<JamfReading>({
  'group-exists': ({ installedGroup, notInstalledGroup }) =>
    installedGroup?.kind === 'one' || notInstalledGroup?.kind === 'one'
      ? 'the server has a smart group for it'
      : undefined,
  'device-enrolled': ({ devices = 0 }) => (devices > 0 ? 'the server lists enrolled computers' : undefined),
  'api-key': (reading, settings) =>
    findPolicyParameter(settings, reading, 8) ? 'parameter 8 of the policy is set' : undefined,
  'circle-id': (reading, settings) =>
    findPolicyParameter(settings, reading, 9) ? 'parameter 9 of the policy is set' : undefined,
});

export const jamfChecks: readonly Check<JamfReading>[] = [
  extensionAttribute,
  smartGroupInstalled,
  smartGroupNotInstalled,
  policyCheck,
  policyParameters,
  updateInventory,
  scriptCheck,
  extensionProfile,
  fileAccessProfile,
  accountReadOnly,
  permissionsReadOnly,
  agentPlaces,
  packageCheck,
  bundleCheck,
  ...prerequisites,
];
