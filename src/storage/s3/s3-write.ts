/**
 * Writes objects to S3: a small body in one request, a large one in parts, so that memory use stays small. The object
 * appears with the last request, the commit, which the caller controls.
 */
import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Body, BodyDigest } from '../store.ts';
import type { S3Operation } from './s3-errors.ts';
import { attemptRequest, requireAnswer, type S3Connection, type S3Outcome, toBucketAndKey } from './s3-request.ts';

/** Also the size of a part; S3 requires at least 5 MiB. */
const maximumPartBytes = 8 * 1024 * 1024;

interface ObjectWrite {
  readonly key: string;
  readonly step: S3Operation;
  readonly condition?: { readonly IfNoneMatch: '*' };
  /** Stored with the object, to recognise our own write. */
  readonly nonce?: string;
}

type Commit = () => Promise<S3Outcome<unknown>>;

/** Uploads the body, then `settle` commits it. Undefined where `settle` returns false. */
export async function writeObject(
  connection: S3Connection,
  writing: ObjectWrite,
  body: Body,
  settle: (commit: Commit) => Promise<boolean>,
): Promise<BodyDigest | undefined> {
  if (Buffer.isBuffer(body)) {
    return writeWhole(connection, writing, body, settle);
  }
  const hash = createHash('sha256');
  let bytes = 0;
  let first: Buffer | undefined;
  let upload: MultipartUpload | undefined;
  try {
    for await (const part of splitIntoParts(body)) {
      if (upload === undefined && first !== undefined) {
        upload = await beginUpload(connection, writing);
        await uploadPart(connection, writing, upload, first);
      }
      if (upload !== undefined) {
        await uploadPart(connection, writing, upload, part);
      }
      first ??= part;
      hash.update(part);
      bytes += part.length;
    }
    if (upload === undefined) {
      return await writeWhole(connection, writing, first ?? Buffer.alloc(0), settle);
    }
    const done = await settle(commitUpload(connection, writing, upload));
    if (!done) {
      await abortUpload(connection, writing, upload);
    }
    return done ? { bytes, sha256: hash.digest('hex') } : undefined;
  } catch (error) {
    if (upload !== undefined) {
      await abortUpload(connection, writing, upload);
    }
    throw error;
  }
}

async function writeWhole(
  connection: S3Connection,
  { key, step, condition, nonce }: ObjectWrite,
  body: Buffer,
  settle: (commit: Commit) => Promise<boolean>,
): Promise<BodyDigest | undefined> {
  const digest = createHash('sha256').update(body).digest();
  const done = await settle(() =>
    attemptRequest(connection, step, () =>
      connection.client.send(
        new PutObjectCommand({
          ...toBucketAndKey(connection, key),
          ...condition,
          ...toObjectHeaders(key, nonce),
          Body: body,
          ChecksumSHA256: digest.toString('base64'),
        }),
      ),
    ),
  );
  return done ? { bytes: body.length, sha256: digest.toString('hex') } : undefined;
}

interface MultipartUpload {
  readonly id: string | undefined;
  readonly parts: CompletedPart[];
}

async function beginUpload(connection: S3Connection, { key, step, nonce }: ObjectWrite): Promise<MultipartUpload> {
  const begun = await requireAnswer(connection, step, () =>
    connection.client.send(
      new CreateMultipartUploadCommand({
        ...toBucketAndKey(connection, key),
        ...toObjectHeaders(key, nonce),
        ChecksumAlgorithm: 'SHA256',
      }),
    ),
  );
  return { id: begun.UploadId, parts: [] };
}

async function uploadPart(
  connection: S3Connection,
  { key, step }: ObjectWrite,
  { id, parts }: MultipartUpload,
  part: Buffer,
): Promise<void> {
  const PartNumber = parts.length + 1;
  const ChecksumSHA256 = createHash('sha256').update(part).digest('base64');
  const { ETag } = await requireAnswer(connection, step, () =>
    connection.client.send(
      new UploadPartCommand({
        ...toBucketAndKey(connection, key),
        UploadId: id,
        PartNumber,
        Body: part,
        ChecksumSHA256,
      }),
    ),
  );
  parts.push({ PartNumber, ETag, ChecksumSHA256 });
}

function commitUpload(
  connection: S3Connection,
  { key, step, condition }: ObjectWrite,
  { id, parts }: MultipartUpload,
): Commit {
  return () =>
    attemptRequest(connection, step, () =>
      connection.client.send(
        new CompleteMultipartUploadCommand({
          ...toBucketAndKey(connection, key),
          ...condition,
          UploadId: id,
          MultipartUpload: { Parts: parts },
        }),
      ),
    );
}

/** If this fails too, the bucket's lifecycle rule removes the parts. */
async function abortUpload(
  connection: S3Connection,
  { key, step }: ObjectWrite,
  { id }: MultipartUpload,
): Promise<void> {
  await attemptRequest(connection, { ...step, action: 's3:AbortMultipartUpload' }, () =>
    connection.client.send(new AbortMultipartUploadCommand({ ...toBucketAndKey(connection, key), UploadId: id })),
  );
}

/** The same bytes in pieces of one size; only the last may be smaller. */
async function* splitIntoParts(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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
      yield whole.subarray(at, at + maximumPartBytes);
    }
    pieces = [whole.subarray(at)];
    size -= at;
  }
  if (size > 0) {
    yield Buffer.concat(pieces);
  }
}

/** Content types, so that a browser can open a report from the bucket. */
const contentTypesByEnding: readonly (readonly [ending: string, type: string])[] = [
  ['.html', 'text/html; charset=utf-8'],
  ['.csv', 'text/csv; charset=utf-8'],
  ['.json', 'application/json'],
  ['.gz', 'application/gzip'],
  ['.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
];

function toObjectHeaders(
  key: string,
  nonce: string | undefined,
): { ContentType: string; Metadata?: Record<string, string> } {
  const known = contentTypesByEnding.find(([ending]) => key.endsWith(ending));
  return {
    ContentType: known?.[1] ?? 'application/octet-stream',
    ...omitUndefined({ Metadata: nonce === undefined ? undefined : { [nonceMetadataName]: nonce } }),
  };
}

export const nonceMetadataName = 'muster-nonce';
