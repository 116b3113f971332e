/**
 * The agent's places on a PC, from the document and the settings: the file of the detection rule, and the uninstaller.
 * Rules are compared as JSON with sorted keys.
 */

import { windows } from './definition.ts';
import type { DeploymentSettings } from './settings.ts';

/** The place of a detection rule's file. */
export type DetectionPlace = DeploymentSettings['windows']['detection'];

export const fileRuleType = '#microsoft.graph.win32LobAppFileSystemRule';

/**
 * Builds the detection rule for a file, as Microsoft Graph writes it:
 * https://learn.microsoft.com/graph/api/resources/intune-apps-win32lobappfilesystemrule
 */
export function buildDetectionRule({ path, file }: DetectionPlace) {
  return {
    '@odata.type': fileRuleType,
    ruleType: 'detection',
    path,
    fileOrFolderName: file,
    check32BitOn64System: false,
    operationType: 'exists',
    operator: 'notConfigured',
    comparisonValue: null,
  };
}

/** The uninstaller; undefined where the settings name neither the file nor the vendor's folder. */
export function findUninstallFile({ windows: own }: DeploymentSettings): string | undefined {
  return own.uninstallFile ?? (own.vendorFolder === undefined ? undefined : buildUninstallFile(own.vendorFolder));
}

export function buildUninstallFile(vendorFolder: string): string {
  return `${windows.programs}\\${vendorFolder}\\${windows.uninstaller}`;
}

/** JSON with sorted keys, so that equal objects have the same text and the same hash. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
