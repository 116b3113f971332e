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
import type { Body, Stored } from '../store.ts';
import type { Step } from './s3-errors.ts';
import { attempt, must, type Outcome, type Place, target } from './s3-request.ts';

/** Also the size of a part; S3 wants at least 5 MiB. */
const largestInOne = 8 * 1024 * 1024;

interface Condition {
  readonly IfNoneMatch?: '*';
  readonly IfMatch?: string;
}

interface Writing {
  readonly key: string;
  readonly step: Step;
  readonly condition?: Condition;
  /** Kept with the object: whose write it is. */
  readonly nonce?: string;
}

type Commit = () => Promise<Outcome<unknown>>;

/** Uploads the body, then lets `settle` do the commit; what it gives back, or undefined where it says "not done". */
export async function write(
  place: Place,
  writing: Writing,
  body: Body,
  settle: (commit: Commit) => Promise<boolean>,
): Promise<Stored | undefined> {
  if (Buffer.isBuffer(body)) return writeWhole(place, writing, body, settle);
  const hash = createHash('sha256');
  let bytes = 0;
  let first: Buffer | undefined;
  let upload: Upload | undefined;
  try {
    for await (const part of partsOf(body)) {
      if (upload === undefined && first !== undefined) {
        upload = await beginUpload(place, writing);
        await uploadPart(place, writing, upload, first);
      }
      if (upload !== undefined) await uploadPart(place, writing, upload, part);
      first ??= part;
      hash.update(part);
      bytes += part.length;
    }
    if (upload === undefined) return await writeWhole(place, writing, first ?? Buffer.alloc(0), settle);
    const done = await settle(commitUpload(place, writing, upload));
    if (!done) await abort(place, writing, upload);
    return done ? { bytes, sha256: hash.digest('hex') } : undefined;
  } catch (error) {
    if (upload !== undefined) await abort(place, writing, upload);
    throw error;
  }
}

async function writeWhole(
  place: Place,
  { key, step, condition, nonce }: Writing,
  body: Buffer,
  settle: (commit: Commit) => Promise<boolean>,
): Promise<Stored | undefined> {
  const digest = createHash('sha256').update(body).digest();
  const done = await settle(() =>
    attempt(place, step, () =>
      place.client.send(
        new PutObjectCommand({
          ...target(place, key),
          ...condition,
          ...described(key, nonce),
          Body: body,
          ChecksumSHA256: digest.toString('base64'),
        }),
      ),
    ),
  );
  return done ? { bytes: body.length, sha256: digest.toString('hex') } : undefined;
}

interface Upload {
  readonly id: string | undefined;
  readonly parts: CompletedPart[];
}

async function beginUpload(place: Place, { key, step, nonce }: Writing): Promise<Upload> {
  const begun = await must(place, step, () =>
    place.client.send(
      new CreateMultipartUploadCommand({
        ...target(place, key),
        ...described(key, nonce),
        ChecksumAlgorithm: 'SHA256',
      }),
    ),
  );
  return { id: begun.UploadId, parts: [] };
}

async function uploadPart(place: Place, { key, step }: Writing, { id, parts }: Upload, part: Buffer): Promise<void> {
  const PartNumber = parts.length + 1;
  const ChecksumSHA256 = createHash('sha256').update(part).digest('base64');
  const { ETag } = await must(place, step, () =>
    place.client.send(
      new UploadPartCommand({ ...target(place, key), UploadId: id, PartNumber, Body: part, ChecksumSHA256 }),
    ),
  );
  parts.push({ PartNumber, ETag, ChecksumSHA256 });
}

function commitUpload(place: Place, { key, step, condition }: Writing, { id, parts }: Upload): Commit {
  return () =>
    attempt(place, step, () =>
      place.client.send(
        new CompleteMultipartUploadCommand({
          ...target(place, key),
          ...condition,
          UploadId: id,
          MultipartUpload: { Parts: parts },
        }),
      ),
    );
}

/** Where even this fails, the bucket's lifecycle rule removes the parts. */
async function abort(place: Place, { key, step }: Writing, { id }: Upload): Promise<void> {
  await attempt(place, { ...step, action: 's3:AbortMultipartUpload' }, () =>
    place.client.send(new AbortMultipartUploadCommand({ ...target(place, key), UploadId: id })),
  );
}

/** The same bytes in pieces of one size; only the last may be smaller. */
async function* partsOf(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    held.push(piece);
    size += piece.length;
    if (size <= largestInOne) continue;
    const whole = Buffer.concat(held);
    let at = 0;
    for (; size - at > largestInOne; at += largestInOne) yield whole.subarray(at, at + largestInOne);
    held = [whole.subarray(at)];
    size -= at;
  }
  if (size > 0) yield Buffer.concat(held);
}

/** What a browser makes of a report when somebody opens it from the bucket. */
const contentTypes: readonly (readonly [ending: string, type: string])[] = [
  ['.html', 'text/html; charset=utf-8'],
  ['.csv', 'text/csv; charset=utf-8'],
  ['.json', 'application/json'],
  ['.gz', 'application/gzip'],
  ['.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
];

function described(key: string, nonce: string | undefined): { ContentType: string; Metadata?: Record<string, string> } {
  const known = contentTypes.find(([ending]) => key.endsWith(ending));
  return {
    ContentType: known?.[1] ?? 'application/octet-stream',
    ...(nonce === undefined ? {} : { Metadata: { [nonceName]: nonce } }),
  };
}

export const nonceName = 'muster-nonce';
