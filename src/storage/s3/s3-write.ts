/**
 * Bodies into S3: what is small in one request, what is large in parts, so that memory stays small. Nothing is there
 * until the last request, the commit; what happens to that is for the caller to say.
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
import type { Body, BodyDigest } from '../store.ts';
import type { S3Operation } from './s3-errors.ts';
import { attemptRequest, requireAnswer, type S3Connection, type S3Outcome, toBucketAndKey } from './s3-request.ts';

/** Also the size of a part; S3 wants at least 5 MiB. */
const maximumPartBytes = 8 * 1024 * 1024;

interface WriteCondition {
  readonly IfNoneMatch?: '*';
  readonly IfMatch?: string;
}

interface ObjectWrite {
  readonly key: string;
  readonly step: S3Operation;
  readonly condition?: WriteCondition;
  /** Kept with the object: whose write it is. */
  readonly nonce?: string;
}

type Commit = () => Promise<S3Outcome<unknown>>;

/** Uploads the body, then lets `settle` do the commit; what it gives back, or undefined where it says "not done". */
export async function writeObject(
  place: S3Connection,
  writing: ObjectWrite,
  body: Body,
  settle: (commit: Commit) => Promise<boolean>,
): Promise<BodyDigest | undefined> {
  if (Buffer.isBuffer(body)) {
    return writeWhole(place, writing, body, settle);
  }
  const hash = createHash('sha256');
  let bytes = 0;
  let first: Buffer | undefined;
  let upload: MultipartUpload | undefined;
  try {
    for await (const part of splitIntoParts(body)) {
      if (upload === undefined && first !== undefined) {
        upload = await beginUpload(place, writing);
        await uploadPart(place, writing, upload, first);
      }
      if (upload !== undefined) {
        await uploadPart(place, writing, upload, part);
      }
      first ??= part;
      hash.update(part);
      bytes += part.length;
    }
    if (upload === undefined) {
      return await writeWhole(place, writing, first ?? Buffer.alloc(0), settle);
    }
    const done = await settle(commitUpload(place, writing, upload));
    if (!done) {
      await abortUpload(place, writing, upload);
    }
    return done ? { bytes, sha256: hash.digest('hex') } : undefined;
  } catch (error) {
    if (upload !== undefined) {
      await abortUpload(place, writing, upload);
    }
    throw error;
  }
}

async function writeWhole(
  place: S3Connection,
  { key, step, condition, nonce }: ObjectWrite,
  body: Buffer,
  settle: (commit: Commit) => Promise<boolean>,
): Promise<BodyDigest | undefined> {
  const digest = createHash('sha256').update(body).digest();
  const done = await settle(() =>
    attemptRequest(place, step, () =>
      place.client.send(
        new PutObjectCommand({
          ...toBucketAndKey(place, key),
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

async function beginUpload(place: S3Connection, { key, step, nonce }: ObjectWrite): Promise<MultipartUpload> {
  const begun = await requireAnswer(place, step, () =>
    place.client.send(
      new CreateMultipartUploadCommand({
        ...toBucketAndKey(place, key),
        ...toObjectHeaders(key, nonce),
        ChecksumAlgorithm: 'SHA256',
      }),
    ),
  );
  return { id: begun.UploadId, parts: [] };
}

async function uploadPart(
  place: S3Connection,
  { key, step }: ObjectWrite,
  { id, parts }: MultipartUpload,
  part: Buffer,
): Promise<void> {
  const PartNumber = parts.length + 1;
  const ChecksumSHA256 = createHash('sha256').update(part).digest('base64');
  const { ETag } = await requireAnswer(place, step, () =>
    place.client.send(
      new UploadPartCommand({ ...toBucketAndKey(place, key), UploadId: id, PartNumber, Body: part, ChecksumSHA256 }),
    ),
  );
  parts.push({ PartNumber, ETag, ChecksumSHA256 });
}

function commitUpload(
  place: S3Connection,
  { key, step, condition }: ObjectWrite,
  { id, parts }: MultipartUpload,
): Commit {
  return () =>
    attemptRequest(place, step, () =>
      place.client.send(
        new CompleteMultipartUploadCommand({
          ...toBucketAndKey(place, key),
          ...condition,
          UploadId: id,
          MultipartUpload: { Parts: parts },
        }),
      ),
    );
}

/** Where even this fails, the bucket's lifecycle rule removes the parts. */
async function abortUpload(place: S3Connection, { key, step }: ObjectWrite, { id }: MultipartUpload): Promise<void> {
  await attemptRequest(place, { ...step, action: 's3:AbortMultipartUpload' }, () =>
    place.client.send(new AbortMultipartUploadCommand({ ...toBucketAndKey(place, key), UploadId: id })),
  );
}

/** The same bytes in pieces of one size; only the last may be smaller. */
async function* splitIntoParts(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    held.push(piece);
    size += piece.length;
    if (size <= maximumPartBytes) {
      continue;
    }
    const whole = Buffer.concat(held);
    let at = 0;
    for (; size - at > maximumPartBytes; at += maximumPartBytes) {
      yield whole.subarray(at, at + maximumPartBytes);
    }
    held = [whole.subarray(at)];
    size -= at;
  }
  if (size > 0) {
    yield Buffer.concat(held);
  }
}

/** What a browser makes of a report when somebody opens it from the bucket. */
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
    ...(nonce === undefined ? {} : { Metadata: { [nonceMetadataName]: nonce } }),
  };
}

export const nonceMetadataName = 'muster-nonce';
