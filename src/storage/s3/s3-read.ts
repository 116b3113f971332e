/** Reads objects from S3. A broken download resumes; a body that differs from its checksum is an error. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { GetObjectCommand, type GetObjectCommandOutput, type HeadObjectCommandOutput } from '@aws-sdk/client-s3';
import { MusterError } from '../../base/errors.ts';
import type { StoredObject } from '../store.ts';
import { isChecksumMismatch, type S3Operation, toS3Refusal } from './s3-errors.ts';
import { attemptRequest, headObject, isMissing, type S3Connection, toBucketAndKey } from './s3-request.ts';

const maximumReadTries = 3;

export async function readObject(connection: S3Connection, key: string): Promise<StoredObject | undefined> {
  const step = toReadOperation(key);
  for (let tries = 1; ; tries += 1) {
    const outcome = await attemptRequest(connection, step, () => getObject(connection, key));
    if ('refusal' in outcome) {
      if (isMissing(outcome.refusal)) {
        return undefined;
      }
      throw outcome.refusal.error;
    }
    const { Body, LastModified = new Date(0) } = outcome.answer;
    try {
      const body = Buffer.from((await Body?.transformToByteArray()) ?? []);
      return { body, writtenAt: LastModified };
    } catch (error) {
      if (tries === maximumReadTries) {
        throw toReadError(connection, step, error);
      }
    }
  }
}

export async function* streamObject(connection: S3Connection, key: string): AsyncGenerator<Buffer> {
  const step = toReadOperation(key);
  const hash = createHash('sha256');
  let at = 0;
  let whole: GetObjectCommandOutput | undefined;
  for (let tries = 1; ; tries += 1) {
    const rest = whole === undefined ? {} : { Range: `bytes=${at}-`, IfMatch: whole.ETag };
    const outcome = await attemptRequest(connection, step, () => getObject(connection, key, rest));
    if ('refusal' in outcome) {
      if (isMissing(outcome.refusal)) {
        throw createObjectDamageError(connection, key, 'is missing');
      }
      throw outcome.refusal.error;
    }
    whole ??= outcome.answer;
    let broken: unknown;
    try {
      for await (const piece of outcome.answer.Body as Readable) {
        hash.update(piece);
        at += piece.length;
        yield piece;
      }
    } catch (error) {
      broken = error;
    }
    if (!isChecksumMismatch(broken) && at === whole.ContentLength) {
      break;
    }
    if (isChecksumMismatch(broken) || tries === maximumReadTries) {
      throw toReadError(connection, step, broken);
    }
  }
  const expected = readWholeSha256(whole);
  if (expected !== undefined && hash.digest('hex') !== expected) {
    throw createObjectDamageError(connection, key, 'is damaged');
  }
}

export async function digestObject(connection: S3Connection, key: string): Promise<string | undefined> {
  const wanted = { ...toBucketAndKey(connection, key), ChecksumMode: 'ENABLED' } as const;
  const outcome = await headObject(connection, toReadOperation(key), wanted);
  if ('refusal' in outcome) {
    if (isMissing(outcome.refusal)) {
      return undefined;
    }
    throw outcome.refusal.error;
  }
  const kept = readWholeSha256(outcome.answer);
  if (kept !== undefined) {
    return kept;
  }
  const hash = createHash('sha256');
  for await (const piece of streamObject(connection, key)) {
    hash.update(piece);
  }
  return hash.digest('hex');
}

/** S3's own SHA-256 of the object, as hex; undefined for an object uploaded in parts. */
function readWholeSha256(answer: Pick<HeadObjectCommandOutput, 'ChecksumSHA256' | 'ChecksumType'>): string | undefined {
  const { ChecksumSHA256: kept, ChecksumType: type } = answer;
  if (kept === undefined || kept.includes('-') || type === 'COMPOSITE') {
    return undefined;
  }
  return Buffer.from(kept, 'base64').toString('hex');
}

function getObject(connection: S3Connection, key: string, rest: { Range?: string; IfMatch?: string | undefined } = {}) {
  return connection.client.send(
    new GetObjectCommand({ ...toBucketAndKey(connection, key), ...rest, ChecksumMode: 'ENABLED' }),
  );
}

function toReadOperation(key: string): S3Operation {
  return { doing: 'Reading', key, action: 's3:GetObject' };
}

function toReadError(connection: S3Connection, step: S3Operation, error: unknown): MusterError {
  if (isChecksumMismatch(error)) {
    return createObjectDamageError(connection, step.key, 'is damaged: it differs from the checksum that S3 has for it');
  }
  return toS3Refusal(error, step, connection.address).error;
}

export function createObjectDamageError(connection: S3Connection, key: string, how: string): MusterError {
  return new MusterError('store-damaged', `${key} ${how} in ${connection.address}. Run muster verify.`);
}
