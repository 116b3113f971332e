/**
 * Writes objects to S3: a small body in one request, a large one in parts, which keeps memory use small. The object
 * appears with the last request, the commit.
 */
import { createHash, randomUUID } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { MusterError } from '../../base/errors.ts';
import type { Body, BodyDigest } from '../store.ts';
import { otherBucketAdvice, type S3Operation, type S3Refusal, toS3Refusal } from './s3-errors.ts';
import { findHead } from './s3-read.ts';
import { isMissing, requireAnswer, type S3Connection, toBucketAndKey } from './s3-request.ts';

/** Bytes of a part, and of the largest body in one request; S3 requires parts of at least 5 MiB. */
const maximumPartBytes = 8 * 1024 * 1024;

interface ObjectWrite {
  readonly connection: S3Connection;
  readonly key: string;
  /** True where the key must not exist yet. */
  readonly isNew: boolean;
  readonly step: S3Operation;
  /** Stored with the object to recognise our own write. */
  readonly nonce: string;
}

interface MultipartUpload {
  readonly id: string | undefined;
  readonly parts: CompletedPart[];
}

/** Creates or replaces an object; throws `key-taken` if it must be new and exists. */
export async function writeObject(
  connection: S3Connection,
  key: string,
  body: Body,
  { isNew }: Pick<ObjectWrite, 'isNew'>,
): Promise<BodyDigest> {
  const { client } = connection;
  const step = { doing: isNew ? 'Creating' : 'Writing', key, action: 's3:PutObject' };
  const write: ObjectWrite = { connection, key, isNew, step, nonce: randomUUID() };
  const hash = createHash('sha256');
  let bytes = 0;
  let upload: MultipartUpload | undefined;
  try {
    for await (const { part, isLast } of splitIntoParts(Buffer.isBuffer(body) ? [body] : body)) {
      hash.update(part);
      bytes += part.length;
      if (isLast && upload === undefined) {
        await commitWrite(write, client.send(toPutCommand(write, part)));
      } else {
        upload ??= await beginUpload(write);
        await uploadPart(write, upload, part);
      }
    }
    if (upload !== undefined) {
      await commitWrite(write, client.send(toCompleteCommand(write, upload)));
    }
    return { bytes, sha256: hash.digest('hex') };
  } catch (error) {
    if (upload !== undefined) {
      await abortUpload(write, upload);
    }
    throw error;
  }
}

/**
 * Commits a write. S3 decides which write is first, but its answer can mislead: the SDK repeats a write whose answer
 * was lost, and S3 then refuses the repetition because of the first (412), or no longer knows the upload (404). So
 * after a refusal Muster reads the object, and decides by what it finds.
 */
async function commitWrite(
  { connection, key, isNew, step, nonce }: ObjectWrite,
  sent: Promise<unknown>,
): Promise<void> {
  const { address } = connection;
  const refusal = await sent.then(
    () => undefined,
    (error: unknown) => toS3Refusal(error, step, address),
  );
  if (refusal === undefined) {
    return;
  }
  if (!isInDoubt(refusal)) {
    throw refusal.error;
  }
  const found = await findHead(connection, key).catch((error: unknown) => {
    // Where the key cannot be read either, the first error is the more useful one.
    throw refusal.isUncertain ? refusal.error : error;
  });
  if (found?.Metadata?.[nonceMetadataName] === nonce) {
    return;
  }
  if (isNew && found !== undefined) {
    throw new MusterError('key-taken', `${key} already exists in ${address}; Muster never writes it twice.`);
  }
  throw refusal.status === 412
    ? new MusterError(
        'store-unsuited',
        `${address} refuses a conditional write whose condition is met. ${otherBucketAdvice}`,
      )
    : refusal.error;
}

/** Whether our own earlier write may have caused the refusal. */
function isInDoubt(refusal: S3Refusal): boolean {
  return refusal.isUncertain || refusal.status === 412 || refusal.status === 409 || isMissing(refusal);
}

function toPutCommand({ connection, key, isNew, nonce }: ObjectWrite, body: Buffer): PutObjectCommand {
  return new PutObjectCommand({
    ...toBucketAndKey(connection, key),
    IfNoneMatch: isNew ? '*' : undefined,
    ...toObjectHeaders(key, nonce),
    Body: body,
    ChecksumAlgorithm: 'SHA256',
  });
}

async function beginUpload({ connection, key, step, nonce }: ObjectWrite): Promise<MultipartUpload> {
  const command = new CreateMultipartUploadCommand({
    ...toBucketAndKey(connection, key),
    ...toObjectHeaders(key, nonce),
    ChecksumAlgorithm: 'SHA256',
  });
  const { UploadId: id } = await requireAnswer(connection, step, connection.client.send(command));
  return { id, parts: [] };
}

async function uploadPart(
  { connection, key, step }: ObjectWrite,
  { id, parts }: MultipartUpload,
  part: Buffer,
): Promise<void> {
  const PartNumber = parts.length + 1;
  const command = new UploadPartCommand({
    ...toBucketAndKey(connection, key),
    UploadId: id,
    PartNumber,
    Body: part,
    ChecksumAlgorithm: 'SHA256',
  });
  const { ETag, ChecksumSHA256 } = await requireAnswer(connection, step, connection.client.send(command));
  parts.push({ PartNumber, ETag, ChecksumSHA256 });
}

function toCompleteCommand(
  { connection, key, isNew }: ObjectWrite,
  { id, parts }: MultipartUpload,
): CompleteMultipartUploadCommand {
  return new CompleteMultipartUploadCommand({
    ...toBucketAndKey(connection, key),
    IfNoneMatch: isNew ? '*' : undefined,
    UploadId: id,
    MultipartUpload: { Parts: parts },
  });
}

/** Aborts an upload. If this fails too, the bucket's lifecycle rule removes the parts. */
async function abortUpload({ connection, key }: ObjectWrite, { id }: MultipartUpload): Promise<void> {
  const command = new AbortMultipartUploadCommand({ ...toBucketAndKey(connection, key), UploadId: id });
  await connection.client.send(command).catch(() => undefined);
}

/** Splits a body into pieces of one size; only the last is smaller, perhaps empty. */
async function* splitIntoParts(
  body: Iterable<Buffer> | AsyncIterable<Buffer>,
): AsyncGenerator<{ part: Buffer; isLast: boolean }> {
  let pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece);
    size += piece.length;
    if (size <= maximumPartBytes) {
      continue;
    }
    const whole = Buffer.concat(pieces);
    let at = 0;
    for (; size - at > maximumPartBytes; at += maximumPartBytes) {
      yield { part: whole.subarray(at, at + maximumPartBytes), isLast: false };
    }
    pieces = [whole.subarray(at)];
    size -= at;
  }
  yield { part: Buffer.concat(pieces), isLast: true };
}

/** Content types, so that a browser can open a report from the bucket. */
const contentTypesByEnding: readonly (readonly [ending: string, type: string])[] = [
  ['.html', 'text/html; charset=utf-8'],
  ['.csv', 'text/csv; charset=utf-8'],
  ['.json', 'application/json'],
  ['.gz', 'application/gzip'],
  ['.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
];

const nonceMetadataName = 'muster-nonce';

function toObjectHeaders(key: string, nonce: string): { ContentType: string; Metadata: Record<string, string> } {
  const known = contentTypesByEnding.find(([ending]) => key.endsWith(ending));
  return { ContentType: known?.[1] ?? 'application/octet-stream', Metadata: { [nonceMetadataName]: nonce } };
}
