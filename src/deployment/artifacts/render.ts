/** What an artifact is rendered from, and how secrets and missing values are left open. Nothing here ever has a secret. */
import type { DeploymentSettings } from '../deployment-settings.ts';

export interface Company {
  /** How the company calls the agent. */
  readonly agent: string;
  readonly deployment: DeploymentSettings;
  readonly jamf: JamfNames | undefined;
}

interface JamfNames {
  /** The server's address. */
  readonly url: string;
  readonly attribute: string;
  readonly groups: { readonly installed: string; readonly notInstalled: string } | undefined;
}

/** Filled in by an administrator, where the value is entered; never by Muster. */
export const placeholders = {
  user: '<MDM_USER>',
  password: '<MDM_PASSWORD>',
  apiKey: '<API_KEY>',
  service: '<SERVER_URL>',
  circle: '<CIRCLE_ID>',
  team: '<TEAM_IDENTIFIER>',
  vendor: '<VENDOR_FOLDER>',
  platform: '<PLATFORM_FOLDER>',
  application: '<APPLICATION_FOLDER>',
  jamf: '<JAMF_PRO_URL>',
} as const;

export function escapeXmlText(text: string): string {
  return (
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 cannot hold these at all
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
  );
}
