/** Why something of the deployment could not be read, in words that hold no address. */
import type { ReadFailure } from '../../deployment/finding.ts';
import { MusterError } from '../../errors.ts';
import { hasCode } from './client.ts';

/** Never the error's own words: they hold addresses. Older versions answer a missing permission with 401. */
export function toReadFailure(error: unknown, permission: string): ReadFailure {
  if (hasCode(error, 'permission-missing', 'sign-in-refused')) {
    return toPermissionFailure(permission);
  }
  const code = error instanceof MusterError ? error.code : 'unexpected';
  return {
    is: 'unread',
    why: `could not be read [${code}]`,
    advice: 'Run again; the README says what the code means.',
  };
}

export function toPermissionFailure(permission: string): ReadFailure {
  const why = `may not be read: the privilege "${permission}" is missing`;
  return { is: 'unread', why, advice: `Grant "${permission}" to the account or API client.` };
}
