/** Before anything is kept in a bucket: can it keep the promises? Some that speak S3 take conditions and ignore them. */
import { randomUUID } from 'node:crypto';
import { MusterError } from '../../errors.ts';
import type { Store } from '../store.ts';
import { otherBucketAdvice } from './s3-errors.ts';

/** `store` must take keys that begin with a dot. */
export async function probeBucket(store: Store): Promise<void> {
  const key = `.probe/${randomUUID()}`;
  const absent = `${key}-absent`;
  try {
    await testConditions(store, key, absent);
  } catch (error) {
    // What failed says more than what then could not be removed.
    for (const left of [key, absent]) {
      await store.remove(left).catch(() => undefined);
    }
    throw error;
  }
  await store.remove(key);
}

async function testConditions(store: Store, key: string, absent: string): Promise<void> {
  if ((await store.read(absent)) !== undefined) {
    throw createUnsuitedBucketError(store, 'it holds keys that nobody wrote');
  }
  await store.create(key, Buffer.from('first'));
  if (await canCreate(store, key, 'second')) {
    throw createUnsuitedBucketError(store, 'a key could be created twice');
  }
  const first = await store.read(key);
  if (first?.body.toString() !== 'first') {
    throw createUnsuitedBucketError(store, 'what was written is not what is read');
  }
  if (await store.swap(absent, Buffer.from('third'), first.version)) {
    throw createUnsuitedBucketError(store, 'a condition on what a key holds is met by a key that is absent');
  }
  if (!(await store.swap(key, Buffer.from('fourth'), first.version))) {
    throw createUnsuitedBucketError(store, 'a condition that is met counts as not met');
  }
  if (await store.swap(key, Buffer.from('fifth'), first.version)) {
    throw createUnsuitedBucketError(store, 'a condition on what a key holds is ignored');
  }
  if ((await store.read(key))?.body.toString() !== 'fourth') {
    throw createUnsuitedBucketError(store, 'a write that was refused was done all the same');
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
  return new MusterError('store-unsuited', `${name} cannot keep runs safe: ${why}. ${otherBucketAdvice}`);
}
