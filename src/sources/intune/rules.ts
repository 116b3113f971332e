/**
 * What Intune's values mean. InstallState is `resultantAppState`:
 * https://learn.microsoft.com/graph/api/resources/intune-shared-resultantappstate
 */
import type { SourceRules, Verdict } from '../../core/facts/rules.ts';
import type { IntuneReason } from './next-steps.ts';

const unknownState: Verdict<IntuneReason> = { status: 'Not Installed', reason: 'state-unknown', provable: false };

export const intuneRules: SourceRules<IntuneReason> = {
  kind: 'intune',
  devicePath: '/#view/Microsoft_Intune_Devices/DeviceSettingsMenuBlade/~/overview/mdmDeviceId/{id}',
  operatingSystems: { windows: 'Windows' },
  words: new Map<string, Verdict<IntuneReason>>([
    ['1', { status: 'Installed', reason: 'reported', provable: true }],
    ['2', { status: 'Not Installed', reason: 'install-failed', provable: true }],
    ['3', { status: 'Not Installed', reason: 'reported', provable: true }],
    // An uninstall failed and the file still exists.
    ['4', { status: 'Installed', reason: 'uninstall-failed', provable: false }],
    ['5', { status: 'Not Installed', reason: 'install-pending', provable: true }],
    // A requirement was not met, so the detection rule was never evaluated.
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
  // Rows are per device and user, and speak about one file: whoever looked at it last knows.
  ranks: [['1', '2', '3', '4'], ['5'], ['-1']],
  // Microsoft does not document how often Intune evaluates the rule: the device's last sync bounds the age of its rows.
  ageDates: ['lastSeenAt'],
  answerLimits: { maximumAge: 'windowsStateMaxAgeDays', repair: 'windowsRepairDays' },
  exclusions: [
    { because: 'unmanaged', field: 'managementState', is: ['discovered'] },
    {
      because: 'retiring',
      field: 'managementState',
      is: ['retirePending', 'retireIssued', 'wipePending', 'wipeIssued', 'deletePending'],
    },
    // Records that cannot receive apps.
    { because: 'not-manageable', field: 'managementAgent', is: ['msSense', 'configurationManagerClient'] },
    { because: 'personal', field: 'ownership', is: ['personal'], onlyCompany: true },
  ],
  hasServerGroups: false,
};
