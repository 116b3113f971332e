/** The peer itself: it must refuse what S3 refuses, or what is tested with it is worth nothing. */
import { createHash } from 'node:crypto';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { algorithms, checksumOf } from './checksums.ts';
import { type S3Peer, startS3Peer } from './peer.ts';
import { clientOf } from './place.ts';
import { type Answered, chunked, hash, type Raw, type Signer, send, sign } from './raw.ts';

let peer: S3Peer;
let client: S3Client;
let signer: Signer;
beforeEach(async () => {
  peer = await startS3Peer({
    buckets: ['reports', { name: 'kept', versioned: true }, { name: 'far', region: 'us-west-2' }],
  });
  client = clientOf(peer);
  signer = { ...peer.credentials, region: peer.region, date: new Date() };
});
afterEach(() => peer.close());

const Bucket = 'reports';
const stored = (key = 'x') => peer.objects().get(key)?.toString();

function ask(raw: Raw, other: Partial<Signer> = {}, added: Record<string, string> = {}): Promise<Answered> {
  const { headers } = sign(raw, new URL(peer.url).host, { ...signer, ...other });
  return send(peer.url, raw, { ...headers, ...added });
}

const put = (headers: Record<string, string>, body = 'hello'): Raw => ({
  method: 'PUT',
  path: '/reports/x',
  headers,
  body: Buffer.from(body),
});

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: unknown) => (error instanceof Error ? error.name : 'unknown'),
  );
}

describe('signatures', () => {
  test('agree with the example that AWS publishes', () => {
    const example: Signer = {
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      region: 'us-east-1',
      date: new Date('2013-05-24T00:00:00Z'),
    };
    const get: Raw = { method: 'GET', path: '/test.txt', headers: { range: 'bytes=0-9' } };
    expect(sign(get, 'examplebucket.s3.amazonaws.com', example).signature).toBe(
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    );
  });

  test.each([
    ['wrong secret', { secretAccessKey: 'wrong' }, 403, 'SignatureDoesNotMatch'],
    ['wrong session', { sessionToken: 'other' }, 400, 'InvalidToken'],
    ['wrong region', { region: 'us-east-1' }, 400, 'AuthorizationHeaderMalformed'],
    ['20 minutes late', { date: new Date(Date.now() - 20 * 60_000) }, 403, 'RequestTimeTooSkewed'],
  ] as const)('with a %s are refused', async (_name, other, status, code) => {
    const answered = await ask(put({}), other);
    expect(answered).toMatchObject({ status, body: expect.stringContaining(`<Code>${code}</Code>`) });
    expect(peer.objects().size).toBe(0);
    expect(peer.calls).toEqual([]);
  });

  test('must be there, and must cover what is sent', async () => {
    expect(await send(peer.url, put({}), {})).toMatchObject({ status: 403 });
    expect(await send(peer.url, put({}), { authorization: 'Basic x' })).toMatchObject({ status: 400 });
    const added = await ask(put({}), {}, { 'x-amz-meta-added': 'later' });
    expect(added.body).toContain('headers present in the request which were not signed');
    const { headers } = sign(put({}), new URL(peer.url).host, signer);
    const changed = await send(peer.url, put({}, 'other'), headers);
    expect(changed).toMatchObject({ status: 400, body: expect.stringContaining('XAmzContentSHA256Mismatch') });
    expect(await send(peer.url, { ...put({}), path: '/reports/y' }, headers)).toMatchObject({ status: 403 });
    expect(peer.objects().size).toBe(0);
  });
});

describe('chunked bodies', () => {
  const pieces = [Buffer.alloc(10_000, 'a'), Buffer.alloc(9_000, 'b'), Buffer.alloc(10, 'c')];
  const whole = Buffer.concat(pieces);
  const crc = `x-amz-checksum-crc32:${checksumOf('CRC32', whole)}`;

  function streamed(trailer = crc, tamper = (body: Buffer) => body, cut = pieces, kind = unsigned): Promise<Answered> {
    const headers = {
      'content-encoding': 'aws-chunked',
      'x-amz-decoded-content-length': String(whole.length),
      'x-amz-trailer': 'x-amz-checksum-crc32',
    };
    const raw: Raw = { method: 'PUT', path: '/reports/x', headers, payload: kind };
    return send(
      peer.url,
      { ...raw, body: tamper(chunked(cut, trailer)) },
      sign(raw, new URL(peer.url).host, signer).headers,
    );
  }
  const unsigned = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';

  test('are put together', async () => {
    expect(await streamed()).toMatchObject({ status: 200 });
    expect(stored()).toBe(whole.toString());
    expect(peer.bucket().versions.get('x')?.[0]?.headers).not.toHaveProperty('content-encoding');
  });

  const asIs = (body: Buffer) => body;
  const flip = (body: Buffer) => {
    const copy = Buffer.from(body);
    const at = copy.indexOf('bbb');
    copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
    return copy;
  };

  test.each([
    ['a byte differs from the trailing checksum', crc, flip, pieces, unsigned, 'BadDigest'],
    ['the body is cut', crc, (body: Buffer) => body.subarray(0, 15_000), pieces, unsigned, 'IncompleteBody'],
    ['a chunk is missing', crc, asIs, pieces.slice(1), unsigned, 'IncompleteBody'],
    ['the announced trailer is missing', '', asIs, pieces, unsigned, 'MalformedTrailerError'],
    ['a chunk before the last is small', crc, asIs, [...pieces].reverse(), unsigned, 'InvalidChunkSizeError'],
    ['its chunks are signed', crc, asIs, pieces, 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD', 'NotImplemented'],
  ] as const)('are refused when %s', async (_name, trailer, tamper, cut, kind, code) => {
    const answered = await streamed(trailer, tamper, [...cut], kind);
    expect(answered.body).toContain(`<Code>${code}</Code>`);
    expect(peer.objects().size).toBe(0);
  });
});

describe('checksums', () => {
  test('have the values that everybody agrees on', () => {
    const check = Buffer.from('123456789');
    const hex = (name: (typeof algorithms)[number]) => Buffer.from(checksumOf(name, check), 'base64').toString('hex');
    expect(hex('CRC32')).toBe('cbf43926');
    expect(hex('SHA256')).toBe(createHash('sha256').update(check).digest('hex'));
  });

  test.each(algorithms)('%s of the SDK are taken, given back, and refused when wrong', async (ChecksumAlgorithm) => {
    await client.send(new PutObjectCommand({ Bucket, Key: 'x', Body: 'hello', ChecksumAlgorithm }));
    const head = await client.send(new HeadObjectCommand({ Bucket, Key: 'x', ChecksumMode: 'ENABLED' }));
    expect(head).toMatchObject({
      [`Checksum${ChecksumAlgorithm}`]: checksumOf(ChecksumAlgorithm, Buffer.from('hello')),
    });
    expect(head.ChecksumType).toBe('FULL_OBJECT');
    expect((await client.send(new HeadObjectCommand({ Bucket, Key: 'x' }))).ChecksumType).toBeUndefined();
    const header = `x-amz-checksum-${ChecksumAlgorithm.toLowerCase()}`;
    const wrong = await ask(put({ [header]: checksumOf(ChecksumAlgorithm, Buffer.from('other')) }));
    expect(wrong).toMatchObject({ status: 400, body: expect.stringContaining('<Code>BadDigest</Code>') });
    const odd = await ask(put({ [header]: 'AAAA' }));
    expect(odd).toMatchObject({ status: 400, body: expect.stringContaining('<Code>InvalidRequest</Code>') });
  });

  test('are one for each request, and named rightly', async () => {
    const body = Buffer.from('hello');
    const both = {
      'x-amz-checksum-crc32': checksumOf('CRC32', body),
      'x-amz-checksum-sha256': checksumOf('SHA256', body),
    };
    expect((await ask(put(both))).body).toContain('Multiple checksum Types are not allowed');
    expect((await ask(put({ 'x-amz-sdk-checksum-algorithm': 'SHA256' }))).body).toContain('no corresponding');
    for (const header of ['content-md5', 'x-amz-checksum-crc64nvme']) {
      expect((await ask(put({ [header]: 'AAAA' }))).body).toContain('NotImplemented');
    }
    expect(peer.objects().size).toBe(0);
    expect(await ask(put({}))).toMatchObject({ status: 200 });
    expect(peer.bucket().versions.get('x')?.[0]?.checksum.algorithm).toBe('CRC32');
  });
});

describe('conditions', () => {
  const write = (how: object, Body = 'second') => client.send(new PutObjectCommand({ Bucket, Key: 'x', Body, ...how }));

  test('on writing, copying, completing and deleting hold', async () => {
    expect(await codeOf(write({ IfMatch: '"0"' }))).toBe('NoSuchKey');
    const { ETag } = await write({ IfNoneMatch: '*' }, 'first');
    expect(await codeOf(write({ IfNoneMatch: '*' }))).toBe('PreconditionFailed');
    expect(await codeOf(write({ IfMatch: '"0"' }))).toBe('PreconditionFailed');
    expect(await codeOf(write({ IfNoneMatch: '"0"' }))).toBe('NotImplemented');
    const copy = { Bucket, Key: 'x', CopySource: 'reports/y' };
    await client.send(new PutObjectCommand({ Bucket, Key: 'y', Body: 'y' }));
    expect(await codeOf(client.send(new CopyObjectCommand({ ...copy, IfNoneMatch: '*' })))).toBe('PreconditionFailed');
    expect(await codeOf(client.send(new DeleteObjectCommand({ Bucket, Key: 'x', IfMatch: '"0"' })))).toBe(
      'PreconditionFailed',
    );
    expect(await codeOf(client.send(new CopyObjectCommand({ ...copy, CopySourceIfMatch: '"0"' })))).toBe(
      'NotImplemented',
    );
    expect(stored()).toBe('first');
    await write({ IfMatch: ETag });
    expect(stored()).toBe('second');
    expect(peer.calls.filter(({ conditional }) => conditional === 'If-Match').map(({ action }) => action)).toContain(
      's3:GetObject',
    );
  });

  test('of ten at once one is first', async () => {
    const codes = await Promise.all(
      Array.from({ length: 10 }, (_, index) => codeOf(write({ IfNoneMatch: '*' }, String(index)))),
    );
    expect(codes.filter((code) => code === 'done')).toHaveLength(1);
  });
});

describe('the rest', () => {
  test('a deletion leaves a marker, and what was there', async () => {
    const kept = { Bucket: 'kept', Key: 'x' };
    await client.send(new PutObjectCommand({ ...kept, Body: 'first' }));
    expect((await client.send(new DeleteObjectCommand(kept))).DeleteMarker).toBe(true);
    expect(await codeOf(client.send(new GetObjectCommand(kept)))).toBe('NoSuchKey');
    expect(peer.bucket('kept').versions.get('x')).toHaveLength(2);
  });

  test('a range is from a byte to the end', async () => {
    await client.send(new PutObjectCommand({ Bucket, Key: 'x', Body: '0123456789' }));
    const get = async (Range: string) => {
      const whole = { Bucket, Key: 'x', Range, ChecksumMode: 'ENABLED' } as const;
      const { Body, ContentRange, ChecksumCRC32 } = await client.send(new GetObjectCommand(whole));
      return [await Body?.transformToString(), ContentRange, ChecksumCRC32];
    };
    expect(await get('bytes=7-')).toEqual(['789', 'bytes 7-9/10', undefined]);
    expect(await codeOf(get('bytes=10-'))).toBe('InvalidRange');
    expect(await codeOf(get('bytes=-2'))).toBe('NotImplemented');
  });

  test('a policy is asked for every action, and absent looks like forbidden to who may not list', async () => {
    const strict = await startS3Peer({
      buckets: ['reports'],
      allow: ({ action, key }) => action === 's3:GetObject' || key === 'mine',
    });
    try {
      const asking = clientOf(strict);
      expect(await codeOf(asking.send(new PutObjectCommand({ Bucket, Key: 'mine', Body: 'x' })))).toBe('done');
      expect(await codeOf(asking.send(new PutObjectCommand({ Bucket, Key: 'other', Body: 'x' })))).toBe('AccessDenied');
      expect(await codeOf(asking.send(new GetObjectCommand({ Bucket, Key: 'other' })))).toBe('AccessDenied');
      expect(
        await codeOf(
          asking.send(
            new CopyObjectCommand({ Bucket, Key: 'mine', CopySource: 'reports/mine', MetadataDirective: 'REPLACE' }),
          ),
        ),
      ).toBe('done');
      expect(strict.calls.map(({ action, key }) => `${action} ${key}`)).toEqual([
        's3:PutObject mine',
        's3:PutObject other',
        's3:GetObject other',
        's3:PutObject mine',
        's3:GetObject mine',
      ]);
    } finally {
      await strict.close();
    }
  });

  test('what it does not know it does not pretend to do', async () => {
    for (const raw of [
      { method: 'PUT', path: '/reports/x?tagging=' },
      { method: 'POST', path: '/reports/x' },
      { method: 'PUT', path: '/reports' },
    ]) {
      expect(await ask(raw)).toMatchObject({ status: 501 });
    }
    expect(await codeOf(client.send(new HeadBucketCommand({ Bucket })))).toBe('done');
    expect(await codeOf(client.send(new ListObjectsV2Command({ Bucket: 'absent' })))).toBe('NoSuchBucket');
    expect(hash('')).toHaveLength(64);
  });
});
