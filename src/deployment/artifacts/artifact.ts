/** The contract of an artifact: its purpose, and what it is rendered from, which is the settings and never a secret. */

import { emailScript } from '../definition.ts';
import type { DeploymentSettings } from '../settings.ts';
import { findUninstallFile } from '../windows-places.ts';

export interface Artifact {
  readonly name: string;
  readonly what: string;
  /** Settings without which it contains a placeholder. */
  readonly needs: readonly NeededSetting[];
  /** The same of the source whose server it names. */
  readonly needsSource?: string;
  readonly render: (company: Company) => string;
  readonly isProgram?: boolean;
  /** It measures: every company needs it, whether or not it deploys as the deployment interface says. */
  readonly isMeasuring?: boolean;
}

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

/** What the settings say, by the words in which a missing one is named. */
const settings = {
  'deployment.identity': ({ deployment }) => deployment.identity,
  'deployment.service': ({ deployment }) => deployment.service,
  'deployment.macos.teamIdentifier': ({ deployment: { macos } }) => macos.teamIdentifier,
  'deployment.macos.applicationFolder': ({ deployment: { macos } }) =>
    macos.applicationFolder ?? macos.applicationIdentifier,
  'deployment.windows.circleId': ({ deployment: { windows } }) => windows.circleId,
  'deployment.windows.vendorFolder': ({ deployment: { windows } }) => windows.vendorFolder,
  'deployment.windows.vendorFolder or uninstallFile': ({ deployment }) => findUninstallFile(deployment),
} as const satisfies Readonly<Record<string, (company: Company) => unknown>>;

type NeededSetting = keyof typeof settings;

/** The settings that an artifact has placeholders for. */
export function listMissingSettings({ needs, needsSource }: Artifact, company: Company): readonly string[] {
  const missing = needs.filter((setting) => settings[setting](company) === undefined);
  return needsSource === undefined || company.server !== undefined ? missing : [needsSource, ...missing];
}

/** Those of use to the company: what measures, and the rest where its settings say anything of the deployment interface. */
export function selectOffered(artifacts: readonly Artifact[], company: Company): readonly Artifact[] {
  const isUsed = Object.values(settings).some((read) => read(company) !== undefined);
  return isUsed ? artifacts : artifacts.filter(({ isMeasuring }) => isMeasuring === true);
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
