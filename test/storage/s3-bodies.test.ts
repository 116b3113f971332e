/** Bodies on their way: in parts, torn, damaged, taken up again. */
import { createHash } from 'node:crypto';
import { Agent } from 'node:http';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../src/storage/store.ts';
import { type Fault, faults } from '../peers/s3/faults.ts';
import { type S3Peer, startS3Peer } from '../peers/s3/peer.ts';
import { clientOf, storeOf } from '../peers/s3/place.ts';
import { megabytes } from './pieces.ts';

let peer: S3Peer;
let store: Store;
beforeEach(async () => {
  peer = await startS3Peer({ buckets: ['reports'] });
  store = storeOf(peer);
});
afterEach(async () => {
  await peer.close();
  // A fault that no request met proves nothing.
  expect(unmetFaults()).toEqual([]);
});

const operations = () => peer.calls.map(({ operation }) => operation);
const stored = (key: string) => peer.objects().get(`muster/prod/${key}`);
const sha256 = (body: Buffer) => createHash('sha256').update(body).digest('hex');

let planned: { readonly operation: string; readonly times: number; met: number }[] = [];

/** The fault for the first so many requests of an operation, or for all. */
function fail(operation: string, fault: Fault, times = Number.POSITIVE_INFINITY): void {
  const plan = { operation, times, met: 0 };
  planned.push(plan);
  peer.setFault((call) => {
    if (call.operation !== operation || plan.met === times) {
      return undefined;
    }
    plan.met += 1;
    return fault;
  });
}

function unmetFaults(): string[] {
  const plans = planned;
  planned = [];
  return plans
    .filter(({ met, times }) => met < (Number.isFinite(times) ? times : 1))
    .map(({ operation, met }) => `${operation} met ${met}`);
}

describe('a body in pieces', () => {
  test.each([
    [8, ['PutObject']],
    [9, ['CreateMultipartUpload', 'UploadPart', 'UploadPart', 'CompleteMultipartUpload']],
  ])('of %i million bytes is written with %j', async (count, expected) => {
    const whole = Buffer.alloc(count * 1_000_000, 'x');
    for (const write of [store.create, store.put]) {
      peer.calls.length = 0;
      expect(await write('runs/large', megabytes(count))).toEqual({ bytes: whole.length, sha256: sha256(whole) });
      expect(operations()).toEqual(expected);
      expect(stored('runs/large')?.equals(whole)).toBe(true);
      expect(await store.digest('runs/large')).toBe(sha256(whole));
      await store.remove('runs/large');
    }
  });

  test('of exactly one part, and of one byte more, has no part more than it needs', async () => {
    const part = 8 * 1024 * 1024;
    for (const [length, parts] of [
      [part, 0],
      [part + 1, 2],
      [2 * part, 2],
      [2 * part + 1, 3],
    ] as const) {
      const whole = Buffer.alloc(length, 'y');
      for (const body of [inPieces(whole, 3_000_000), whole]) {
        peer.calls.length = 0;
        await store.put('runs/edge', body);
        expect(stored('runs/edge')?.equals(whole)).toBe(true);
        expect(operations().filter((operation) => operation === 'UploadPart')).toHaveLength(parts);
      }
    }
  });

  test('is never far ahead of what was sent', async () => {
    let made = 0;
    let furthest = 0;
    const counted = async function* () {
      for await (const piece of megabytes(40)) {
        made += piece.length;
        const [upload] = peer.bucket().uploads.values();
        const sent = [...(upload?.parts.values() ?? [])].reduce((sum, { body }) => sum + body.length, 0);
        furthest = Math.max(furthest, made - sent);
        yield piece;
      }
    };
    await store.create('runs/large', counted());
    expect(furthest).toBeLessThan(20_000_000);
  });

  test.each(['create', 'put'] as const)('that breaks off after two parts leaves none of them (%s)', async (method) => {
    const breaking = async function* () {
      yield* megabytes(20);
      throw new Error('the body broke off');
    };
    await expect(store[method]('runs/large', breaking())).rejects.toThrow('the body broke off');
    expect(operations()).toContain('AbortMultipartUpload');
    expect(peer.bucket().uploads.size).toBe(0);
    expect(peer.objects().size).toBe(0);
  });

  test.each(['CreateMultipartUpload', 'UploadPart', 'CompleteMultipartUpload'])(
    'leaves nothing when %s fails for ever [S11]',
    async (operation) => {
      for (const [method, doing] of Object.entries({ create: 'Creating', put: 'Writing' } as const)) {
        fail(operation, faults.failBefore);
        const sentence = `^${doing} runs/large in s3://reports/muster/prod failed: s3:PutObject .*InternalError`;
        await expect(store[method as 'create' | 'put']('runs/large', megabytes(9))).rejects.toMatchObject({
          code: 'store-unreachable',
          message: expect.stringMatching(new RegExp(sentence)),
        });
        expect(peer.bucket().uploads.size).toBe(0);
        expect(peer.objects().size).toBe(0);
      }
    },
  );

  test('that cannot be aborted still says what went wrong first', async () => {
    peer.setFault(({ operation }) =>
      operation === 'UploadPart' ? faults.deny : operation === 'AbortMultipartUpload' ? faults.failBefore : undefined,
    );
    await expect(store.create('runs/large', megabytes(9))).rejects.toMatchObject({ cause: { code: 'AccessDenied' } });
    expect(peer.bucket().uploads.size).toBe(1);
  });

  test.each([
    ['CreateMultipartUpload', faults.loseReply],
    ['UploadPart', faults.loseReply],
    ['UploadPart', faults.slowDown],
    ['CompleteMultipartUpload', faults.loseReply],
    ['CompleteMultipartUpload', faults.failAfter],
    ['CompleteMultipartUpload', faults.failIn200],
  ] as const)('is whole when %s meets %o once [S11]', async (operation, fault) => {
    for (const method of ['create', 'put'] as const) {
      fail(operation, fault, 1);
      await store[method](`runs/${method}`, megabytes(9));
      expect(stored(`runs/${method}`)?.length).toBe(9_000_000);
    }
  });

  test('of a key that is taken is thrown away, parts and all', async () => {
    await store.put('runs/large', Buffer.from('before'));
    await expect(store.create('runs/large', megabytes(9))).rejects.toMatchObject({ code: 'key-taken' });
    expect(stored('runs/large')?.toString()).toBe('before');
    expect(peer.bucket().uploads.size).toBe(0);
  });
});

describe('a copy', () => {
  test('has a SHA-256 of its own, also of what was written in parts', async () => {
    const { sha256: expected } = await store.create('runs/large', megabytes(9));
    await store.copy('runs/large', 'latest/large');
    peer.calls.length = 0;
    expect(await store.digest('latest/large')).toBe(expected);
    expect(operations()).toEqual(['HeadObject']);
    expect(await store.digest('runs/large')).toBe(expected);
  });

  test.each([faults.loseReply, faults.failAfter, faults.failBefore, faults.failIn200, faults.slowDown])(
    'is made after %o',
    async (fault) => {
      await store.create('runs/x', Buffer.from('x'));
      fail('CopyObject', fault, 1);
      await store.copy('runs/x', 'latest/ä = 1 + 1.csv');
      expect(stored('latest/ä = 1 + 1.csv')?.toString()).toBe('x');
    },
  );

  test('of more than S3 copies at once is refused by name', async () => {
    const small = await startS3Peer({ buckets: ['reports'], largestCopy: 10 });
    try {
      await storeOf(small).create('runs/x', Buffer.alloc(11));
      await expect(storeOf(small).copy('runs/x', 'latest/x')).rejects.toMatchObject({
        code: 'store-unreachable',
        message: expect.stringMatching(/Copying runs\/x to latest\/x .*InvalidRequest.*at most 5 GB/),
      });
    } finally {
      await small.close();
    }
  });
});

describe('reading', () => {
  const whole = Buffer.from(Array.from({ length: 400_000 }, (_, index) => index % 251));
  beforeEach(async () => {
    await store.create('runs/x', whole);
    peer.calls.length = 0;
  });
  const streamed = async (key: string) => Buffer.concat(await Array.fromAsync(store.stream(key)));

  test('is tried again when the body breaks off [S9]', async () => {
    fail('GetObject', faults.truncate, 2);
    expect((await store.read('runs/x'))?.equals(whole)).toBe(true);
    fail('GetObject', faults.truncate, 2);
    expect((await streamed('runs/x')).equals(whole)).toBe(true);
  });

  test('of a body that never arrives whole is store-unreachable [S9]', async () => {
    fail('GetObject', faults.truncate);
    for (const read of [() => store.read('runs/x'), () => streamed('runs/x')]) {
      await expect(read()).rejects.toMatchObject({
        code: 'store-unreachable',
        message: expect.stringMatching(/^Reading runs\/x in s3:\/\/reports\/muster\/prod failed: s3:GetObject /),
      });
    }
  });

  test('a body that was damaged on its way once is read again [S9]', async () => {
    fail('GetObject', faults.corrupt, 1);
    expect((await store.read('runs/x'))?.equals(whole)).toBe(true);
  });

  test('a damaged body is store-damaged [S9]', async () => {
    fail('GetObject', faults.corrupt);
    for (const read of [() => store.read('runs/x'), () => streamed('runs/x')]) {
      await expect(read()).rejects.toMatchObject({ code: 'store-damaged', message: expect.stringContaining('runs/x') });
    }
  });

  test('a stream taken up again is still compared with the checksum of the whole', async () => {
    let answered = 0;
    peer.setFault(({ operation }) => {
      if (operation !== 'GetObject') {
        return undefined;
      }
      answered += 1;
      return answered === 1 ? faults.truncate : faults.corrupt;
    });
    await expect(streamed('runs/x')).rejects.toMatchObject({ code: 'store-damaged' });
  });

  test('a key that changes while its stream is taken up again is not mixed', async () => {
    const rival = storeOf(peer);
    let answered = 0;
    peer.setFault(async ({ operation }) => {
      if (operation !== 'GetObject') {
        return undefined;
      }
      answered += 1;
      if (answered === 1) {
        return faults.truncate;
      }
      await rival.put('runs/x', Buffer.alloc(400_000));
      return undefined;
    });
    await expect(streamed('runs/x')).rejects.toMatchObject({ code: 'store-unreachable' });
  });

  test('a stream left early closes its connection', async () => {
    const httpAgent = new Agent({ keepAlive: true });
    const left = storeOf(peer, { client: clientOf(peer, { requestHandler: { httpAgent } }) });
    await left.put('runs/large', Buffer.alloc(30_000_000));
    for await (const _ of left.stream('runs/large')) {
      break;
    }
    await left.read('runs/x');
    expect(Object.values(httpAgent.sockets).flat()).toEqual([]);
  });

  test('the digest of what somebody else wrote, with another checksum, is read', async () => {
    const client = clientOf(peer);
    await client.send(new PutObjectCommand({ Bucket: 'reports', Key: 'muster/prod/foreign', Body: whole }));
    expect(peer.bucket().versions.get('muster/prod/foreign')?.[0]?.checksum.algorithm).toBe('CRC32');
    expect(await store.digest('foreign')).toBe(sha256(whole));
    expect(operations()).toEqual(['PutObject', 'HeadObject', 'GetObject']);
  });
});

test('reports say what they are to whoever opens them', async () => {
  const types = {
    'index.html': 'text/html; charset=utf-8',
    'devices.csv': 'text/csv; charset=utf-8',
    x: 'application/octet-stream',
  };
  for (const [name, type] of Object.entries(types)) {
    await store.create(`runs/${name}`, Buffer.from('x'));
    await store.copy(`runs/${name}`, `latest/${name}`);
    const version = peer.bucket().versions.get(`muster/prod/latest/${name}`)?.at(-1);
    expect(version?.headers['content-type']).toBe(type);
  }
});

async function* inPieces(whole: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < whole.length; at += size) {
    yield whole.subarray(at, at + size);
  }
}
