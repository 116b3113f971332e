/** Reads objects from S3. A broken download resumes; a body that differs from its checksum is an error. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import { MusterError } from '../../base/errors.ts';
import { computeSha256OfPieces } from '../../base/sha256.ts';
import { describeTooLarge, findLongestRead, findSizeProblem, foreignDigest } from '../bounds.ts';
import { isSafeKey } from '../safe-keys.ts';
import { isChecksumMismatch, type S3Operation, toS3Refusal } from './s3-errors.ts';
import { findAnswer, type S3Connection, toBucketAndKey, toFullKey } from './s3-request.ts';

const maximumReadTries = 3;

export async function readObject(connection: S3Connection, key: string, wanted?: number): Promise<Buffer | undefined> {
  const longest = findLongestRead(key, wanted);
  for (let tries = 1; ; tries += 1) {
    const answer = await findObject(connection, key);
    if (answer === undefined) {
      return undefined;
    }
    try {
      const body = (answer.ContentLength ?? 0) > longest ? abandon(answer) : await collectBody(answer, longest);
      if (body === undefined) {
        throw createObjectDamageError(connection, key, `is damaged: ${describeTooLarge(longest)}`);
      }
      return body;
    } catch (error) {
      if (tries === maximumReadTries || error instanceof MusterError) {
        throw toReadError(connection, key, error);
      }
    }
  }
}

/** Undefined where the body is longer than allowed, which its stated length may not show. */
async function collectBody(answer: GetObjectCommandOutput, longest: number): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of (answer.Body ?? []) as Readable) {
    size += piece.length;
    if (size > longest) {
      return undefined;
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Closes the connection without reading the body. */
function abandon({ Body: body }: GetObjectCommandOutput): undefined {
  (body as Readable | undefined)?.destroy();
}

export async function* streamObject(connection: S3Connection, key: string, bytes?: number): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let at = 0;
  let whole: GetObjectCommandOutput | undefined;
  for (let tries = 1; ; tries += 1) {
    const rest = whole === undefined ? {} : { Range: `bytes=${at}-`, IfMatch: whole.ETag };
    const answer = await findObject(connection, key, rest);
    if (answer === undefined) {
      throw createObjectDamageError(connection, key, 'is missing');
    }
    whole ??= answer;
    const problem = findSizeProblem(key, whole.ContentLength ?? 0, bytes);
    if (problem !== undefined) {
      abandon(answer);
      throw createObjectDamageError(connection, key, `is damaged: ${problem}`);
    }
    let broken: unknown;
    try {
      for await (const piece of answer.Body as Readable) {
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
      throw toReadError(connection, key, broken);
    }
  }
  const expected = readWholeSha256(whole);
  if (expected !== undefined && hash.digest('hex') !== expected) {
    throw createObjectDamageError(connection, key, 'is damaged');
  }
}

export async function digestObject(connection: S3Connection, key: string, bytes?: number): Promise<string | undefined> {
  const answer = await findHead(connection, key);
  if (answer === undefined) {
    return undefined;
  }
  if (findSizeProblem(key, answer.ContentLength ?? 0, bytes) !== undefined) {
    return foreignDigest;
  }
  return readWholeSha256(answer) ?? computeSha256OfPieces(streamObject(connection, key));
}

/** An object's metadata; undefined where there is no such key. */
export function findHead(connection: S3Connection, key: string): Promise<HeadObjectCommandOutput | undefined> {
  const command = new HeadObjectCommand({ ...toBucketAndKey(connection, key), ChecksumMode: 'ENABLED' });
  return findAnswer(connection, toReadOperation(key), connection.client.send(command));
}

export async function* listKeys(connection: S3Connection, start: string, after?: string): AsyncGenerator<string> {
  const { client, bucket, address } = connection;
  const Prefix = toFullKey(connection, start);
  const StartAfter = after === undefined ? undefined : toFullKey(connection, after);
  try {
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix, StartAfter })) {
      // Skips keys that Muster does not write: left-over probes, and the objects that consoles create for folders.
      yield* Contents.map(({ Key = '' }) => Key.slice(toFullKey(connection, '').length)).filter(isSafeKey);
    }
  } catch (error) {
    throw toS3Refusal(error, { doing: 'Listing', key: start, action: 's3:ListBucket' }, address).error;
  }
}

/** S3's own SHA-256 of the object, as hex; undefined for an object uploaded in parts. */
function readWholeSha256(answer: Pick<HeadObjectCommandOutput, 'ChecksumSHA256' | 'ChecksumType'>): string | undefined {
  const { ChecksumSHA256: kept, ChecksumType: type } = answer;
  if (kept === undefined || kept.includes('-') || type === 'COMPOSITE') {
    return undefined;
  }
  return Buffer.from(kept, 'base64').toString('hex');
}

function findObject(
  connection: S3Connection,
  key: string,
  rest: { Range?: string; IfMatch?: string | undefined } = {},
) {
  const command = new GetObjectCommand({ ...toBucketAndKey(connection, key), ...rest, ChecksumMode: 'ENABLED' });
  return findAnswer(connection, toReadOperation(key), connection.client.send(command));
}

function toReadOperation(key: string): S3Operation {
  return { doing: 'Reading', key, action: 's3:GetObject' };
}

function toReadError(connection: S3Connection, key: string, error: unknown): MusterError {
  if (error instanceof MusterError) {
    return error;
  }
  if (isChecksumMismatch(error)) {
    return createObjectDamageError(connection, key, 'is damaged: it differs from the checksum that S3 has for it');
  }
  return toS3Refusal(error, toReadOperation(key), connection.address).error;
}

export function createObjectDamageError(connection: S3Connection, key: string, how: string): MusterError {
  return new MusterError('store-damaged', `${key} ${how} in ${connection.address}. Run muster verify.`);
}
