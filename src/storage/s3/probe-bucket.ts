/** Tests conditional writes before anything is stored: some S3-compatible servers accept conditions and ignore them. */
import { randomUUID } from 'node:crypto';
import { MusterError } from '../../base/errors.ts';
import type { Store } from '../store.ts';
import { otherBucketAdvice } from './s3-errors.ts';

/** `store` must accept keys that begin with a dot. */
export async function probeBucket(store: Store): Promise<void> {
  const key = `.probe/${randomUUID()}`;
  try {
    await testConditions(store, key);
  } catch (error) {
    // The first error says more than one from removing the key.
    await store.remove(key).catch(() => undefined);
    throw error;
  }
  // A place where nothing can be removed can hold runs all the same; retention says so when it matters.
  await store.remove(key).catch(() => undefined);
}

async function testConditions(store: Store, key: string): Promise<void> {
  if ((await store.read(key)) !== undefined) {
    throw createUnsuitedBucketError(store, 'it returns an object that was never written');
  }
  await store.create(key, Buffer.from('first'));
  if (await canCreate(store, key, 'second')) {
    throw createUnsuitedBucketError(store, 'a key could be created twice');
  }
  const first = await store.read(key);
  if (first?.body.toString() !== 'first') {
    throw createUnsuitedBucketError(store, 'it does not return what was written');
  }
  for await (const _key of store.list('')) {
    break;
  }
}

async function canCreate(store: Store, key: string, text: string): Promise<boolean> {
  try {
    await store.create(key, Buffer.from(text));
    return true;
  } catch (error) {
    if (error instanceof MusterError && error.code === 'key-taken') {
      return false;
    }
    throw error;
  }
}

function createUnsuitedBucketError({ name }: Store, why: string): MusterError {
  return new MusterError('store-unsuited', `${name} cannot store runs safely: ${why}. ${otherBucketAdvice}`);
}
