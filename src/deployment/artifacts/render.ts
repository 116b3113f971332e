/** What an artifact is rendered from: the settings, never a secret. */
import type { DeploymentSettings } from '../../settings/deployment/deployment.ts';
import { emailScript } from '../definition.ts';

export interface Company {
  /** The company's name for the agent. */
  readonly agent: string;
  readonly deployment: DeploymentSettings;
  /** The first source that artifacts name; undefined where there is none. */
  readonly server: ServerNames | undefined;
}

/** What artifacts name of a source. */
export interface ServerNames {
  /** The server's address; undefined where only a gateway in front of it is known. */
  readonly url: string | undefined;
  readonly attribute: string;
  readonly groups: { readonly installed: string; readonly notInstalled: string } | undefined;
}

/** The display names of what an administrator creates: the company's own, or these. */
export function nameObjects({ deployment: { identity, macos }, server }: Company) {
  return {
    script: macos.script ?? (identity === 'directory' ? 'deploy-directory.sh' : emailScript.name),
    policy: macos.policy ?? 'Deploy endpoint agent',
    extensionProfile: macos.profiles.extension ?? 'Agent kernel extension',
    fileAccessProfile: macos.profiles.fileAccess ?? 'Agent file access',
    attribute: server?.attribute ?? 'Agent Status',
    installedGroup: server?.groups?.installed ?? 'Agent Installed',
    notInstalledGroup: server?.groups?.notInstalled ?? 'Agent Not Installed',
  };
}
