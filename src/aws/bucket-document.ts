/** Reads a document from a bucket: https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html */
import type { Readable } from 'node:stream';
import { awsClientTimeouts, toSafeErrorName } from './failure.ts';

/** Settings and exemptions are small; a much larger file is a mistake or an attack. */
const maximumBytes = 16 * 1024 * 1024;

/** Throws an error whose `code` names the reason, as reading a file does. */
export async function readBucketDocument(address: string): Promise<Buffer> {
  const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(address) ?? [];
  if (!bucket || !key) {
    throw createDocumentError('not an s3://bucket/key address');
  }
  const { GetObjectCommand, S3Client } = await import('@aws-sdk/client-s3');
  const client = new S3Client(awsClientTimeouts);
  try {
    const { Body: body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    return await collectBytes(body as Readable);
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.name === 'Error'
      ? error
      : createDocumentError(toSafeErrorName(error));
  } finally {
    client.destroy();
  }
}

async function collectBytes(body: Readable): Promise<Buffer> {
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

function createDocumentError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
