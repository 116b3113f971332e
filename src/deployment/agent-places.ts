/** The agent's own places: where its files are. The document's, unless the settings name others. */
import type { Finding } from '../core/facts.ts';
import type { CheckId } from './catalogue.ts';
import { type DetectionPlace, macosFiles, windows } from './definition.ts';
import type { DeploymentSettings } from './deployment-settings.ts';
import { pass, quoteText } from './finding.ts';

/** The detection rule for a file, as Microsoft Graph writes it. */
export function buildDetectionRule({ path, file }: DetectionPlace) {
  return { ...windows.detectionRule, path, fileOrFolderName: file };
}

/** Undefined where the settings name neither the file nor the vendor's folder. */
export function findUninstallFile(deployment: DeploymentSettings): string | undefined {
  const { uninstallFile, vendorFolder } = deployment.windows;
  return uninstallFile ?? (vendorFolder === undefined ? undefined : buildUninstallFile(vendorFolder));
}

export function buildUninstallFile(vendorFolder: string): string {
  return `${windows.programs}\\${vendorFolder}\\${windows.uninstaller}`;
}

/** Says where the settings differ from the document: whoever reads the report should not have to compare them. */
export function reportMacosPlaces({ macos }: DeploymentSettings): Finding {
  return reportPlaces('macos.agent-places', [
    { setting: 'deployment.macos.agentFile', set: macos.agentFile, documented: macosFiles.agent },
    { setting: 'deployment.macos.toolsFile', set: macos.toolsFile, documented: macosFiles.tools },
  ]);
}

export function reportWindowsPlaces({ windows: own }: DeploymentSettings): Finding {
  const { detection, uninstallFile, vendorFolder } = own;
  const documentedUninstaller = buildUninstallFile(vendorFolder ?? '<vendor_folder>');
  return reportPlaces('windows.agent-places', [
    { setting: 'deployment.windows.detection.path', set: detection.path, documented: windows.detection.path },
    { setting: 'deployment.windows.detection.file', set: detection.file, documented: windows.detection.file },
    {
      setting: 'deployment.windows.uninstallFile',
      set: uninstallFile ?? documentedUninstaller,
      documented: documentedUninstaller,
    },
  ]);
}

interface Place {
  readonly setting: string;
  readonly set: string;
  readonly documented: string;
}

function reportPlaces(check: CheckId, places: readonly Place[]): Finding {
  const differences = places
    .filter(({ set, documented }) => set !== documented)
    .map(
      ({ setting, set, documented }) =>
        `${setting} is ${quoteText(set)}, where the deployment interface has ${quoteText(documented)}`,
    );
  return pass(check, differences.length === 0 ? 'as in the deployment interface' : differences.join('; '));
}
