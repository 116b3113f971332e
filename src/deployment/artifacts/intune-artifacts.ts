/** Artifacts for an administrator of Microsoft Intune: docs/coverage.md, section 1.2. */
import { placeholders, windows } from '../definition.ts';
import { buildDetectionRule, buildUninstallFile, findUninstallFile } from '../windows-places.ts';
import type { Artifact, Company } from './artifact.ts';

export const intuneArtifacts: readonly Artifact[] = [
  {
    name: 'win32-app.json',
    isMeasuring: true,
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

export function renderInstallCommand({ deployment }: Company): string {
  const { circleId = placeholders.circle, memberRoleId = windows.role } = deployment.windows;
  const values = {
    '-fqdn': deployment.service ?? placeholders.service,
    '-ApiKey': placeholders.apiKey,
    '-circleid': circleId,
    '-MemberRoleId': memberRoleId,
  };
  const parameters = windows.parameters.map((name) => `${name} ${quoteArgument(values[name])}`).join(' ');
  return `${windows.powershell} -ExecutionPolicy ${windows.executionPolicy} -File ${windows.script} ${parameters}`;
}

/** Quotes a value that contains a space. */
function quoteArgument(value: string): string {
  return /\s/.test(value) ? `"${value}"` : value;
}

export function renderUninstallCommand({ deployment }: Company): string {
  const file = findUninstallFile(deployment) ?? buildUninstallFile(placeholders.vendor);
  return `${file} ${windows.uninstallSwitch}`;
}

/** The body of POST /deviceAppManagement/mobileApps: https://learn.microsoft.com/graph/api/intune-apps-win32lobapp-create */
function renderWin32App(company: Company): string {
  const body = {
    '@odata.type': '#microsoft.graph.win32LobApp',
    displayName: company.agent,
    description: company.agent,
    publisher: company.deployment.windows.vendorFolder ?? placeholders.vendor,
    fileName: 'Install-Agent.intunewin',
    setupFilePath: windows.script,
    installCommandLine: renderInstallCommand(company),
    uninstallCommandLine: renderUninstallCommand(company),
    installExperience: { runAsAccount: 'system', deviceRestartBehavior: 'basedOnReturnCode' },
    rules: [buildDetectionRule(company.deployment.windows.detection)],
  };
  return `${JSON.stringify(body, null, 2)}\n`;
}

function renderPackageLayout(): string {
  return `The folder that is packaged holds exactly these two files:

  ${windows.script}
  ${windows.installer}    (the agent installer, renamed)

The packaging tool zips all files and subfolders of the folder. Keep the tool, and everything else, outside it.
Check the folder before packaging:  muster check --package FOLDER
`;
}
