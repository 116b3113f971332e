/** Tests conditional writes before anything is stored: some S3-compatible servers accept conditions and ignore them. */
import { randomUUID } from 'node:crypto';
import { MusterError } from '../../errors.ts';
import type { Store } from '../store.ts';
import { otherBucketAdvice } from './s3-errors.ts';

/** `store` must accept keys that begin with a dot. */
export async function probeBucket(store: Store): Promise<void> {
  const key = `.probe/${randomUUID()}`;
  const absent = `${key}-absent`;
  try {
    await testConditions(store, key, absent);
  } catch (error) {
    // The first error says more than one from removing the keys.
    for (const left of [key, absent]) {
      await store.remove(left).catch(() => undefined);
    }
    throw error;
  }
  // A place where nothing can be removed can hold runs all the same; retention says so when it matters.
  await store.remove(key).catch(() => undefined);
}

async function testConditions(store: Store, key: string, absent: string): Promise<void> {
  if ((await store.read(absent)) !== undefined) {
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
  if (await store.swap(absent, Buffer.from('third'), first.version)) {
    throw createUnsuitedBucketError(store, 'a version condition (If-Match) is met by a key that does not exist');
  }
  if (!(await store.swap(key, Buffer.from('fourth'), first.version))) {
    throw createUnsuitedBucketError(store, 'a condition that is met is refused');
  }
  if (await store.swap(key, Buffer.from('fifth'), first.version)) {
    throw createUnsuitedBucketError(store, 'a version condition (If-Match) is ignored');
  }
  if ((await store.read(key))?.body.toString() !== 'fourth') {
    throw createUnsuitedBucketError(store, 'a refused write was still done');
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
