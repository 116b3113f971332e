import { MusterError } from '../../src/base/errors.ts';
import type { Store } from '../../src/storage/store.ts';

/** Adds the next number to a log, as a commit is added; false when somebody else was first. */
export async function addOne(store: Store, name: string): Promise<boolean> {
  const number = (await countIn(store)) + 1;
  try {
    await store.create(`commits/${String(number).padStart(4, '0')}`, Buffer.from(name));
    return true;
  } catch (error) {
    if (error instanceof MusterError && error.code === 'key-taken') {
      return false;
    }
    throw error;
  }
}

/** The numbers there are; none is missing. */
export async function countIn(store: Store): Promise<number> {
  const keys = await Array.fromAsync(store.list('commits/'));
  if (keys.some((key, index) => Number(key.slice('commits/'.length)) !== index + 1)) {
    throw new Error(`a number is missing: ${keys.join(', ')}`);
  }
  return keys.length;
}
