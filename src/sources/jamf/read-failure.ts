/** Why an object of the deployment could not be read, without addresses. */
import { type ReadFailure, toReadFailure } from '../../deployment/finding.ts';
import { hasCode } from './client.ts';

/** Older versions answer a missing permission with 401. */
export function toJamfReadFailure(error: unknown, permission: string): ReadFailure {
  if (hasCode(error, 'permission-missing', 'sign-in-refused')) {
    return toPermissionFailure(permission);
  }
  return toReadFailure(error);
}

export function toPermissionFailure(permission: string): ReadFailure {
  const why = `cannot be read: the privilege "${permission}" is missing`;
  return { is: 'unread', why, advice: `Grant "${permission}" to the account or API client.` };
}
