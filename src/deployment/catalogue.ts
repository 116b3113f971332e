/**
 * Every check, what it expects and what it cannot see, in the order in which reports show them. A check that is in no
 * catalogue does not compile. docs/coverage.md lists the blind spots, and a test compares the list with this one.
 */
import { type DetectionPlace, prerequisites, windows } from './definition.ts';

export interface CheckDefinition {
  readonly expected: string;
  /** What no API shows, so that the check can pass although it is wrong. */
  readonly blindSpot: string;
  /**
   * It decides if the values can be trusted: only such checks decide a run's exit code. With `when-read`, it decides
   * nothing where it could not be read.
   */
  readonly instrument?: true | 'when-read';
}

export type CheckCatalogue = Readonly<Record<string, CheckDefinition>>;

const groupBlindSpot = 'when the server last computed who is in it';
const placesBlindSpot = 'where the installed agent really keeps its files: canaries show it';
const downloadBlindSpot = 'whether it is the vendor’s file, and whether it is whole behind its first 256 KiB';

const macos = {
  'macos.extension-attribute': {
    instrument: true,
    expected:
      'one attribute of that name, enabled, data type STRING, input type SCRIPT, with the script that Muster renders or an accepted one',
    blindSpot: 'which version of the script a Mac ran last: canaries show that the chain works',
  },
  'macos.smart-group-installed': {
    expected: 'one smart group of that name with the one criterion: attribute is "Installed"',
    blindSpot: groupBlindSpot,
  },
  'macos.smart-group-not-installed': {
    expected: 'one smart group of that name with the one criterion: attribute is "Not Installed"',
    blindSpot: groupBlindSpot,
  },
  'macos.policy': {
    expected: 'one policy of that name, enabled, that runs the script, with a scope that reaches computers',
    blindSpot:
      'on which computers it has run, whether the agent package is uploaded, and whom limitations and excluded buildings, departments and users leave out: these are shown and not compared',
  },
  'macos.policy-parameters': {
    expected: 'parameters 4 to 9 filled in; hosts without https:// and path, this server, this service, this circle',
    blindSpot: 'whether the account, the password and the API key are right, and whether the key may invite users',
  },
  'macos.update-inventory': {
    expected: 'the policy updates the inventory (Maintenance)',
    blindSpot: 'whether the inventory that a Mac then sends arrives: the age of its value shows it',
  },
  'macos.script': {
    expected:
      'the script that Muster renders from the settings or an accepted one; by e-mail, the labels of parameters 4 to 9',
    blindSpot: 'by e-mail, what the vendor’s script does: only its labels are checked',
  },
  'macos.extension-profile': {
    expected:
      'a profile that trusts the team identifier for kernel or system extensions, described, installed automatically on computers, scoped',
    blindSpot:
      'which Macs have installed it, and which team signed the agent’s extension: the team identifier is a setting',
  },
  'macos.file-access-profile': {
    expected:
      'a profile that allows All Files to the application and to fhagent as signed by the team, installed automatically on computers, scoped',
    blindSpot: 'which Macs have installed it, and whether the installed agent meets the code requirement',
  },
  'macos.account-read-only': {
    expected: 'the account in parameter 4 of the policy can read and do nothing else',
    blindSpot: 'what that account may do, unless Muster signs in with the same one: a person attests it',
  },
  'macos.permissions-read-only': {
    expected: 'an account or API client for Muster that can read and do nothing else',
    blindSpot: 'what an API client may do: a person attests it',
  },
  'macos.agent-places': {
    expected: 'the places of the deployment interface, or others that the settings name',
    blindSpot: placesBlindSpot,
  },
  'service.package': {
    expected: 'the service serves fhfs.pkg, a macOS installer archive',
    blindSpot: downloadBlindSpot,
  },
  'service.bundle': { expected: 'the service serves bundle.dat, a gzip tar archive', blindSpot: downloadBlindSpot },
} as const satisfies CheckCatalogue;

const forWindows = {
  'windows.app': {
    instrument: true,
    expected: 'a published Windows app (Win32)',
    blindSpot: 'what the uploaded package contains',
  },
  'windows.detection-rule': {
    instrument: true,
    expected: describeDetectionRule(windows.detection),
    blindSpot: 'how often a device evaluates the rule',
  },
  'windows.app-assigned': {
    instrument: 'when-read',
    expected: 'assigned to somebody, and uninstalled from nobody',
    blindSpot: 'whether the groups that it is assigned to have members',
  },
  'windows.assignment': {
    expected:
      'available for enrolled devices to the groups in the settings, and as alsoAssigned says; where neither is set, available or required for somebody',
    blindSpot: 'which devices are in the groups, and which of them an assignment filter leaves out',
  },
  'windows.install-command': {
    expected: 'the documented install command with its four parameters',
    blindSpot: 'whether the API key is right, whether it may invite users, and which roles the service knows',
  },
  'windows.uninstall-command': {
    expected: 'the documented uninstall command, silent',
    blindSpot: 'whether the uninstaller is there and works',
  },
  'windows.permissions-read-only': {
    expected: 'application permissions that read and do nothing else',
    blindSpot: 'what the application may do outside Microsoft Graph',
  },
  'windows.agent-places': {
    expected: 'the places of the deployment interface, or others that the settings name',
    blindSpot: placesBlindSpot,
  },
} as const satisfies CheckCatalogue;

/** The documented rule, for the file that the settings name. */
export function describeDetectionRule({ path, file }: DetectionPlace): string {
  return `exactly one rule: the file ${path}\\${file} exists, 64-bit view; or an accepted one`;
}

type PrerequisiteCheckId = `prerequisite.${(typeof prerequisites)[number]['id']}`;

const prerequisiteDefinitions = Object.fromEntries(
  prerequisites.map(({ id, text }) => [
    `prerequisite.${id}`,
    { expected: text, blindSpot: 'what the service knows: where no platform shows it, a person attests it' },
  ]),
) as Readonly<Record<PrerequisiteCheckId, CheckDefinition>>;

/** Checks of `muster check --package`, made where the package is built. */
const localDefinitions = {
  'windows.package': {
    expected: `a folder with exactly ${windows.script} and ${windows.installer}`,
    blindSpot: 'whether the two files are the vendor’s, and which folder was packaged in the end',
  },
} as const satisfies CheckCatalogue;

export const macosChecks: CheckCatalogue = { ...macos, ...prerequisiteDefinitions };
export const windowsChecks: CheckCatalogue = { ...forWindows, ...prerequisiteDefinitions };

export type CheckId =
  | keyof typeof macos
  | keyof typeof forWindows
  | keyof typeof localDefinitions
  | PrerequisiteCheckId;

/** Every check of every kind of source, and those that are made elsewhere. */
export const checkDefinitions: Readonly<Record<CheckId, CheckDefinition>> = {
  ...macos,
  ...forWindows,
  ...localDefinitions,
  ...prerequisiteDefinitions,
};

export function getCheckDefinition(check: CheckId): CheckDefinition {
  return checkDefinitions[check];
}
