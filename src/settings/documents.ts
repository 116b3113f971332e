/** Texts that people keep for Muster, settings and exemptions: in files or in a bucket. */
import { readFile } from 'node:fs/promises';
import { dirname, posix, resolve } from 'node:path';
import { readBucketText } from '../aws/bucket-text.ts';

/** The text, or an error whose `code` says in a word why not. */
export function readDocument(place: string): Promise<string> {
  return isInBucket(place) ? readBucketText(place) : readFile(place, 'utf8');
}

/** Where relative paths in a document lead from: a folder, or `s3://bucket/prefix`. */
export function resolveParentFolder(place: string): string {
  return isInBucket(place) ? place.slice(0, place.lastIndexOf('/')) : dirname(resolve(place));
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

export function isInBucket(place: string): boolean {
  return place.startsWith('s3://');
}
