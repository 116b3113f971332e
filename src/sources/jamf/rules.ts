/** What the values of the documented inventory script mean: docs/coverage.md, section 3. */
import type { SourceRules } from '../../core/facts/rules.ts';
import type { JamfReason } from './next-steps.ts';

export const jamfRules: SourceRules<JamfReason> = {
  kind: 'jamf',
  devicePath: '/computers.html?id={id}&o=r',
  operatingSystems: { macos: 'macOS' },
  words: new Map([
    ['Installed', { status: 'Installed', reason: 'reported', provable: true }],
    ['Not Installed', { status: 'Not Installed', reason: 'reported', provable: true }],
  ]),
  silent: { status: 'Not Installed', reason: 'never-reported', provable: false },
  blank: { status: 'Not Installed', reason: 'never-reported', provable: false },
  other: { status: 'Not Installed', reason: 'unrecognised-value', provable: false },
  ranks: [],
  // A value is as old as the last inventory report. Servers move that date without the Mac (a change through the API
  // does, https://github.com/jamf/mut/issues/131), so it is no younger than the last contact.
  ageDates: ['reportedAt', 'lastSeenAt'],
  exclusions: [{ because: 'unmanaged', field: 'managementState', is: ['unmanaged'] }],
  hasServerGroups: true,
};
