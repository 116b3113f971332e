/** The least settings, and settings as their text says. */
import { createSettingsError, readSettings, type Settings } from '../../src/compose/read-settings.ts';

export const least = `
sources:
  - name: macs
    platform: jamf
    url: https://example.jamfcloud.com
    auth: { clientId: env:JAMF_CLIENT_ID, clientSecret: env:JAMF_CLIENT_SECRET }
    extensionAttribute: Agent Status
store: ./data
`;

/** Throws where they have a problem. */
export function parseSettings(yaml: string): Settings {
  const { settings, problems } = readSettings(yaml);
  if (settings === undefined) {
    throw createSettingsError('muster.yaml', problems);
  }
  return settings;
}
