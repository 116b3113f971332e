/** Every artifact, what it is for, and which settings it is made of. */
import { attributeTemplates, directoryTemplates } from '../script-templates.ts';
import { checklist } from './checklist.ts';
import { policy, smartGroup } from './jamf.ts';
import { fileAccess, kernelExtension, systemExtension } from './profiles.ts';
import { type Company, placeholders } from './render.ts';
import { installCommand, packageLayout, uninstallCommand, win32App } from './windows.ts';

export interface Artifact {
  readonly name: string;
  readonly what: string;
  /** Settings without which a placeholder stands in it. */
  readonly needs: readonly string[];
  readonly render: (company: Company) => string;
  readonly isProgram?: boolean;
}

const macos = 'deployment.macos';
const windows = 'deployment.windows';
const jamf = 'sources[] with platform: jamf';

export const artifacts: readonly Artifact[] = [
  {
    name: 'extension-attribute.sh',
    what: 'the script of the extension attribute',
    needs: [],
    render: () => attributeTemplates[0].render(placeholders.service),
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
    needs: [jamf],
    render: (company) => smartGroup(company, 'Installed'),
  },
  {
    name: 'smart-group-not-installed.xml',
    what: 'Classic XML of the group without the agent',
    needs: [jamf],
    render: (company) => smartGroup(company, 'Not Installed'),
  },
  {
    name: 'policy.xml',
    what: 'Classic XML of the deployment policy',
    needs: [jamf, 'deployment.identity', 'deployment.service', `${windows}.circleId`],
    render: policy,
  },
  {
    name: 'kernel-extension.mobileconfig',
    what: 'the profile that approves the kernel extension',
    needs: [`${macos}.teamIdentifier`],
    render: kernelExtension,
  },
  {
    name: 'system-extension.mobileconfig',
    what: 'the same for a system extension',
    needs: [`${macos}.teamIdentifier`],
    render: systemExtension,
  },
  {
    name: 'file-access.mobileconfig',
    what: 'the profile that allows access to all files',
    needs: [`${macos}.teamIdentifier`, `${macos}.applicationFolder`],
    render: fileAccess,
  },
  {
    name: 'win32-app.json',
    what: 'the Graph body of the Windows app, with its detection rule',
    needs: ['deployment.service', `${windows}.circleId`, `${windows}.vendorFolder`],
    render: win32App,
  },
  {
    name: 'install-command.txt',
    what: 'the install command',
    needs: ['deployment.service', `${windows}.circleId`],
    render: (company) => `${installCommand(company)}\n`,
  },
  {
    name: 'uninstall-command.txt',
    what: 'the uninstall command',
    needs: [`${windows}.vendorFolder`],
    render: (company) => `${uninstallCommand(company)}\n`,
  },
  {
    name: 'package-layout.txt',
    what: 'what the folder holds that is packaged for Windows',
    needs: [],
    render: packageLayout,
  },
  {
    name: 'checklist.md',
    what: 'every step on both platforms, for this company',
    needs: ['deployment.identity'],
    render: checklist,
  },
];

/** The settings that an artifact has placeholders for. */
export function missingFor(artifact: Artifact, { deployment, jamf: server }: Company): readonly string[] {
  const { macos: mac, windows: win } = deployment;
  const isSet: Readonly<Record<string, boolean>> = {
    [jamf]: server !== undefined,
    'deployment.identity': deployment.identity !== undefined,
    'deployment.service': deployment.service !== undefined,
    [`${macos}.teamIdentifier`]: mac.teamIdentifier !== undefined,
    [`${macos}.applicationFolder`]: mac.applicationFolder !== undefined || mac.applicationIdentifier !== undefined,
    [`${windows}.circleId`]: win.circleId !== undefined,
    [`${windows}.vendorFolder`]: win.vendorFolder !== undefined,
  };
  return artifact.needs.filter((setting) => isSet[setting] !== true);
}
