/**
 * A store in an S3 bucket. Versions, encryption, lifecycle and TLS are the bucket's own configuration; nothing special
 * is sent for them.
 */
import { CopyObjectCommand, DeleteObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { MusterError } from '../../errors.ts';
import type { Clock } from '../../http/clock.ts';
import type { Store } from '../store.ts';
import { createObject, putObject, swapObject } from './conditional-write.ts';
import { probeBucket } from './probe-bucket.ts';
import { createObjectDamageError, digestObject, readObject, streamObject } from './s3-read.ts';
import {
  attemptRequest,
  createS3Client,
  isMissing,
  requireAnswer,
  type S3Connection,
  type S3Location,
  toBucketAndKey,
  toFullKey,
} from './s3-request.ts';

export interface S3StoreOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  /** From 0 to 1, to spread what is tried again. */
  readonly random?: () => number;
  readonly client?: S3Client;
  readonly region?: string;
  /** An endpoint that is not AWS's, asked in path style. */
  readonly endpoint?: string;
  /** Addresses already found suited; kept by a process that starts many nights, so that one probe serves all. */
  readonly probed?: Set<string>;
}

/** `s3://bucket/some/prefix`; undefined when it is no such address. */
export function parseS3Uri(uri: string): S3Location | undefined {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(\/.*)?$/.exec(uri) ?? [];
  const prefix = path.replace(/^\/|\/$/g, '');
  if (bucket === undefined || (prefix !== '' && !isSafeKey(prefix))) {
    return undefined;
  }
  return { bucket, prefix };
}

export function createS3Store(location: S3Location, options: S3StoreOptions): Store {
  const { bucket, prefix } = location;
  const { clock, random = Math.random, probed } = options;
  const address = `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`;
  const place: S3Connection = {
    bucket,
    prefix,
    address,
    clock,
    random,
    client: options.client ?? createS3Client(options),
  };
  const store = createUncheckedStore(place);
  return {
    name: address,
    async probe() {
      if (probed?.has(address)) {
        return;
      }
      await probeBucket(store);
      probed?.add(address);
    },
    read: async (key) => store.read(checkKey(key)),
    stream: (key) => store.stream(checkKey(key)),
    digest: async (key) => store.digest(checkKey(key)),
    list: (start) => store.list(checkPrefix(start)),
    create: async (key, body) => store.create(checkKey(key), body),
    put: async (key, body) => store.put(checkKey(key), body),
    copy: async (from, to) => store.copy(checkKey(from), checkKey(to)),
    swap: async (key, body, expected) => store.swap(checkKey(key), body, expected),
    remove: async (key) => store.remove(checkKey(key)),
  };
}

/** Takes any key. */
function createUncheckedStore(place: S3Connection): Store {
  const { client, bucket, address } = place;
  return {
    name: address,
    probe: async () => undefined,
    read: (key) => readObject(place, key),
    stream: (key) => streamObject(place, key),
    digest: (key) => digestObject(place, key),
    async *list(start) {
      const step = { doing: 'Listing', key: start, action: 's3:ListBucket' };
      const Prefix = toFullKey(place, start);
      for (let token: string | undefined; ; ) {
        const page = await requireAnswer(place, step, () =>
          client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix, ContinuationToken: token })),
        );
        for (const { Key = '' } of page.Contents ?? []) {
          const key = Key.slice(toFullKey(place, '').length);
          // Not ours: probes left behind, and what consoles make to stand for a folder.
          if (isSafeKey(key)) {
            yield key;
          }
        }
        if (page.NextContinuationToken === undefined) {
          return;
        }
        token = page.NextContinuationToken;
      }
    },
    create: (key, body) => createObject(place, key, body),
    put: (key, body) => putObject(place, key, body),
    async copy(from, to) {
      const step = { doing: `Copying ${from} to`, key: to, action: 's3:PutObject' };
      const source = `${bucket}/${toFullKey(place, from)}`.split('/').map(encodeURIComponent).join('/');
      const outcome = await attemptRequest(place, step, () =>
        client.send(
          new CopyObjectCommand({ ...toBucketAndKey(place, to), CopySource: source, ChecksumAlgorithm: 'SHA256' }),
        ),
      );
      if ('answer' in outcome) {
        return;
      }
      throw isMissing(outcome.refusal) ? createObjectDamageError(place, from, 'is missing') : outcome.refusal.error;
    },
    swap: (key, body, expected) => swapObject(place, key, body, expected),
    async remove(key) {
      const step = { doing: 'Removing', key, action: 's3:DeleteObject' };
      await requireAnswer(place, step, () => client.send(new DeleteObjectCommand(toBucketAndKey(place, key))));
    },
  };
}

function isSafeKey(key: string): boolean {
  return key.split('/').every((part) => part !== '' && !part.startsWith('.')) && !/[\\\0]/.test(key);
}

/** The keys are ours, so a strange one is a mistake of ours. */
function checkKey(key: string): string {
  if (isSafeKey(key)) {
    return key;
  }
  throw new MusterError('unexpected', `The key ${JSON.stringify(key)} cannot be kept in a bucket. Please report this.`);
}

function checkPrefix(start: string): string {
  if (start === '' || (start.endsWith('/') && isSafeKey(start.slice(0, -1)))) {
    return start;
  }
  throw new MusterError('unexpected', `The prefix ${JSON.stringify(start)} cannot be listed. Please report this.`);
}
