/**
 * Rules of Intune: the meaning of its values, and the next step for a device. InstallState is `resultantAppState`:
 * https://learn.microsoft.com/graph/api/resources/intune-shared-resultantappstate
 */
import type { NextSteps, SourceRules, Verdict } from '../../core/facts/rules.ts';
import type { Reason } from '../../core/facts/vocabulary.ts';

const byReason = {
  reported:
    'Intune looked and did not find the agent. Check that the device or its user is in an assigned group, and install it from the Company Portal.',
  'never-reported':
    'Not offered, or not answered yet: Intune has no result for the app. Check that the app is assigned to the device or its user, then sync the device; where it is, look at its Intune Management Extension.',
  'managed-elsewhere':
    'Configuration Manager delivers the apps of this co-managed device, so Intune does not look at it. Install the agent from there, or move the Client apps workload to Intune.',
  unread:
    'Intune could not return this device. Open its record in Intune; where that fails too, ask Microsoft’s support.',
  'uninstall-failed':
    'An uninstall failed and the agent is still there. Decide which of the two is meant, then repeat it.',
  'install-failed':
    'The installation failed. Read the Intune Management Extension’s log on the device, correct the cause, and try again from the Company Portal.',
  'install-pending':
    'Intune has not finished installing. Let the device stay on and sync; look again after the next run.',
  'not-applicable':
    'A requirement of the app is not met (architecture, version of the system, disk space), so nobody looked for the agent. Compare the app’s requirements with this device.',
  'state-unknown':
    'Intune itself does not know the state. Sync the device; if it stays so, look at its Management Extension.',
} as const satisfies Partial<Record<Reason, string>>;

/** Reasons that the rules can give; each has a next step. */
export type IntuneReason = keyof typeof byReason;

const notFound = 'A file or folder was not found: check the package’s content and its install command.';
const installerFailed = 'The installer itself failed (1603): read its log on the device.';

export const intuneNextSteps: NextSteps<IntuneReason, 'windows'> = {
  byReason,
  notSeen:
    'Intune has not heard from the device for long, so no installation reaches it. Have its user switch it on and sync it; if it does not sync, enrol it again. If the device is gone, delete it in Intune.',
  beforeInstrument:
    'The device was last in contact before the app was created, so Intune could not look yet. Bring it online and sync it.',
  byCode: {
    '0x87D1041C':
      'Installed, but not detected afterwards: look at the detection rule, and at where the installer puts the file.',
    '0x80070643': installerFailed,
    1603: installerFailed,
    '0x80070005': 'Access was denied: the installer needs the system context, or a security product stopped it.',
    '0x80070002': notFound,
    '0x80070003': notFound,
  },
};

const unknownState: Verdict<IntuneReason> = { status: 'Not Installed', reason: 'state-unknown', provable: false };

export const intuneRules: SourceRules<IntuneReason, 'windows'> = {
  kind: 'intune',
  devicePath: '/#view/Microsoft_Intune_Devices/DeviceSettingsMenuBlade/~/overview/mdmDeviceId/{id}',
  operatingSystems: { windows: 'Windows' },
  words: new Map<string, Verdict<IntuneReason>>([
    ['1', { status: 'Installed', reason: 'reported', provable: true }],
    ['2', { status: 'Not Installed', reason: 'install-failed', provable: true }],
    ['3', { status: 'Not Installed', reason: 'reported', provable: true }],
    // An uninstall failed, so that the file still exists.
    ['4', { status: 'Installed', reason: 'uninstall-failed', provable: false }],
    ['5', { status: 'Not Installed', reason: 'install-pending', provable: true }],
    // A requirement was not met, so that the detection rule was never evaluated.
    ['-1', { status: 'Not Installed', reason: 'not-applicable', provable: false }],
    ['99', unknownState],
  ]),
  silent: { status: 'Not Installed', reason: 'never-reported', provable: false },
  blank: unknownState,
  other: unknownState,
  elsewhere: {
    workload: 'configurationManager',
    verdict: { status: 'Not Installed', reason: 'managed-elsewhere', provable: false },
  },
  // Rows are per device and user, and concern one file, so that the newest outcome decides.
  ranks: [['1', '2', '3', '4'], ['5'], ['-1']],
  // Microsoft does not document how often Intune evaluates the rule; the device's last sync bounds the age of its rows.
  ageDates: ['lastSeenAt'],
  answerLimits: { maximumAge: 'windowsStateMaxAgeDays', repair: 'windowsRepairDays' },
  nextAnswer: 'a newer answer from Intune',
  exclusions: [
    { because: 'unmanaged', field: 'managementState', is: ['discovered'] },
    {
      because: 'retiring',
      field: 'managementState',
      is: ['retirePending', 'retireIssued', 'wipePending', 'wipeIssued', 'deletePending'],
    },
    // Records of devices that cannot receive apps.
    { because: 'not-manageable', field: 'managementAgent', is: ['msSense', 'configurationManagerClient'] },
    { because: 'personal', field: 'ownership', is: ['personal'], onlyCompany: true },
  ],
  listPlaces: ['site', 'department'],
  hasServerGroups: false,
};
