/** What to do next about a computer of Jamf Pro, by reason. */
import type { NextSteps } from '../../core/facts/next-steps.ts';
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

/** The rules give no other: a reason without a step does not compile. */
export type JamfReason = keyof typeof byReason;

export const jamfNextSteps: NextSteps<JamfReason> = { byReason };
