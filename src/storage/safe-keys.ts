/** Keys that stay inside their store: the same for a folder and a bucket. */

import { MusterError } from '../base/errors.ts';

/** Whether a key stays inside its store, outside the folders that stores reserve. */
export function isSafeKey(key: string): boolean {
  return key.split('/').every((part) => part !== '' && !part.startsWith('.')) && !/[\\\0]/.test(key);
}

/** Throws for an unsafe key, which is a bug, since Muster makes all keys. */
export function requireSafeKey(key: string): string {
  if (isSafeKey(key)) {
    return key;
  }
  throw new MusterError('unexpected', `Muster cannot store the key ${JSON.stringify(key)}.`);
}

/** Throws unless the prefix is empty, for the whole store, or a safe folder with its slash. */
export function requireSafePrefix(prefix: string): string {
  if (prefix === '' || (prefix.endsWith('/') && isSafeKey(prefix.slice(0, -1)))) {
    return prefix;
  }
  throw new MusterError('unexpected', `Muster cannot list the prefix ${JSON.stringify(prefix)}.`);
}
