/** Every check there is, what it expects, and in which order reports show them. */
import { prerequisites, windows } from './definition.ts';

/** Whether the values mean anything: these alone decide a run's exit code. */
const instrument: ReadonlySet<string> = new Set([
  'macos.extension-attribute',
  'windows.app',
  'windows.detection-rule',
  'windows.assignment',
]);

const macos: readonly (readonly [string, string])[] = [
  [
    'macos.extension-attribute',
    'one attribute of that name, enabled, data type STRING, input type SCRIPT, with the script that Muster renders or an accepted one',
  ],
  ['macos.smart-group-installed', 'one smart group of that name with the one criterion: attribute is "Installed"'],
  [
    'macos.smart-group-not-installed',
    'one smart group of that name with the one criterion: attribute is "Not Installed"',
  ],
  ['macos.policy', 'one policy of that name, enabled, that runs the script (and installs the package), with a scope'],
  ['macos.policy-parameters', 'parameters 4 to 9 set; hosts without https://, this server, this service, this circle'],
  ['macos.update-inventory', 'the policy updates the inventory (Maintenance)'],
  [
    'macos.script',
    'the script that Muster renders from the settings or an accepted one; by e-mail, the labels of parameters 4 to 9',
  ],
  ['macos.extension-profile', 'a profile that trusts the team identifier for kernel or system extensions, scoped'],
  ['macos.file-access-profile', 'a profile that allows All Files to the application and to fhagent, scoped'],
  ['macos.account-read-only', 'an account that can read and do nothing else'],
  ['service.package', 'the service serves fhfs.pkg, a macOS installer archive'],
  ['service.bundle', 'the service serves bundle.dat, a gzip tar archive'],
];

const { detection } = windows;
const forWindows: readonly (readonly [string, string])[] = [
  ['windows.app', 'a published Windows app (Win32)'],
  [
    'windows.detection-rule',
    `exactly one rule: the file ${detection.path}\\${detection.file} exists, 64-bit view; or an accepted one`,
  ],
  ['windows.assignment', 'available for enrolled devices to the groups in the settings, nothing else'],
  ['windows.install-command', 'the documented install command with its four parameters'],
  ['windows.uninstall-command', 'the documented uninstall command, silent'],
  ['windows.permissions-read-only', 'application permissions that read and do nothing else'],
];

const always = prerequisites.map(({ id, text }) => [prerequisiteCheck(id), text] as const);
const local = [['windows.package', `a folder with exactly ${windows.script} and ${windows.installer}`]] as const;
const expectations = new Map<string, string>([...macos, ...forWindows, ...always, ...local]);

export function prerequisiteCheck(id: string): string {
  return `prerequisite.${id}`;
}

export function expectationOf(check: string): string {
  return expectations.get(check) ?? '';
}

export function isInstrument(check: string): boolean {
  return instrument.has(check);
}
