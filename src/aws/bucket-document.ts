/** Reads a document from a bucket: https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html */
import type { Readable } from 'node:stream';
import { findProxyFailure } from '../http/connection-failures.ts';
import { buildAwsClientOptions, toSafeErrorName } from './client.ts';

/** Reads a document; throws an error whose `code` names the reason, as reading a file does. */
export async function readBucketDocument(address: string, maximumBytes: number) {
  const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(address) ?? [];
  if (!bucket || !key) {
    throw createDocumentError('not an s3://bucket/key address');
  }
  const { GetObjectCommand, S3Client } = await import('@aws-sdk/client-s3');
  const client = new S3Client(buildAwsClientOptions());
  try {
    const { Body: body, LastModified: date } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    return { body: await collectBytes(body as Readable, maximumBytes), modifiedAt: date?.toISOString() };
  } catch (error) {
    const isOwn = error instanceof Error && 'code' in error && error.name === 'Error';
    throw isOwn && findProxyFailure(error) === undefined ? error : createDocumentError(toSafeErrorName(error));
  }
}

/** Collects a body; keeps no more than the maximum in memory, and throws beyond it. */
export async function collectBytes(body: Readable, maximumBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > maximumBytes) {
      throw createDocumentError(`larger than ${maximumBytes} bytes`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

export function createDocumentError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
