/** What an artifact is rendered from, and the placeholders for secrets and missing values. No secret is ever available here. */
import type { DeploymentSettings } from '../deployment-settings.ts';

export interface Company {
  /** The company's name for the agent. */
  readonly agent: string;
  readonly deployment: DeploymentSettings;
  /** Of the first source that artifacts name; undefined where there is none. */
  readonly jamf: ServerNames | undefined;
}

/** What artifacts name of a source. */
export interface ServerNames {
  /** The server's address. */
  readonly url: string;
  readonly attribute: string;
  readonly groups: { readonly installed: string; readonly notInstalled: string } | undefined;
}

/** An administrator replaces these where the value is entered; Muster never does. */
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
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 cannot contain these at all
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
  );
}
