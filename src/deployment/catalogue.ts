/**
 * Every check and what it expects, in the order in which reports show them. A check that is in no catalogue does not
 * compile.
 */
import { prerequisites, windows } from './definition.ts';

export interface CheckDefinition {
  readonly expected: string;
  /**
   * It decides if the values can be trusted: only such checks decide a run's exit code. With `when-read`, it decides
   * nothing where it could not be read.
   */
  readonly instrument?: true | 'when-read';
}

export type CheckCatalogue = Readonly<Record<string, CheckDefinition>>;

const macos = {
  'macos.extension-attribute': {
    instrument: true,
    expected:
      'one attribute of that name, enabled, data type STRING, input type SCRIPT, with the script that Muster renders or an accepted one',
  },
  'macos.smart-group-installed': {
    expected: 'one smart group of that name with the one criterion: attribute is "Installed"',
  },
  'macos.smart-group-not-installed': {
    expected: 'one smart group of that name with the one criterion: attribute is "Not Installed"',
  },
  'macos.policy': {
    expected: 'one policy of that name, enabled, that runs the script (and installs the package), with a scope',
  },
  'macos.policy-parameters': {
    expected: 'parameters 4 to 9 set; hosts without https://, this server, this service, this circle',
  },
  'macos.update-inventory': { expected: 'the policy updates the inventory (Maintenance)' },
  'macos.script': {
    expected:
      'the script that Muster renders from the settings or an accepted one; by e-mail, the labels of parameters 4 to 9',
  },
  'macos.extension-profile': {
    expected: 'a profile that trusts the team identifier for kernel or system extensions, scoped',
  },
  'macos.file-access-profile': {
    expected: 'a profile that allows All Files to the application and to fhagent, scoped',
  },
  'macos.account-read-only': { expected: 'an account that can read and do nothing else' },
  'service.package': { expected: 'the service serves fhfs.pkg, a macOS installer archive' },
  'service.bundle': { expected: 'the service serves bundle.dat, a gzip tar archive' },
} as const satisfies CheckCatalogue;

const { detection } = windows;
const forWindows = {
  'windows.app': { instrument: true, expected: 'a published Windows app (Win32)' },
  'windows.detection-rule': {
    instrument: true,
    expected: `exactly one rule: the file ${detection.path}\\${detection.file} exists, 64-bit view; or an accepted one`,
  },
  'windows.app-assigned': {
    instrument: 'when-read',
    expected: 'assigned to somebody, and uninstalled from nobody',
  },
  'windows.assignment': {
    expected:
      'available for enrolled devices to the groups in the settings, and as alsoAssigned says; where neither is set, available or required for somebody',
  },
  'windows.install-command': { expected: 'the documented install command with its four parameters' },
  'windows.uninstall-command': { expected: 'the documented uninstall command, silent' },
  'windows.permissions-read-only': { expected: 'application permissions that read and do nothing else' },
} as const satisfies CheckCatalogue;

type PrerequisiteCheckId = `prerequisite.${(typeof prerequisites)[number]['id']}`;

const prerequisiteDefinitions = Object.fromEntries(
  prerequisites.map(({ id, text }) => [`prerequisite.${id}`, { expected: text }]),
) as Readonly<Record<PrerequisiteCheckId, CheckDefinition>>;

/** Checks of `muster check --package`, made where the package is built. */
const localDefinitions = {
  'windows.package': { expected: `a folder with exactly ${windows.script} and ${windows.installer}` },
} as const satisfies CheckCatalogue;

export const macosChecks: CheckCatalogue = { ...macos, ...prerequisiteDefinitions };
export const windowsChecks: CheckCatalogue = { ...forWindows, ...prerequisiteDefinitions };

export type CheckId =
  | keyof typeof macos
  | keyof typeof forWindows
  | keyof typeof localDefinitions
  | PrerequisiteCheckId;

const definitions: Readonly<Record<CheckId, CheckDefinition>> = {
  ...macos,
  ...forWindows,
  ...prerequisiteDefinitions,
  ...localDefinitions,
};

export function getCheckDefinition(check: CheckId): CheckDefinition {
  return definitions[check];
}
