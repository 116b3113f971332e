/** Reads the documents that people write for Muster, settings and exemptions, from files or a bucket. */
import { readFile } from 'node:fs/promises';
import { dirname, posix, resolve } from 'node:path';
import { readBucketDocument } from '../aws/bucket-document.ts';

/** The bytes, or an error whose `code` names the reason. */
export function readDocumentBytes(address: string): Promise<Buffer> {
  return isInBucket(address) ? readBucketDocument(address) : readFile(address);
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
