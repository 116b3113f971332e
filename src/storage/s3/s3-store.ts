/**
 * A store in an S3 bucket. The bucket's own configuration sets versions, encryption, lifecycle and TLS; requests do not.
 */
import { CopyObjectCommand, DeleteObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { MusterError } from '../../base/errors.ts';
import type { Clock } from '../../http/clock.ts';
import type { Store } from '../store.ts';
import { createObject, putObject } from './conditional-write.ts';
import { probeBucket } from './probe-bucket.ts';
import { createObjectDamageError, digestObject, readObject, streamObject } from './s3-read.ts';
import {
  attemptRequest,
  createS3Client,
  isMissing,
  reportServerDates,
  requireAnswer,
  type S3Connection,
  type S3Location,
  toBucketAndKey,
  toFullKey,
} from './s3-request.ts';

export interface S3StoreOptions {
  readonly clock: Pick<Clock, 'sleep' | 'onServerDate'>;
  /** From 0 to 1, to spread retries. */
  readonly random?: () => number;
  readonly client?: S3Client;
  readonly region?: string;
  /** An endpoint other than AWS's, addressed in path style. */
  readonly endpoint?: string;
  /** Addresses that passed the probe; a process with many runs shares it, so that it probes each address once. */
  readonly probed?: Set<string>;
}

/** Parses `s3://bucket/some/prefix`; undefined for any other text. */
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
  const connection: S3Connection = {
    bucket,
    prefix,
    address,
    clock,
    random,
    client: options.client ?? createS3Client(options),
  };
  reportServerDates(connection);
  const store = createUncheckedStore(connection);
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
    list: (start, after) => store.list(checkPrefix(start), after),
    create: async (key, body) => store.create(checkKey(key), body),
    put: async (key, body) => store.put(checkKey(key), body),
    copy: async (from, to) => store.copy(checkKey(from), checkKey(to)),
    remove: async (key) => store.remove(checkKey(key)),
  };
}

/** Accepts any key. */
function createUncheckedStore(connection: S3Connection): Store {
  const { client, bucket, address } = connection;
  return {
    name: address,
    probe: async () => undefined,
    read: (key) => readObject(connection, key),
    stream: (key) => streamObject(connection, key),
    digest: (key) => digestObject(connection, key),
    async *list(start, after) {
      const step = { doing: 'Listing', key: start, action: 's3:ListBucket' };
      const Prefix = toFullKey(connection, start);
      const StartAfter = after === undefined ? undefined : toFullKey(connection, after);
      for (let token: string | undefined; ; ) {
        const page = await requireAnswer(connection, step, () =>
          client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix, StartAfter, ContinuationToken: token })),
        );
        for (const { Key = '' } of page.Contents ?? []) {
          const key = Key.slice(toFullKey(connection, '').length);
          // Skips keys that Muster does not store: left-over probes, and the objects that consoles create for folders.
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
    create: (key, body) => createObject(connection, key, body),
    put: (key, body) => putObject(connection, key, body),
    async copy(from, to) {
      const step = { doing: `Copying ${from} to`, key: to, action: 's3:PutObject' };
      const source = `${bucket}/${toFullKey(connection, from)}`.split('/').map(encodeURIComponent).join('/');
      const outcome = await attemptRequest(connection, step, () =>
        client.send(
          new CopyObjectCommand({ ...toBucketAndKey(connection, to), CopySource: source, ChecksumAlgorithm: 'SHA256' }),
        ),
      );
      if ('answer' in outcome) {
        return;
      }
      throw isMissing(outcome.refusal)
        ? createObjectDamageError(connection, from, 'is missing')
        : outcome.refusal.error;
    },
    async remove(key) {
      const step = { doing: 'Removing', key, action: 's3:DeleteObject' };
      await requireAnswer(connection, step, () =>
        client.send(new DeleteObjectCommand(toBucketAndKey(connection, key))),
      );
    },
  };
}

function isSafeKey(key: string): boolean {
  return key.split('/').every((part) => part !== '' && !part.startsWith('.')) && !/[\\\0]/.test(key);
}

/** Muster makes the keys, so an unsafe one is a bug. */
function checkKey(key: string): string {
  if (isSafeKey(key)) {
    return key;
  }
  throw new MusterError(
    'unexpected',
    `Muster cannot store the key ${JSON.stringify(key)} in a bucket. Please report this.`,
  );
}

function checkPrefix(start: string): string {
  if (start === '' || (start.endsWith('/') && isSafeKey(start.slice(0, -1)))) {
    return start;
  }
  throw new MusterError('unexpected', `Muster cannot list the prefix ${JSON.stringify(start)}. Please report this.`);
}
