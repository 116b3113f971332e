/** Damage that verification can find, in one place: codes, meanings and advice. docs/keeping.md lists them. */

const copyAdvice =
  'The next run repairs those of the current run. Copy an older one by hand, from the folder of its run below runs/.';

export const damageCodes = {
  'log-damaged':
    'The log of commits has a gap, was cut off or changed, or is of another store. No run builds on it. Restore it.',
  'file-missing': 'A file of a run is gone. Restore it.',
  'file-damaged': 'A file of a run is not what was published. Restore it.',
  'copy-missing': `A copy for readers is gone. ${copyAdvice}`,
  'copy-differs': `A copy for readers is not what was published. ${copyAdvice}`,
  'foreign-file':
    'Query engines count a file that no commit names, or people take it for a report. Find out who put it there, and remove it.',
  'signature-missing':
    'A commit carries no signature, though `publicKeys` has a key for its number. No run builds on it. Restore it.',
  'signature-invalid':
    'A commit was changed after it was signed, or signed by a key that does not count at its number. No run builds on it. Restore it.',
  'audit-missing': 'The audit store lacks a commit, and has later ones. Find out what became of it, and copy it there.',
  'audit-differs': 'A commit and its copy in the audit store differ. No run builds on it. Find out which was changed.',
  'audit-only': 'The audit store has a commit that the store lacks. No run builds on the shorter log. Restore it.',
  'audit-unreadable': 'The audit store could not be read, so nothing was compared with it.',
  'night-unknown': 'No run of that date is kept.',
} as const satisfies Readonly<Record<string, string>>;

export type DamageCode = keyof typeof damageCodes;

export interface Damage {
  readonly code: DamageCode;
  /** One sentence that names the key. */
  readonly message: string;
}

export function formatDamage({ code, message }: Damage): string {
  return `${message} [${code}]`;
}
