/** Rules of Jamf Pro: the values of the documented inventory script (docs/coverage.md, section 3), and next steps. */
import type { NextSteps, SourceRules } from '../../core/facts/rules.ts';
import type { Reason } from '../../core/facts/vocabulary.ts';

const byReason = {
  reported:
    'The inventory script ran and did not find the agent. Check that the deployment policy is scoped to this computer and look at its log; then update the inventory (sudo jamf recon).',
  'never-reported':
    'The computer has no value for the extension attribute: it has not updated its inventory since the attribute exists, or its inventory fails. Run sudo jamf recon on it and read the output.',
  unread:
    'Jamf Pro could not return this computer. Open its record in Jamf Pro, and correct or delete what fails there.',
  'unrecognised-value':
    'The value is not one of the documented words: another script answers, or an old one. Compare the extension attribute’s script with muster artifacts, then update the inventory.',
} as const satisfies Partial<Record<Reason, string>>;

/** Reasons that the rules can give; each has a next step. */
export type JamfReason = keyof typeof byReason;

export const jamfNextSteps: NextSteps<JamfReason, 'macos'> = {
  byReason,
  notSeen:
    'Jamf Pro has not heard from the Mac for long, so no policy reaches it. Have its user switch it on and connect it to the internet; if it does not check in then, enrol it again. If the Mac is gone, delete its record in Jamf Pro.',
};

export const jamfRules: SourceRules<JamfReason, 'macos'> = {
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
  // A value is as old as the last inventory report. Servers also move that date without the Mac (through the API,
  // https://github.com/jamf/mut/issues/131), so that it counts as no younger than the last contact.
  ageDates: ['reportedAt', 'lastSeenAt'],
  nextAnswer: 'the Mac’s next inventory report',
  exclusions: [{ because: 'unmanaged', field: 'managementState', is: ['unmanaged'] }],
  listPlaces: [],
  hasServerGroups: true,
};
