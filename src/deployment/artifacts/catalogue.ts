/** Every artifact, its purpose, and the settings that it uses. */

import { placeholders } from '../placeholders.ts';
import { attributeTemplates, directoryTemplates } from '../script-templates.ts';
import { findUninstallFile } from '../windows-places.ts';
import { renderChecklist } from './checklist.ts';
import { renderPolicy, renderSmartGroup } from './jamf.ts';
import { renderExtensionProfile, renderFileAccessProfile } from './profiles.ts';
import type { Company } from './render.ts';
import { renderInstallCommand, renderPackageLayout, renderUninstallCommand, renderWin32App } from './windows.ts';

export interface Artifact {
  readonly name: string;
  readonly what: string;
  /** Settings without which it contains a placeholder. */
  readonly needs: readonly NeededSetting[];
  readonly render: (company: Company) => string;
  readonly isProgram?: boolean;
}

/** What the settings say, by the words in which a missing one is named. */
const settings = {
  'sources[] with platform: jamf': ({ jamf }) => jamf,
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

export const artifacts: readonly Artifact[] = [
  {
    name: 'extension-attribute.sh',
    what: 'the script of the extension attribute',
    needs: [],
    render: ({ deployment }) => attributeTemplates[0].render(deployment.macos.agentFile),
    isProgram: true,
  },
  {
    name: 'deploy-directory.sh',
    what: 'the five documented steps for a directory-aware agent',
    needs: ['deployment.service'],
    render: ({ deployment }) => directoryTemplates[0].render(deployment.service ?? placeholders.service),
    isProgram: true,
  },
  {
    name: 'smart-group-installed.xml',
    what: 'Classic XML of the group with the agent',
    needs: ['sources[] with platform: jamf'],
    render: (company) => renderSmartGroup(company, 'Installed'),
  },
  {
    name: 'smart-group-not-installed.xml',
    what: 'Classic XML of the group without the agent',
    needs: ['sources[] with platform: jamf'],
    render: (company) => renderSmartGroup(company, 'Not Installed'),
  },
  {
    name: 'policy.xml',
    what: 'Classic XML of the deployment policy',
    needs: [
      'sources[] with platform: jamf',
      'deployment.identity',
      'deployment.service',
      'deployment.windows.circleId',
    ],
    render: renderPolicy,
  },
  {
    name: 'kernel-extension.mobileconfig',
    what: 'the profile that approves the kernel extension',
    needs: ['deployment.macos.teamIdentifier'],
    render: (company) => renderExtensionProfile(company, 'kernel'),
  },
  {
    name: 'system-extension.mobileconfig',
    what: 'the profile that approves the system extension',
    needs: ['deployment.macos.teamIdentifier'],
    render: (company) => renderExtensionProfile(company, 'system'),
  },
  {
    name: 'file-access.mobileconfig',
    what: 'the profile that allows access to all files',
    needs: ['deployment.macos.teamIdentifier', 'deployment.macos.applicationFolder'],
    render: renderFileAccessProfile,
  },
  {
    name: 'win32-app.json',
    what: 'the Graph body of the Windows app, with its detection rule',
    needs: ['deployment.service', 'deployment.windows.circleId', 'deployment.windows.vendorFolder'],
    render: renderWin32App,
  },
  {
    name: 'install-command.txt',
    what: 'the install command',
    needs: ['deployment.service', 'deployment.windows.circleId'],
    render: (company) => `${renderInstallCommand(company)}\n`,
  },
  {
    name: 'uninstall-command.txt',
    what: 'the uninstall command',
    needs: ['deployment.windows.vendorFolder or uninstallFile'],
    render: (company) => `${renderUninstallCommand(company)}\n`,
  },
  {
    name: 'package-layout.txt',
    what: 'the contents of the folder to package for Windows',
    needs: [],
    render: renderPackageLayout,
  },
  {
    name: 'checklist.md',
    what: 'every step on both platforms, for this company',
    needs: ['deployment.identity'],
    render: renderChecklist,
  },
];

/** The settings that an artifact has placeholders for. */
export function listMissingSettings({ needs }: Artifact, company: Company): readonly string[] {
  return needs.filter((setting) => settings[setting](company) === undefined);
}
