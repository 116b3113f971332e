/** The contract of an artifact: its purpose, and how it is rendered from the settings, without secrets. */

import { emailScript } from '../definition.ts';
import type { DeploymentSettings } from '../settings.ts';
import { findUninstallFile } from '../windows-places.ts';

export interface Artifact {
  readonly name: string;
  readonly what: string;
  /** Settings without which it contains placeholders. */
  readonly needs: readonly NeededSetting[];
  /** The platform of the source without which it contains placeholders. */
  readonly needsSource?: string;
  readonly render: (company: Company) => string;
  readonly isProgram?: boolean;
  /** True where it measures: every company needs it, even without the deployment interface. */
  readonly isMeasuring?: boolean;
}

export interface Company {
  /** The company's name for the agent. */
  readonly agent: string;
  readonly deployment: DeploymentSettings;
  /** The first source that artifacts name; undefined where there is none. */
  readonly server: ServerNames | undefined;
}

/** Names of a source's server that artifacts contain. */
export interface ServerNames {
  /** The server's address; undefined where only a gateway in front of it is known. */
  readonly url: string | undefined;
  readonly attribute: string;
  readonly groups: { readonly installed: string; readonly notInstalled: string } | undefined;
}

/** Readers of the settings, by the words that name a missing one. */
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

/** The missing settings for which an artifact has placeholders. */
export function listMissingSettings({ needs, needsSource }: Artifact, company: Company): readonly string[] {
  const missing = needs.filter((setting) => settings[setting](company) === undefined);
  return needsSource === undefined || company.server !== undefined ? missing : [needsSource, ...missing];
}

/** The artifacts for a company: those that measure, and the others if its settings mention the deployment interface. */
export function selectOffered(artifacts: readonly Artifact[], company: Company): readonly Artifact[] {
  const isUsed = Object.values(settings).some((read) => read(company) !== undefined);
  return isUsed ? artifacts : artifacts.filter(({ isMeasuring }) => isMeasuring === true);
}

/** Display names of the objects that an administrator creates: the company's own, otherwise these. */
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
