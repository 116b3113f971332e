/** Tests conditional writes before anything is stored: some S3-compatible servers accept conditions and ignore them. */
import { randomUUID } from 'node:crypto';
import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { MusterError } from '../../base/errors.ts';
import { otherBucketAdvice } from './s3-errors.ts';
import { listKeys, readObject } from './s3-read.ts';
import { attemptRequest, type S3Connection, toBucketAndKey } from './s3-request.ts';
import { writeObject } from './s3-write.ts';

export async function probeBucket(connection: S3Connection): Promise<void> {
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
    // A place where nothing can be removed can hold runs all the same; retention says so when it matters.
    const step = { doing: 'Removing', key, action: 's3:DeleteObject' };
    const command = new DeleteObjectCommand(toBucketAndKey(connection, key));
    await attemptRequest(connection, step, connection.client.send(command));
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
  if (first?.body.toString() !== 'first') {
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
