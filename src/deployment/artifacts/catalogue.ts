/** Every artifact, its purpose, and the settings that it uses. */

import { findUninstallFile } from '../agent-places.ts';
import { placeholders } from '../placeholders.ts';
import { attributeTemplates, directoryTemplates } from '../script-templates.ts';
import { renderChecklist } from './checklist.ts';
import { renderPolicy, renderSmartGroup } from './jamf.ts';
import { renderFileAccessProfile, renderKernelExtensionProfile, renderSystemExtensionProfile } from './profiles.ts';
import type { Company } from './render.ts';
import { renderInstallCommand, renderPackageLayout, renderUninstallCommand, renderWin32App } from './windows.ts';

export interface Artifact {
  readonly name: string;
  readonly what: string;
  /** Settings without which it contains a placeholder. */
  readonly needs: readonly string[];
  readonly render: (company: Company) => string;
  readonly isProgram?: boolean;
}

const macosSetting = 'deployment.macos';
const windowsSetting = 'deployment.windows';
const uninstallerSetting = `${windowsSetting}.vendorFolder or uninstallFile`;
const jamfSetting = 'sources[] with platform: jamf';

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
    needs: [jamfSetting],
    render: (company) => renderSmartGroup(company, 'Installed'),
  },
  {
    name: 'smart-group-not-installed.xml',
    what: 'Classic XML of the group without the agent',
    needs: [jamfSetting],
    render: (company) => renderSmartGroup(company, 'Not Installed'),
  },
  {
    name: 'policy.xml',
    what: 'Classic XML of the deployment policy',
    needs: [jamfSetting, 'deployment.identity', 'deployment.service', `${windowsSetting}.circleId`],
    render: renderPolicy,
  },
  {
    name: 'kernel-extension.mobileconfig',
    what: 'the profile that approves the kernel extension',
    needs: [`${macosSetting}.teamIdentifier`],
    render: renderKernelExtensionProfile,
  },
  {
    name: 'system-extension.mobileconfig',
    what: 'the profile that approves the system extension',
    needs: [`${macosSetting}.teamIdentifier`],
    render: renderSystemExtensionProfile,
  },
  {
    name: 'file-access.mobileconfig',
    what: 'the profile that allows access to all files',
    needs: [`${macosSetting}.teamIdentifier`, `${macosSetting}.applicationFolder`],
    render: renderFileAccessProfile,
  },
  {
    name: 'win32-app.json',
    what: 'the Graph body of the Windows app, with its detection rule',
    needs: ['deployment.service', `${windowsSetting}.circleId`, `${windowsSetting}.vendorFolder`],
    render: renderWin32App,
  },
  {
    name: 'install-command.txt',
    what: 'the install command',
    needs: ['deployment.service', `${windowsSetting}.circleId`],
    render: (company) => `${renderInstallCommand(company)}\n`,
  },
  {
    name: 'uninstall-command.txt',
    what: 'the uninstall command',
    needs: [uninstallerSetting],
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
export function listMissingSettings(artifact: Artifact, { deployment, jamf: server }: Company): readonly string[] {
  const { macos: mac, windows: win } = deployment;
  const isSet: Readonly<Record<string, boolean>> = {
    [jamfSetting]: server !== undefined,
    'deployment.identity': deployment.identity !== undefined,
    'deployment.service': deployment.service !== undefined,
    [`${macosSetting}.teamIdentifier`]: mac.teamIdentifier !== undefined,
    [`${macosSetting}.applicationFolder`]:
      mac.applicationFolder !== undefined || mac.applicationIdentifier !== undefined,
    [`${windowsSetting}.circleId`]: win.circleId !== undefined,
    [`${windowsSetting}.vendorFolder`]: win.vendorFolder !== undefined,
    [uninstallerSetting]: findUninstallFile(deployment) !== undefined,
  };
  return artifact.needs.filter((setting) => isSet[setting] !== true);
}
