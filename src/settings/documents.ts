/** Reads the documents that people write for Muster, settings and exemptions, from files or a bucket. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, posix, resolve } from 'node:path';
import { collectBytes, createDocumentError, readBucketDocument } from '../aws/bucket-document.ts';

/** Settings and exemptions are small; a much larger file is a mistake or an attack. */
const longestDocument = 16 * 1024 * 1024;

/** The bytes, or an error whose `code` names the reason. */
export async function readDocumentBytes(address: string): Promise<Buffer> {
  return (await readDocument(address, longestDocument)).body;
}

/** With the date on which it was last written, where its folder or bucket says so. */
export async function readDocument(address: string, maximumBytes: number): ReturnType<typeof readBucketDocument> {
  if (isInBucket(address)) {
    return readBucketDocument(address, maximumBytes);
  }
  const { size, mtime } = await stat(address);
  if (size > maximumBytes) {
    throw createDocumentError(`larger than ${maximumBytes} bytes`);
  }
  // A pipe and a device say no size.
  const body = await collectBytes(createReadStream(address, { end: maximumBytes }), maximumBytes);
  return { body, modifiedAt: mtime.toISOString() };
}

/** What relative paths in a document are relative to: a folder, or `s3://bucket/prefix`. */
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
