/** What verification can find, in one place: the codes, what each means, and what to do. docs/keeping.md lists them. */
import { MusterError } from '../../../errors.ts';

export const damageCodes = {
  'store-pointer-lost':
    'latest.json is missing although runs were published. Restore it from a backup or an older version.',
  'store-damaged': 'The pointer or a manifest is missing, cannot be read, or is not what was published. Restore it.',
  'chain-cut': 'A manifest that a later one names is gone, or one names no run before it. Restore what is missing.',
  'chain-reordered': 'A manifest names a newer run as the one before it. Find out who changed it, and restore it.',
  'pointer-set-back': 'Runs were published after the one that latest.json names. Restore the newer latest.json.',
  'generation-differs': 'The generation in latest.json is not the one that its manifest was published with.',
  'file-missing': 'A file of a run is gone. Restore it.',
  'file-damaged': 'A file of a run is not what was published. Restore it.',
  'copy-missing': 'A copy for readers is gone. The next run makes it again.',
  'copy-differs': 'A copy for readers is not what was published. The next run makes it again.',
  'foreign-file': 'Query engines count a file that no manifest names. Find out who put it there, and remove it.',
  'signature-missing':
    'A manifest or a retraction carries no signature, though an older one does, or none does. Find the alert of that night, or who published it.',
  'signature-invalid':
    'A manifest or a retraction was changed after it was signed, was moved, or was signed by another key. Restore it.',
  'audit-missing': 'The audit store has no copy of a manifest. The next run makes it.',
  'audit-differs': 'A manifest and its copy in the audit store differ: somebody changed one of them.',
  'audit-only': 'The audit store has the manifest of a run that the store does not have. Restore the run.',
  'audit-unreadable': 'The audit store could not be read, so nothing was compared with it.',
  'night-unknown': 'No run of that date is kept.',
} as const satisfies Readonly<Record<string, string>>;

export type DamageCode = keyof typeof damageCodes;

export interface Damage {
  readonly code: DamageCode;
  /** One sentence that names the key. */
  readonly message: string;
}

/** An error of reading as damage; every other error is thrown. */
export function toDamage(error: unknown): Damage {
  if (isDamageError(error)) {
    return {
      code: error.code === 'store-pointer-lost' ? 'store-pointer-lost' : 'store-damaged',
      message: error.message,
    };
  }
  throw error;
}

function isDamageError(error: unknown): error is MusterError {
  return error instanceof MusterError && (error.code === 'store-damaged' || error.code === 'store-pointer-lost');
}

export function formatDamage({ code, message }: Damage): string {
  return `${message} [${code}]`;
}
