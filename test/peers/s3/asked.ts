/** A request, read: which operation it is, on what, and which actions a policy must allow for it. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Bucket } from './bucket.ts';
import { refused } from './refusal.ts';

export const operations = [
  'HeadBucket',
  'ListObjectsV2',
  'PutObject',
  'CopyObject',
  'GetObject',
  'HeadObject',
  'DeleteObject',
  'CreateMultipartUpload',
  'UploadPart',
  'CompleteMultipartUpload',
  'AbortMultipartUpload',
] as const;

export type Operation = (typeof operations)[number];

export interface Asked {
  readonly operation: Operation;
  readonly bucket: Bucket;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly trailers: ReadonlyMap<string, string>;
  readonly now: Date;
  readonly ignoresConditions: boolean;
  readonly largestCopy: number;
  /** Whether a policy allows an action on a key of this bucket. */
  allows(action: string, key: string): boolean;
  bucketNamed(name: string): Bucket;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: string | Buffer;
}

/** Query parameters that change nothing about which operation it is. */
const harmless = ['x-id', 'partNumber', 'uploadId', 'uploads', 'list-type'];
const listing = ['prefix', 'max-keys', 'continuation-token', 'start-after', 'encoding-type'];

export function operationOf(
  method: string,
  key: string,
  query: URLSearchParams,
  headers: IncomingHttpHeaders,
): Operation {
  const strange =
    [...query.keys()].find((name) => !harmless.includes(name) && !listing.includes(name)) ??
    Object.keys(headers).find((name) => name.startsWith('x-amz-copy-source-'));
  if (strange !== undefined) {
    throw refused.notImplemented(strange);
  }
  const found = key === '' ? ofBucket(method, query) : ofObject(method, query, headers);
  if (found) {
    return found;
  }
  throw refused.notImplemented(`${method} ${query}`);
}

function ofBucket(method: string, query: URLSearchParams): Operation | undefined {
  if (method === 'HEAD') {
    return 'HeadBucket';
  }
  if (method !== 'GET') {
    return undefined;
  }
  return query.get('list-type') === '2' ? 'ListObjectsV2' : undefined;
}

function ofObject(method: string, query: URLSearchParams, headers: IncomingHttpHeaders): Operation | undefined {
  const isPart = query.has('uploadId');
  const isCopy = headers['x-amz-copy-source'] !== undefined;
  if (method === 'GET') {
    return 'GetObject';
  }
  if (method === 'HEAD') {
    return 'HeadObject';
  }
  if (method === 'DELETE') {
    return isPart ? 'AbortMultipartUpload' : 'DeleteObject';
  }
  if (method === 'POST') {
    return isPart ? 'CompleteMultipartUpload' : query.has('uploads') ? 'CreateMultipartUpload' : undefined;
  }
  if (method !== 'PUT' || (isPart && isCopy)) {
    return undefined;
  }
  return isPart ? 'UploadPart' : isCopy ? 'CopyObject' : 'PutObject';
}

export interface Needed {
  readonly action: string;
  readonly bucket: string;
  /** Of a listing, the prefix. */
  readonly key: string;
}

export function neededFor(
  operation: Operation,
  bucket: string,
  key: string,
  query: URLSearchParams,
  headers: IncomingHttpHeaders,
): Needed[] {
  const on = (action: string, where = key): Needed => ({ action: `s3:${action}`, bucket, key: where });
  // A write on the condition of an ETag tells whether the object is still that one, which is reading.
  const reading = headers['if-match'] === undefined ? [] : [on('GetObject')];
  switch (operation) {
    case 'HeadBucket':
      return [on('ListBucket', '')];
    case 'ListObjectsV2':
      return [on('ListBucket', query.get('prefix') ?? '')];
    case 'GetObject':
    case 'HeadObject':
      return [on('GetObject')];
    case 'DeleteObject':
      return [on('DeleteObject'), ...reading];
    case 'AbortMultipartUpload':
      return [on('AbortMultipartUpload')];
    case 'CopyObject': {
      const source = copySourceOf(headers);
      return [on('PutObject'), { action: 's3:GetObject', ...source }, ...reading];
    }
    case 'PutObject':
    case 'CreateMultipartUpload':
    case 'UploadPart':
    case 'CompleteMultipartUpload':
      return [on('PutObject'), ...reading];
  }
}

export function copySourceOf(headers: IncomingHttpHeaders): { bucket: string; key: string } {
  const source = decodeURIComponent(String(headers['x-amz-copy-source'])).replace(/^\//, '');
  const slash = source.indexOf('/');
  if (slash < 1) {
    throw refused.invalid('Copy Source must mention the source bucket and key: sourcebucket/sourcekey');
  }
  return { bucket: source.slice(0, slash), key: source.slice(slash + 1) };
}
