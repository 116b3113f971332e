/** What to do about a device that needs action, by the kind of its source; and what the error codes of Windows mean. */
import type { Reason } from '../../../../core/facts/vocabulary.ts';

const nextSteps: Readonly<Record<string, Readonly<Record<Reason, string>>>> = {
  jamf: {
    reported:
      'The inventory script ran and did not find the agent. Check that the deployment policy is scoped to this Mac and look at its log; then update the inventory (sudo jamf recon).',
    'never-reported':
      'The Mac has no value for the extension attribute: it has not updated its inventory since the attribute exists, or its inventory fails. Run sudo jamf recon on it and read the output.',
    'managed-elsewhere': 'Install the agent with the service that delivers the apps of this Mac.',
    unread:
      'Jamf Pro could not return this computer. Open its record in Jamf Pro, and mend or delete what fails there.',
    'unrecognised-value':
      'The value is not one of the documented words: another script answers, or an old one. Compare the extension attribute’s script with muster artifacts, then update the inventory.',
    'uninstall-failed': 'Look at the log of the uninstall on the Mac.',
    'install-failed': 'Look at the log of the deployment policy on the Mac.',
    'install-pending': 'Wait for the next check-in of the Mac.',
    'not-applicable': 'Check the scope of the deployment policy.',
    'state-unknown': 'Update the inventory of the Mac.',
  },
  intune: {
    reported:
      'Intune looked and did not find the agent. Check that the device or its user is in an assigned group, and install it from the Company Portal.',
    'never-reported':
      'Intune has no result for the app: the app is not assigned to the device or its user, or the Intune Management Extension has not reported yet. Check the assignment, then sync the device.',
    'managed-elsewhere':
      'Configuration Manager delivers the apps of this co-managed device, so Intune does not look at it. Install the agent from there, or move the Client apps workload to Intune.',
    unread:
      'Intune could not return this device. Open its record in Intune; where that fails too, ask Microsoft’s support.',
    'unrecognised-value':
      'Intune gave a state that is not documented. Look at the app’s install status of this device in Intune.',
    'uninstall-failed':
      'An uninstall failed and the agent is still there. Decide which of the two is meant, then repeat it.',
    'install-failed':
      'The installation failed. Read the Intune Management Extension’s log on the device, mend the cause, and try again from the Company Portal.',
    'install-pending':
      'Intune has not finished installing. Let the device stay on and sync; look again after the next run.',
    'not-applicable':
      'A requirement of the app is not met (architecture, Windows version, disk space), so nobody looked for the agent. Compare the app’s requirements with this device.',
    'state-unknown':
      'Intune itself does not know the state. Sync the device; if it stays so, look at its Management Extension.',
  },
};

/** Codes that the details of a failed installation name. */
const errorSteps: readonly (readonly [code: RegExp, step: string])[] = [
  [
    /0x87D1041C/i,
    'Installed, but not detected afterwards: look at the detection rule, and at where the installer puts the file.',
  ],
  [/0x80070643|\b1603\b/i, 'The installer itself failed (1603): read its log on the device.'],
  [/0x80070005/i, 'Access was denied: the installer needs the system context, or a security product stopped it.'],
  [/0x80070002|0x80070003/i, 'A file or folder was not found: check the package’s content and its install command.'],
];

/** Nothing for a kind that has no steps of its own: another platform's advice would be wrong. */
export function findNextStep(kind: string, reason: string, detail: string | undefined): string | undefined {
  const known = errorSteps.find(([code]) => detail !== undefined && code.test(detail));
  if (known !== undefined) {
    return known[1];
  }
  const steps = Object.hasOwn(nextSteps, kind) ? nextSteps[kind] : undefined;
  return steps !== undefined && Object.hasOwn(steps, reason) ? steps[reason as Reason] : undefined;
}
