import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../src/storage/store.ts';
import { type Fault, faults } from '../peers/s3/faults.ts';
import { type Call, type S3Peer, startS3Peer } from '../peers/s3/peer.ts';
import { storeOf } from '../peers/s3/place.ts';
import { megabytes } from './pieces.ts';

let peer: S3Peer;
let store: Store;
beforeEach(async () => {
  peer = await startS3Peer({ buckets: ['reports'] });
  store = storeOf(peer);
});
afterEach(() => peer.close());

const first = Buffer.from('first');
const second = Buffer.from('second');

/** Every write that others may have come before, and what is there afterwards. */
const writes: { name: string; commit: string; run: () => Promise<unknown>; key: string; contents: Buffer }[] = [
  {
    name: 'create',
    commit: 'PutObject',
    run: () => store.create('runs/x', second),
    key: 'runs/x',
    contents: second,
  },
  {
    name: 'create in parts',
    commit: 'CompleteMultipartUpload',
    run: () => store.create('runs/x', megabytes(9)),
    key: 'runs/x',
    contents: Buffer.alloc(9_000_000, 'x'),
  },
];

/** The fault for the first so many commits, everything else passes. */
function failCommits(commit: string, fault: Fault, times = 1): () => number {
  let failed = 0;
  peer.setFault(({ operation, conditional }) => {
    if (operation !== commit || conditional === undefined || failed === times) {
      return undefined;
    }
    failed += 1;
    return fault;
  });
  return () => failed;
}

async function prepare(): Promise<void> {
  await store.create('runs/before', first);
  peer.calls.length = 0;
}

const stored = (key: string) => peer.objects().get(`muster/prod/${key}`);
const codeOf = (work: Promise<unknown>) =>
  work.then(
    (value) => `no error, ${String(value)}`,
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );

describe.each(writes)('$name', ({ commit, run, key, contents }) => {
  beforeEach(prepare);

  test.each([
    ['a lost reply', faults.loseReply, 1],
    ['a lost reply of every try', faults.loseReply, 5],
    ['500 after it was done', faults.failAfter, 1],
    ['500 after it was done, every try', faults.failAfter, 5],
    ['500 before it was done', faults.failBefore, 1],
    ['SlowDown twice', faults.slowDown, 2],
    ['a cut connection', faults.cut, 2],
  ] as const)('of ours is ours after %s [S1, S4, S5]', async (_name, fault, times) => {
    const failed = failCommits(commit, fault, times);
    expect(await run()).not.toBe(false);
    expect(failed()).toBe(times);
    expect(stored(key)?.equals(contents)).toBe(true);
    expect(peer.bucket().uploads.size).toBe(0);
  });

  test.each([1, 3])('is tried again after 409, %i times [S6]', async (times) => {
    const failed = failCommits(commit, faults.conflict, times);
    expect(await run()).not.toBe(false);
    expect(failed()).toBe(times);
    expect(stored(key)?.equals(contents)).toBe(true);
  });

  test('gives up after repeated 409, and leaves nothing behind [S6]', async () => {
    const before = peer.objects();
    const failed = failCommits(commit, faults.conflict, Number.POSITIVE_INFINITY);
    await expect(run()).rejects.toMatchObject({
      code: 'store-unreachable',
      message: expect.stringMatching(new RegExp(`${key}.*s3:PutObject.*ConditionalRequestConflict`)),
    });
    expect(failed()).toBe(5);
    expect(peer.objects()).toEqual(before);
    expect(peer.bucket().uploads.size).toBe(0);
  });

  test.each([
    ['before it', undefined],
    ['while it is told 409', faults.conflict],
    ['while it is told 500', faults.failBefore],
    ['while its connections are cut', faults.cut],
  ] as const)('loses to somebody who was first, %s [S7]', async (_name, fault) => {
    const other = storeOf(peer);
    let met = 0;
    const rival = async (call: Call) => {
      if (call.operation !== commit || call.conditional === undefined || met === 3) {
        return undefined;
      }
      met += 1;
      if (met > 1) {
        return fault;
      }
      peer.setFault(undefined);
      await other.put(key, Buffer.from('of another'));
      peer.setFault(rival);
      return fault;
    };
    peer.setFault(rival);
    expect(await codeOf(run())).toBe('key-taken');
    expect(stored(key)?.toString()).toBe('of another');
    expect(peer.bucket().uploads.size).toBe(0);
  });

  test('whose condition is met and refused for ever is refused by a place that does not suit', async () => {
    const failed = failCommits(commit, faults.refuse(412, 'PreconditionFailed'), Number.POSITIVE_INFINITY);
    await expect(run()).rejects.toMatchObject({
      code: 'store-unsuited',
      message: expect.stringMatching(/^s3:\/\/reports\/muster\/prod refuses a conditional write .*Amazon S3/),
    });
    expect(failed()).toBe(1);
  });

  test.each([
    ['refused', faults.deny, 'AccessDenied', []],
    ['failing for ever', faults.failBefore, 'InternalError', [1]],
  ] as const)('%s is not tried again, and only what is in doubt is looked at', async (_name, fault, code, looks) => {
    failCommits(commit, fault, Number.POSITIVE_INFINITY);
    const doing = expect.stringMatching(new RegExp(`^Creating ${key} `));
    await expect(run()).rejects.toMatchObject({ code: 'store-unreachable', cause: { code }, message: doing });
    const committed = peer.calls.findLastIndex(({ operation }) => operation === commit);
    const looked = peer.calls.slice(committed).filter(({ operation }) => /^(Head|Get)Object$/.test(operation));
    expect(looked.map(() => 1)).toEqual(looks);
  });

  test('refused for another write cannot be settled where the key cannot be read, which is what is said', async () => {
    peer.setFault(({ operation, conditional }) =>
      operation === commit && conditional ? faults.conflict : isLater(operation) ? noReading(operation) : undefined,
    );
    const isLater = (operation: string) => operation !== 'GetObject' || peer.calls.some((call) => call.conditional);
    await expect(run()).rejects.toMatchObject({
      ...{ code: 'store-unreachable', cause: { code: 'AccessDenied' } },
      message: expect.stringMatching(new RegExp(`^Reading ${key} .*s3:GetObject`)),
    });
  });

  test('in doubt that nothing can settle is said as what happened first', async () => {
    peer.setFault(({ operation, conditional }) =>
      operation === commit && conditional
        ? faults.failBefore
        : operation === 'UploadPart'
          ? undefined
          : noReading(operation),
    );
    await expect(run()).rejects.toMatchObject({ code: 'store-unreachable', cause: { code: 'InternalError' } });
  });
});

function noReading(operation: string): Fault | undefined {
  return operation === 'HeadObject' || operation === 'GetObject' ? faults.deny : undefined;
}

test('a write in parts without a condition is ours where its last answer was lost, and not where nothing was written', async () => {
  const complete = (fault: Fault) =>
    peer.setFault(({ operation }) => (operation === 'CompleteMultipartUpload' ? fault : undefined));
  complete(faults.refuse(404, 'NoSuchUpload'));
  await expect(store.put('runs/x', megabytes(9))).rejects.toMatchObject({ cause: { code: 'NoSuchUpload' } });
  let lost = 0;
  peer.setFault(({ operation }) => {
    lost += operation === 'CompleteMultipartUpload' ? 1 : 0;
    return operation === 'CompleteMultipartUpload' && lost === 1 ? faults.loseReply : undefined;
  });
  await expect(store.put('runs/x', megabytes(9))).resolves.toMatchObject({ bytes: 9_000_000 });
  expect(lost).toBeGreaterThan(1);
});

test('what exists is never created again, and says where', async () => {
  await store.create('runs/x', first);
  await expect(store.create('runs/x', second)).rejects.toMatchObject({
    code: 'key-taken',
    message: 'runs/x already exists in s3://reports/muster/prod; Muster never writes it twice.',
  });
});

test('of two creates of the same contents one wins', async () => {
  const same = () => codeOf(store.create('runs/claimed', Buffer.from('the same')));
  const outcomes = await Promise.all([same(), same()]);
  expect(outcomes.filter((outcome) => outcome === 'key-taken')).toHaveLength(1);
});
