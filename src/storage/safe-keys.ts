/** Keys that stay inside their store: the same for a folder and a bucket. */

import { MusterError } from '../base/errors.ts';

/** Whether a key stays in its store, and is none that a store keeps for itself. */
export function isSafeKey(key: string): boolean {
  return key.split('/').every((part) => part !== '' && !part.startsWith('.')) && !/[\\\0]/.test(key);
}

/** Muster makes the keys, so an unsafe one is a bug. */
export function requireSafeKey(key: string): string {
  if (isSafeKey(key)) {
    return key;
  }
  throw new MusterError('unexpected', `Muster cannot store the key ${JSON.stringify(key)}.`);
}

/** Empty for the whole store, or a folder with its slash. */
export function requireSafePrefix(prefix: string): string {
  if (prefix === '' || (prefix.endsWith('/') && isSafeKey(prefix.slice(0, -1)))) {
    return prefix;
  }
  throw new MusterError('unexpected', `Muster cannot list the prefix ${JSON.stringify(prefix)}.`);
}
