/** The contract of an artifact: its purpose, and the settings that it uses. */

import { findUninstallFile } from '../windows-places.ts';
import { renderChecklist } from './checklist.ts';
import type { Company } from './render.ts';

export interface Artifact {
  readonly name: string;
  readonly what: string;
  /** Settings without which it contains a placeholder. */
  readonly needs: readonly NeededSetting[];
  /** The same of the source whose server it names. */
  readonly needsSource?: string;
  readonly render: (company: Company) => string;
  readonly isProgram?: boolean;
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

/** Every kind of source brings its own; these belong to none. */
export const commonArtifacts: readonly Artifact[] = [
  {
    name: 'checklist.md',
    what: 'every step on both platforms, for this company',
    needs: ['deployment.identity'],
    render: renderChecklist,
  },
];

/** The settings that an artifact has placeholders for. */
export function listMissingSettings({ needs, needsSource }: Artifact, company: Company): readonly string[] {
  const missing = needs.filter((setting) => settings[setting](company) === undefined);
  return needsSource === undefined || company.server !== undefined ? missing : [needsSource, ...missing];
}
