/** The S3 server of the tests: uploads in parts, and listing. */
import { createHash } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type S3Peer, startS3Peer } from './peer.ts';
import { clientOf } from './place.ts';

let peer: S3Peer;
let client: S3Client;
beforeEach(async () => {
  peer = await startS3Peer({
    buckets: ['reports', { name: 'kept', versioned: true }, { name: 'far', region: 'us-west-2' }],
  });
  client = clientOf(peer);
});
afterEach(() => peer.close());

const Bucket = 'reports';

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: unknown) => (error instanceof Error ? error.name : 'unknown'),
  );
}

describe('uploads in parts', () => {
  const part = Buffer.alloc(5 * 1024 * 1024, 'p');
  const sha = (body: Buffer) => createHash('sha256').update(body).digest('base64');

  async function begin(
    how: object = { ChecksumAlgorithm: 'SHA256' },
  ): Promise<{ Bucket: string; Key: string; UploadId: string }> {
    const { UploadId = '' } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'x', ...how }));
    return { Bucket, Key: 'x', UploadId };
  }
  async function give(upload: { Bucket: string; Key: string; UploadId: string }, PartNumber: number, Body: Buffer) {
    const { ETag } = await client.send(
      new UploadPartCommand({ ...upload, PartNumber, Body, ChecksumSHA256: sha(Body) }),
    );
    return { PartNumber, ETag, ChecksumSHA256: sha(Body) };
  }
  const complete = (upload: { Bucket: string; Key: string; UploadId: string }, Parts: object[], how: object = {}) =>
    codeOf(client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts }, ...how })));

  test('are put together, with the checksum of their checksums', async () => {
    const upload = await begin();
    const parts = [await give(upload, 1, part), await give(upload, 2, Buffer.from('rest'))];
    expect(peer.objects().size).toBe(0);
    expect(await complete(upload, parts)).toBe('done');
    expect(peer.objects().get('x')?.length).toBe(part.length + 4);
    const head = await client.send(new HeadObjectCommand({ Bucket, Key: 'x', ChecksumMode: 'ENABLED' }));
    const joined = Buffer.concat([part, Buffer.from('rest')].map((body) => Buffer.from(sha(body), 'base64')));
    expect(head).toMatchObject({
      ChecksumSHA256: `${sha(joined)}-2`,
      ChecksumType: 'COMPOSITE',
      ETag: expect.stringMatching(/-2"$/),
    });
    expect(await complete(upload, parts)).toBe('NoSuchUpload');
    expect(await complete(upload, parts, { IfNoneMatch: '*' })).toBe('PreconditionFailed');
  });

  test('are refused when a part is small, out of order, unknown, other, or without its checksum', async () => {
    const upload = await begin();
    const small = await give(upload, 1, Buffer.from('small'));
    const last = await give(upload, 2, part);
    expect(await complete(upload, [small, last])).toBe('EntityTooSmall');
    expect(await complete(upload, [last, small])).toBe('InvalidPartOrder');
    expect(await complete(upload, [last, { ...last, PartNumber: 3 }])).toBe('InvalidPart');
    expect(await complete(upload, [{ ...last, ETag: '"0"' }])).toBe('InvalidPart');
    expect(await complete(upload, [{ ...last, ChecksumSHA256: sha(Buffer.from('other')) }])).toBe('InvalidPart');
    expect(await complete(upload, [{ PartNumber: 2, ETag: last.ETag }])).toBe('InvalidRequest');
    expect(await complete(upload, [])).toBe('MalformedXML');
    const other = client.send(
      new UploadPartCommand({ ...upload, PartNumber: 3, Body: part, ChecksumAlgorithm: 'CRC32' }),
    );
    expect(await codeOf(other)).toBe('InvalidRequest');
    expect(peer.objects().size).toBe(0);
    expect(await complete(upload, [last])).toBe('done');
  });
});

describe('listing', () => {
  beforeEach(async () => {
    for (const Key of ['a/1', 'a/2', 'a/b/3', 'a-b', 'B', 'ä', '🙂', '\u{FFFD}']) {
      await client.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
    }
  });

  test('is in order of bytes, page by page', async () => {
    const keys: (string | undefined)[] = [];
    let pages = 0;
    for (let token: string | undefined; ; ) {
      const page = await client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 3, ContinuationToken: token }));
      pages += 1;
      keys.push(...(page.Contents ?? []).map(({ Key }) => Key));
      if (!page.IsTruncated) {
        break;
      }
      token = page.NextContinuationToken;
    }
    expect(keys).toEqual(['B', 'a-b', 'a/1', 'a/2', 'a/b/3', 'ä', '\u{FFFD}', '🙂']);
    expect(pages).toBe(3);
    expect(await codeOf(client.send(new ListObjectsV2Command({ Bucket, ContinuationToken: 'made up' })))).toBe(
      'InvalidArgument',
    );
  });
});
