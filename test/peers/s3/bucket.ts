/** A bucket's contents: every version of every key, and the uploads that are under way. */
import { createHash, randomBytes } from 'node:crypto';
import type { Algorithm, Checksum } from './checksums.ts';

export interface BucketOptions {
  readonly name: string;
  readonly region?: string;
  readonly versioned?: boolean;
  /** As under KMS: an ETag says nothing about the contents. */
  readonly encrypted?: boolean;
}

export interface Version {
  readonly id: string;
  readonly body: Buffer;
  readonly etag: string;
  readonly modified: Date;
  readonly checksum: Checksum;
  /** What is given back on reading: content type and `x-amz-meta-…`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly isMarker: boolean;
}

export interface Part {
  readonly body: Buffer;
  readonly etag: string;
  readonly checksum: Checksum;
}

export interface Upload {
  readonly key: string;
  readonly algorithm: Algorithm | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: Map<number, Part>;
}

export interface Bucket {
  readonly name: string;
  readonly region: string;
  readonly versioned: boolean;
  readonly encrypted: boolean;
  /** Oldest first. */
  readonly versions: Map<string, readonly Version[]>;
  readonly uploads: Map<string, Upload>;
}

export function makeBucket({
  name,
  region = 'eu-west-1',
  versioned = false,
  encrypted = false,
}: BucketOptions): Bucket {
  return { name, region, versioned, encrypted, versions: new Map(), uploads: new Map() };
}

/** The current version, unless the key is absent or deleted. */
export function currentOf(bucket: Bucket, key: string): Version | undefined {
  const last = bucket.versions.get(key)?.at(-1);
  return last?.isMarker ? undefined : last;
}

type Written = Pick<Version, 'body' | 'modified' | 'checksum' | 'headers'> & { readonly etag?: string };

export function write(bucket: Bucket, key: string, written: Written): Version {
  const etag = bucket.encrypted ? randomBytes(16).toString('hex') : (written.etag ?? md5(written.body));
  return add(bucket, key, { ...written, etag: `"${etag}"`, isMarker: false });
}

/** The marker that stands for the deletion, in a versioned bucket. */
export function erase(bucket: Bucket, key: string, modified: Date): Version | undefined {
  if (bucket.versioned) {
    const checksum: Checksum = { algorithm: 'CRC32', value: '', type: 'FULL_OBJECT' };
    return add(bucket, key, { body: Buffer.alloc(0), etag: '', modified, checksum, headers: {}, isMarker: true });
  }
  bucket.versions.delete(key);
  return undefined;
}

function add(bucket: Bucket, key: string, version: Omit<Version, 'id'>): Version {
  const made = { ...version, id: bucket.versioned ? randomBytes(16).toString('base64url') : 'null' };
  bucket.versions.set(key, [...(bucket.versioned ? (bucket.versions.get(key) ?? []) : []), made]);
  return made;
}

/** Keys with something current, in the order of their UTF-8 bytes. */
export function keysOf(bucket: Bucket): string[] {
  return [...bucket.versions.keys()]
    .filter((key) => currentOf(bucket, key) !== undefined)
    .sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
}

export function md5(body: Buffer): string {
  return createHash('md5').update(body).digest('hex');
}
