/** What an artifact is rendered from. No secret is ever available here. */
import type { DeploymentSettings } from '../../settings/deployment/deployment.ts';

export interface Company {
  /** The company's name for the agent. */
  readonly agent: string;
  readonly deployment: DeploymentSettings;
  /** The first source that artifacts name; undefined where there is none. */
  readonly jamf: ServerNames | undefined;
}

/** What artifacts name of a source. */
export interface ServerNames {
  /** The server's address. */
  readonly url: string;
  readonly attribute: string;
  readonly groups: { readonly installed: string; readonly notInstalled: string } | undefined;
}

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
