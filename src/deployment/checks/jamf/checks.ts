/** Every check of a Jamf Pro source, in the order in which reports show them. */
import type { Check } from '../check.ts';
import { bundleCheck, packageCheck } from '../downloads.ts';
import { createPrerequisiteChecks, type PrerequisiteProofs } from '../prerequisites.ts';
import { accountReadOnly } from './account-read-only.ts';
import { macosAgentPlaces } from './agent-places.ts';
import { extensionAttribute } from './extension-attribute.ts';
import { extensionProfile } from './extension-profile.ts';
import { fileAccessProfile } from './file-access-profile.ts';
import { permissionsReadOnly } from './permissions-read-only.ts';
import { findPolicyParameter, policyCheck } from './policy.ts';
import { policyParameters } from './policy-parameters.ts';
import type { JamfReading } from './reading.ts';
import { scriptCheck } from './script.ts';
import { smartGroupInstalled, smartGroupNotInstalled } from './smart-groups.ts';
import { updateInventory } from './update-inventory.ts';

const proofs: PrerequisiteProofs<JamfReading> = {
  'group-exists': ({ installedGroup, notInstalledGroup }) =>
    installedGroup.is === 'one' || notInstalledGroup.is === 'one' ? 'the server has a smart group for it' : undefined,
  'device-enrolled': ({ devices }) => (devices > 0 ? 'the server lists enrolled computers' : undefined),
  'api-key': (reading, settings) =>
    findPolicyParameter(settings, reading, 8) ? 'parameter 8 of the policy is set' : undefined,
  'circle-id': (reading, settings) =>
    findPolicyParameter(settings, reading, 9) ? 'parameter 9 of the policy is set' : undefined,
};

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
  macosAgentPlaces,
  packageCheck,
  bundleCheck,
  ...createPrerequisiteChecks(proofs),
];
