/** Profiles of a Mac as property lists. */
import { build, type PlistValue } from 'plist';
import { extensionProfile } from '../../src/deployment/checks/jamf/profiles.ts';
import type { ProfileFacts } from '../../src/deployment/checks/jamf/reading.ts';
import { everyone, judgeJamf, makeSettings, one } from './judging.ts';

export type Payload = { [key: string]: PlistValue };

export const team = 'TEAM123456';
export const asked = makeSettings({
  macos: {
    applicationFolder: '/Applications/Agent.app',
    applicationIdentifier: 'com.example.agent',
    teamIdentifier: team,
    profiles: { extension: 'One', fileAccess: 'Two' },
  },
});

export const profile = (...payloads: Payload[]): Payload => ({
  PayloadType: 'Configuration',
  PayloadContent: payloads.map((payload, index) => ({ PayloadUUID: String(index), PayloadVersion: 1, ...payload })),
});

export const xml = (...payloads: Payload[]) => build(profile(...payloads));

export const whole: ProfileFacts = {
  scope: everyone,
  description: 'Kernel extension approval profile',
  distribution: 'Install Automatically',
  level: 'System',
  payloads: '',
};
export const managed = ['1', '2', '3'];

export function extension(payloads: string, changes: Partial<ProfileFacts> = {}) {
  return judgeJamf(extensionProfile, { extensionProfile: one({ ...whole, payloads, ...changes }), managed }, asked);
}
