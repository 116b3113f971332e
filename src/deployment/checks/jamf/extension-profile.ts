/** The profile that trusts the vendor's kernel or system extensions: docs/coverage.md, section 1.3. */
import { type Dictionary, readArray, readDictionary } from '../../profile/payloads.ts';
import type { Check } from '../check.ts';
import { reportNotChecked } from '../verdicts.ts';
import { judgeProfile } from './judge-profile.ts';
import type { JamfReading } from './reading.ts';

export const extensionProfile: Check<JamfReading> = {
  id: 'macos.extension-profile',
  expected:
    'a profile that trusts the team identifier for kernel or system extensions, described, installed automatically on computers, scoped',
  blindSpot:
    'which Macs have installed it, and which team signed the agent’s extension: the team identifier is a setting',
  settings: ['deployment.macos.profiles.extension', 'deployment.macos.teamIdentifier'],
  judge(reading, { settings }) {
    const { profiles, teamIdentifier } = settings.macos;
    if (profiles.extension === undefined) {
      return reportNotChecked('deployment.macos.profiles.extension');
    }
    if (teamIdentifier === undefined) {
      return reportNotChecked('deployment.macos.teamIdentifier');
    }
    return judgeProfile(reading.extensionProfile, reading, (payloads, { description }) => {
      const unnamed = description.trim() === '' ? ['its description does not say what it is for'] : [];
      const policies = payloads.filter(({ PayloadType: type }) => typeof type === 'string' && trustListKeys.has(type));
      if (policies.length === 0) {
        return ['it has no payload for kernel or system extensions', ...unnamed];
      }
      return policies.some((policy) => isTrusted(policy, teamIdentifier))
        ? unnamed
        : ['none of its payloads trusts the team identifier', ...unnamed];
    });
  },
};

/** Where a team may be named besides AllowedTeamIdentifiers: https://developer.apple.com/documentation/devicemanagement */
const trustListKeys: ReadonlyMap<string, string> = new Map([
  ['com.apple.system-extension-policy', 'AllowedSystemExtensions'],
  ['com.apple.syspolicy.kernel-extension-policy', 'AllowedKernelExtensions'],
]);

function isTrusted(policy: Dictionary, team: string): boolean {
  if (readArray(policy.AllowedTeamIdentifiers).includes(team)) {
    return true;
  }
  const extensions = readDictionary(policy[trustListKeys.get(String(policy.PayloadType)) ?? '']);
  return readArray(extensions?.[team]).length > 0;
}
