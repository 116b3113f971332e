/**
 * An S3 server for tests, on loopback: it refuses what S3 refuses (signatures, checksums, conditions, small parts),
 * writes down every call, and fails on command. Everything is in memory; nothing is shared with the store under test.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../../http/loopback.ts';
import { type Asked, type Needed, neededFor, type Operation, operationOf, type Reply } from './asked.ts';
import { type Bucket, type BucketOptions, currentOf, keysOf, makeBucket, type Version } from './bucket.ts';
import { conditionIn } from './conditions.ts';
import type { Fault } from './faults.ts';
import { listObjects } from './list.ts';
import { copyObject, deleteObject, getObject, putObject } from './objects.ts';
import { payloadOf } from './payload.ts';
import { isRefusal, type Refusal, refusal, refusalBody, refused } from './refusal.ts';
import { type Credentials, checkSignature } from './signature.ts';
import { abortUpload, completeUpload, createUpload, uploadPart } from './uploads.ts';

export interface Call extends Needed {
  /** Of the request, from 1; a copy makes two calls of one request. */
  readonly request: number;
  readonly operation: Operation;
  readonly conditional?: 'If-None-Match' | 'If-Match';
}

interface PeerOptions {
  readonly buckets: readonly (string | BucketOptions)[];
  readonly credentials?: Credentials;
  /** As a policy: whether an action is allowed. */
  readonly allow?: (needed: Needed) => boolean;
  readonly now?: () => Date;
  readonly largestCopy?: number;
}

export type ChooseFault = (call: Call) => Fault | undefined | Promise<Fault | undefined>;

export type Snapshot = ReadonlyMap<string, ReadonlyMap<string, readonly Version[]>>;

export interface S3Peer {
  readonly url: string;
  /** What a process must have in its environment to use this peer. */
  readonly environment: Readonly<Record<string, string>>;
  readonly credentials: Credentials;
  readonly region: string;
  /** What is allowed or not was asked for, in order. */
  readonly calls: Call[];
  bucket(name?: string): Bucket;
  /** What is current, by key. */
  objects(name?: string): Map<string, Buffer>;
  snapshot(): Snapshot;
  restore(snapshot: Snapshot): void;
  /** Asked before each request is applied; undefined lets everything pass again. */
  setFault(choose: ChooseFault | undefined): void;
  close(): Promise<void>;
}

const region = 'eu-west-1';

const answers: Readonly<Record<Operation, (asked: Asked) => Reply>> = {
  HeadBucket: () => ({ status: 200, headers: { 'x-amz-bucket-region': region } }),
  ListObjectsV2: listObjects,
  PutObject: putObject,
  CopyObject: copyObject,
  GetObject: getObject,
  HeadObject: getObject,
  DeleteObject: deleteObject,
  CreateMultipartUpload: createUpload,
  UploadPart: uploadPart,
  CompleteMultipartUpload: completeUpload,
  AbortMultipartUpload: abortUpload,
};

export async function startS3Peer(options: PeerOptions): Promise<S3Peer> {
  const { allow = () => true, now = () => new Date(), largestCopy = 5 * 1024 ** 3 } = options;
  const credentials = options.credentials ?? {
    accessKeyId: 'AKIAPEER0000000CANARY',
    secretAccessKey: 'peer-secret-canary-6b1d0c7e5a',
    sessionToken: 'peer-session-canary-93c41f',
  };
  const buckets = new Map(
    options.buckets
      .map((one) => makeBucket(typeof one === 'string' ? { name: one } : one))
      .map((one) => [one.name, one]),
  );
  const calls: Call[] = [];
  let requests = 0;
  let choose: ChooseFault | undefined;

  const bucketNamed = (name: string): Bucket => {
    const found = buckets.get(name);
    if (found) {
      return found;
    }
    throw refused.noSuchBucket(name);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await bodyOf(request);
    if (raw === undefined) {
      return;
    }
    requests += 1;
    const number = requests;
    const url = new URL(request.url ?? '/', 'http://peer');
    const path = request.url?.split('?')[0] ?? '/';
    const [, bucketName = '', ...rest] = path.split('/').map(decodeURIComponent);
    const key = rest.join('/');
    const method = request.method ?? '';
    let fault: Fault | undefined;
    let reply: Reply | Refusal;
    try {
      const { headers } = request;
      checkSignature(request, [credentials], buckets.get(bucketName)?.region ?? region, now());
      const payload = payloadOf(headers, raw);
      const operation = operationOf(method, key, url.searchParams, headers);
      const needed = neededFor(operation, bucketName, key, url.searchParams, headers);
      const conditional = conditionIn(headers);
      const made = needed.map((one) => ({
        request: number,
        operation,
        ...one,
        ...(conditional ? { conditional } : {}),
      }));
      calls.push(...made);
      const [first] = made;
      if (first) {
        fault = await choose?.(first);
      }
      if (fault?.kind === 'cut') {
        return void response.destroy();
      }
      if (fault?.kind === 'hang') {
        return;
      }
      if (fault?.kind === 'refuse') {
        throw refusal(fault.status, fault.code, 'As the test wants it.', fault.extra);
      }
      if (fault?.kind === 'fail-in-200') {
        throw refusal(200, 'InternalError', 'We encountered an internal error.');
      }
      if (!needed.every(allow)) {
        throw refused.accessDenied();
      }
      reply = answers[operation]({
        ...{ operation, key, headers, now: now(), largestCopy, bucketNamed, ...payload },
        bucket: bucketNamed(bucketName),
        query: url.searchParams,
        ignoresConditions: fault?.kind === 'ignore-conditions',
        allows: (action, where) => allow({ action, bucket: bucketName, key: where }),
      });
    } catch (error) {
      if (!isRefusal(error)) {
        throw error;
      }
      reply = error;
    }
    if (fault?.kind === 'lose-reply') {
      return void response.destroy();
    }
    if (fault?.kind === 'fail-after') {
      reply = refusal(500, 'InternalError', 'We encountered an internal error.');
    }
    send(response, method, path, reply, fault, now(), number);
  }

  const { origin: endpoint, close } = await listen(server);
  const first = buckets.keys().next().value ?? '';

  return {
    ...{ url: endpoint, credentials, region, calls },
    environment: {
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      ...(credentials.sessionToken === undefined ? {} : { AWS_SESSION_TOKEN: credentials.sessionToken }),
    },
    bucket: (name = first) => bucketNamed(name),
    objects(name = first) {
      const bucket = bucketNamed(name);
      return new Map(keysOf(bucket).map((key) => [key, currentOf(bucket, key)?.body ?? Buffer.alloc(0)]));
    },
    snapshot: () => new Map([...buckets].map(([name, { versions }]) => [name, new Map(versions)])),
    restore(snapshot) {
      for (const [name, { versions, uploads }] of buckets) {
        versions.clear();
        uploads.clear();
        for (const [key, kept] of snapshot.get(name) ?? []) {
          versions.set(key, kept);
        }
      }
    },
    setFault(chosen) {
      choose = chosen;
    },
    close,
  };
}

/** Undefined when the client went away in the middle. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of request) {
      pieces.push(piece);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(pieces);
}

function send(
  response: ServerResponse,
  method: string,
  path: string,
  reply: Reply | Refusal,
  fault: Fault | undefined,
  date: Date,
  number: number,
): void {
  const requestId = `PEER${String(number).padStart(12, '0')}`;
  const common = { 'x-amz-request-id': requestId, date: date.toUTCString(), server: 'AmazonS3' };
  if (isRefusal(reply)) {
    const body = method === 'HEAD' || reply.status === 304 ? '' : refusalBody(reply, path, requestId);
    response.writeHead(reply.status, { ...common, ...(body ? { 'content-type': 'application/xml' } : {}) });
    response.end(body);
    return;
  }
  const body = Buffer.from(reply.body ?? '');
  response.writeHead(reply.status, { ...common, 'content-length': body.length, ...reply.headers });
  if (method === 'HEAD') {
    response.end();
  } else if (fault?.kind === 'truncate') {
    response.write(body.subarray(0, body.length / 2), () => response.destroy());
  } else {
    response.end(fault?.kind === 'corrupt' ? flipped(body) : body);
  }
}

function flipped(body: Buffer): Buffer {
  const copy = Buffer.from(body);
  const middle = copy.length >> 1;
  if (copy.length > 0) {
    copy.writeUInt8(copy.readUInt8(middle) ^ 1, middle);
  }
  return copy;
}
