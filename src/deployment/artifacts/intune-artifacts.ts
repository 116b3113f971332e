/** The artifacts that are created on Microsoft Intune. */
import type { Artifact } from './artifact.ts';
import { renderInstallCommand, renderPackageLayout, renderUninstallCommand, renderWin32App } from './windows.ts';

export const intuneArtifacts: readonly Artifact[] = [
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
];
