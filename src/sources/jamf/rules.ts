/** What the values of the documented inventory script mean: docs/coverage.md, section 3. */
import type { SourceRules } from '../../core/rules.ts';

export const jamfRules: SourceRules = {
  kind: 'jamf',
  platforms: { macos: 'macOS' },
  words: new Map([
    ['Installed', { status: 'Installed', reason: 'reported', provable: true }],
    ['Not Installed', { status: 'Not Installed', reason: 'reported', provable: true }],
  ]),
  silent: { status: 'Not Installed', reason: 'never-reported', provable: false },
  blank: { status: 'Not Installed', reason: 'never-reported', provable: false },
  other: { status: 'Not Installed', reason: 'unrecognised-value', provable: false },
  winning: [],
  // A value is as old as the last inventory report; a check-in renews only the contact time.
  age: 'reportedAt',
  answerAges: false,
  exclusions: [{ because: 'unmanaged', field: 'managementState', is: ['unmanaged'] }],
  platformGroups: true,
};
