/**
 * A store in an S3 bucket. The bucket's own configuration sets versions, encryption, lifecycle and TLS; requests do not.
 */
import { randomUUID } from 'node:crypto';
import { CopyObjectCommand, DeleteObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { MusterError } from '../../base/errors.ts';
import type { Clock } from '../../http/clock.ts';
import { isSafeKey, requireSafeKey, requireSafePrefix } from '../safe-keys.ts';
import type { Store } from '../store.ts';
import { otherBucketAdvice } from './s3-errors.ts';
import { createObjectDamageError, digestObject, listKeys, readObject, streamObject } from './s3-read.ts';
import {
  createS3Client,
  findAnswer,
  repeatPassingRefusals,
  reportServerDates,
  requireAnswer,
  type S3Connection,
  type S3Location,
  toBucketAndKey,
  toFullKey,
} from './s3-request.ts';
import { writeObject } from './s3-write.ts';

export interface S3StoreOptions extends Pick<Clock, 'onServerDate'> {
  readonly client?: S3Client;
}

/** Parses `s3://bucket/some/prefix`; undefined for any other text. */
export function parseS3Uri(uri: string): S3Location | undefined {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(\/.*)?$/.exec(uri) ?? [];
  const prefix = path.replace(/^\/|\/$/g, '');
  if (bucket === undefined || (prefix !== '' && !isSafeKey(prefix))) {
    return undefined;
  }
  return { bucket, prefix };
}

export function createS3Store(location: S3Location, options: S3StoreOptions = {}): Store {
  const { client = createS3Client(), onServerDate } = options;
  const { bucket, prefix } = location;
  const address = `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`;
  const connection: S3Connection = { bucket, prefix, address, client };
  repeatPassingRefusals(client);
  if (onServerDate !== undefined) {
    reportServerDates(connection, onServerDate);
  }
  return {
    name: address,
    probe: () => probeBucket(connection),
    read: async (key, maximumBytes) => readObject(connection, requireSafeKey(key), maximumBytes),
    stream: (key, bytes) => streamObject(connection, requireSafeKey(key), bytes),
    digest: async (key, bytes) => digestObject(connection, requireSafeKey(key), bytes),
    list: (start, after) => listKeys(connection, requireSafePrefix(start), after),
    create: async (key, body) => writeObject(connection, requireSafeKey(key), body, { isNew: true }),
    put: async (key, body) => writeObject(connection, requireSafeKey(key), body, { isNew: false }),
    copy: async (from, to) => copyObject(connection, requireSafeKey(from), requireSafeKey(to)),
    remove: async (key) => removeObject(connection, requireSafeKey(key)),
  };
}

async function copyObject(connection: S3Connection, from: string, to: string): Promise<void> {
  const step = { doing: `Copying ${from} to`, key: to, action: 's3:PutObject' };
  const source = `${connection.bucket}/${toFullKey(connection, from)}`.split('/').map(encodeURIComponent).join('/');
  const command = new CopyObjectCommand({
    ...toBucketAndKey(connection, to),
    CopySource: source,
    ChecksumAlgorithm: 'SHA256',
  });
  if ((await findAnswer(connection, step, connection.client.send(command))) === undefined) {
    throw createObjectDamageError(connection, from, 'is missing');
  }
}

async function removeObject(connection: S3Connection, key: string): Promise<void> {
  const step = { doing: 'Removing', key, action: 's3:DeleteObject' };
  const command = new DeleteObjectCommand(toBucketAndKey(connection, key));
  await requireAnswer(connection, step, connection.client.send(command));
}

/** Tests conditional writes before anything is stored: some S3-compatible servers accept conditions and ignore them. */
async function probeBucket(connection: S3Connection): Promise<void> {
  const key = `.probe/${randomUUID()}`;
  try {
    const failing = await findFailure(connection, key);
    if (failing !== undefined) {
      throw new MusterError(
        'store-unsuited',
        `${connection.address} cannot store runs safely: ${failing}. ${otherBucketAdvice}`,
      );
    }
  } finally {
    // A place where nothing can be removed can still hold runs; retention reports it when it has to remove something.
    await removeObject(connection, key).catch(() => undefined);
  }
}

async function findFailure(connection: S3Connection, key: string): Promise<string | undefined> {
  if ((await readObject(connection, key)) !== undefined) {
    return 'it returns an object that was never written';
  }
  await writeObject(connection, key, Buffer.from('first'), { isNew: true });
  if (await canCreate(connection, key)) {
    return 'a key could be created twice';
  }
  const first = await readObject(connection, key);
  if (first?.toString() !== 'first') {
    return 'it does not return what was written';
  }
  for await (const _key of listKeys(connection, '')) {
    break;
  }
  return undefined;
}

async function canCreate(connection: S3Connection, key: string): Promise<boolean> {
  try {
    await writeObject(connection, key, Buffer.from('second'), { isNew: true });
    return true;
  } catch (error) {
    if (error instanceof MusterError && error.code === 'key-taken') {
      return false;
    }
    throw error;
  }
}
