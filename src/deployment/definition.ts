/**
 * The deployment interface as data, with the sections of its document (docs/coverage.md). Checks and artifacts use only
 * this data; the document's gaps are left open here.
 */

/** Ways in which the service identifies its users: by e-mail address or through a directory. */
export const identityModes = ['email', 'directory'] as const;
export type IdentityMode = (typeof identityModes)[number];

/** Section 1.3, "Smart groups for installed and missing agent", and section 3. */
export const attribute = {
  dataType: 'STRING',
  inputType: 'SCRIPT',
  present: 'Installed',
  absent: 'Not Installed',
} as const;

/** Section 1.3: the files that need access, and the default folder of the application. */
export const macosFiles = {
  applications: '/Applications',
  agent: '/usr/local/fhfs/bin/fhagent',
  /** Needed only when users run its commands. */
  tools: '/usr/local/fhfs/bin/fhtools',
} as const;

/** Section 4, and section 1.3 for the file names of the downloads. */
export const downloads = {
  package: { path: '/download/mac/fhfs.pkg', savedAs: 'fhfs.pkg' },
  bundle: { path: '/download/mac/resources/bundle.dat', savedAs: 'bundle.tar.gz' },
  folder: '/private/var/tmp/fhfs',
  target: '/',
} as const;

/** Section 1.3, the parameters of the e-mail-based script. */
export const scriptParameters = [
  { number: 4, name: 'mdmUser', content: 'platform administrative account, read-only access' },
  { number: 5, name: 'mdmPass', content: 'password of that account' },
  { number: 6, name: 'mdmHost', content: 'platform server URL without https://' },
  { number: 7, name: 'serviceHost', content: 'service server URL without https://' },
  { number: 8, name: 'apiKey', content: 'service API key of an administrator who can invite and confirm users' },
  { number: 9, name: 'circleId', content: 'circle used for the initial invitation' },
] as const;

/** Section 1.3: the script of the e-mail-based identity. */
export const emailScript = { name: 'enroll.sh' } as const;

/** Section 1.2, "Commands and detection". */
export const windows = {
  powershell: '%SystemRoot%\\sysnative\\WindowsPowerShell\\v1.0\\powershell.exe',
  executionPolicy: 'bypass',
  script: 'Install-Agent.ps1',
  installer: 'fhfs.exe',
  /** The one role that the document shows; others exist. */
  role: 'operator',
  /** Parameters: the service's address, an administrator's API key, the circle, the user's role. */
  parameters: ['-fqdn', '-ApiKey', '-circleid', '-MemberRoleId'],
  programs: 'C:\\Program Files (x86)',
  uninstaller: 'uninstall.exe',
  uninstallSwitch: '/S',
  detection: { path: 'C:\\Windows\\System32\\drivers', file: 'fhfs.sys' },
  intent: 'available',
  assignmentType: 'Available for enrolled devices',
  logs: 'C:\\ProgramData\\<platform_folder>\\Logs',
  roles: ['Global administrator', 'service administrator of the Windows platform'],
} as const;

/** Section 1.2, "Adding the app": the document's own steps, which go through the Office suite. */
export const officeSteps = [
  'Apps > All apps > Add.',
  'Choose the Windows 10 entry in the Office 365 suite section of the app type pane, then Select.',
  'Accept the default details on the app suite information page, then Next.',
  'On the configure app suite page set Update Channel to `Monthly`; accept the other defaults; Next.',
  'On the scope tags page, optionally select scope tags; Next.',
  'On the assignments page select group assignments; Next.',
  'Review + create, then Create.',
] as const;

/** Prerequisites of section 1.1, in its order. */
export const prerequisites = [
  { id: 'directory-configured', mode: 'directory', text: 'the identity directory is configured with the service' },
  { id: 'circles-configured', mode: 'directory', text: 'the configuration is applied to circles' },
  { id: 'directory-agent', mode: 'directory', text: 'the directory-aware agent is downloaded' },
  { id: 'user-exists', mode: 'email', text: 'a user exists' },
  { id: 'group-exists', mode: 'email', text: 'a group exists' },
  { id: 'device-enrolled', mode: 'email', text: 'a device is enrolled' },
  { id: 'api-key', mode: 'email', text: 'an API key for the service has been obtained' },
  { id: 'circle-id', mode: 'email', text: 'a circle id has been obtained' },
  { id: 'install-script', mode: 'email', text: 'the install script Install-Agent.ps1 has been downloaded' },
  { id: 'agent-installer', mode: 'email', text: 'the agent installer is downloaded and renamed to fhfs.exe' },
] as const satisfies readonly { readonly id: string; readonly mode: IdentityMode; readonly text: string }[];

export type Prerequisite = (typeof prerequisites)[number];

/** Placeholders that an administrator replaces where the value is entered; Muster never does. */
export const placeholders = {
  user: '<MDM_USER>',
  password: '<MDM_PASSWORD>',
  apiKey: '<API_KEY>',
  service: '<SERVER_URL>',
  circle: '<CIRCLE_ID>',
  role: '<ROLE>',
  team: '<TEAM_IDENTIFIER>',
  vendor: '<VENDOR_FOLDER>',
  platform: '<PLATFORM_FOLDER>',
  application: '<APPLICATION_FOLDER>',
  jamf: '<JAMF_PRO_URL>',
} as const;

const known = Object.values(placeholders).map((text) => text.toLowerCase());

/**
 * Whether a value contains a placeholder of the deployment interface, of Muster, or of others: a word in angle brackets
 * or braces. Jamf Pro can return angle brackets with one layer of entities too many.
 */
export function isPlaceholder(value: string): boolean {
  const text = value.replaceAll('&lt;', '<').replaceAll('&gt;', '>').trim().toLowerCase();
  return /^<[^<>]+>$|^\$?\{[^{}]+\}$/.test(text) || known.some((one) => text.includes(one));
}
