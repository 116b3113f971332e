/** Reads the documents that people write for Muster, settings and exemptions, from files or a bucket. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, posix, resolve } from 'node:path';
import { collectBytes, createDocumentError, readBucketDocument } from '../aws/bucket-document.ts';

/** Bytes of settings and exemptions, which are small; a much larger file is a mistake or an attack. */
const longestDocument = 16 * 1024 * 1024;

/** Reads a document's bytes, or throws an error whose `code` names the reason. */
export async function readDocumentBytes(address: string): Promise<Buffer> {
  return (await readDocument(address, longestDocument)).body;
}

/** Reads a document with the date on which it was last written, where its folder or bucket has one. */
export async function readDocument(address: string, maximumBytes: number): ReturnType<typeof readBucketDocument> {
  if (isInBucket(address)) {
    return readBucketDocument(address, maximumBytes);
  }
  const { size, mtime } = await stat(address);
  if (size > maximumBytes) {
    throw createDocumentError(`larger than ${maximumBytes} bytes`);
  }
  // Pipes and devices have no size, so that reading is limited as well.
  const body = await collectBytes(createReadStream(address, { end: maximumBytes }), maximumBytes);
  return { body, modifiedAt: mtime.toISOString() };
}

/** The folder or `s3://bucket/prefix` to which relative paths in a document refer. */
export function resolveParentFolder(address: string): string {
  return isInBucket(address) ? address.slice(0, address.lastIndexOf('/')) : dirname(resolve(address));
}

export function resolveInFolder(folder: string, name: string): string {
  if (isInBucket(name)) {
    return name;
  }
  if (!isInBucket(folder) || posix.isAbsolute(name)) {
    return resolve(folder, name);
  }
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)(.*)$/.exec(folder) ?? [];
  return `s3://${bucket}${posix.join('/', prefix, name)}`;
}

export function isInBucket(address: string): boolean {
  return address.startsWith('s3://');
}
