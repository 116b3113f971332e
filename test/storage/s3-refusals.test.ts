/** What S3 refuses, and what people are told: the action, the key, S3's code and what to do; never a credential. */
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createS3Store } from '../../src/storage/s3/s3-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { loopback } from '../http/loopback.ts';
import { type Fault, faults } from '../peers/s3/faults.ts';
import { type S3Peer, startS3Peer } from '../peers/s3/peer.ts';
import { clientOf, storeOf } from '../peers/s3/place.ts';

let peer: S3Peer;
let store: Store;
beforeEach(async () => {
  peer = await startS3Peer({ buckets: ['reports', { name: 'far', region: 'us-west-2' }] });
  store = storeOf(peer);
});
afterEach(() => peer.close());

const doings: Record<string, (store: Store) => Promise<unknown>> = {
  's3:GetObject read': (one) => one.read('runs/x'),
  's3:GetObject stream': (one) => Array.fromAsync(one.stream('runs/x')),
  's3:GetObject digest': (one) => one.digest('runs/x'),
  's3:ListBucket list': (one) => Array.fromAsync(one.list('runs/')),
  's3:PutObject create': (one) => one.create('runs/x', Buffer.from('x')),
  's3:PutObject put': (one) => one.put('runs/x', Buffer.from('x')),
  's3:PutObject copy': (one) => one.copy('runs/x', 'latest/x'),
  's3:DeleteObject remove': (one) => one.remove('runs/x'),
};

const refusals: readonly (readonly [code: string, fault: Fault, advice: RegExp])[] = [
  ['AccessDenied', faults.deny, /Allow s3:\w+ below s3:\/\/reports\/muster\/prod; .*kms:Decrypt.*s3:ListBucket/],
  ['NoSuchBucket', faults.refuse(404, 'NoSuchBucket'), /no such bucket; check the store/],
  ['PermanentRedirect', faults.refuse(301, 'PermanentRedirect'), /another region; set AWS_REGION/],
  ['SlowDown', faults.slowDown, /S3 is busy/],
  ['InternalError', faults.failBefore, /S3 is busy/],
  ['KMS.DisabledException', faults.refuse(400, 'KMS.DisabledException'), /KMS key: it must be enabled/],
  ['ExpiredToken', faults.refuse(400, 'ExpiredToken'), /sign in to AWS again/],
  ['RequestTimeTooSkewed', faults.refuse(403, 'RequestTimeTooSkewed'), /clock is wrong/],
  ['TimeoutError', faults.cut, /S3 did not answer; check the network/],
];

describe.each(Object.entries(doings))('%s', (name, doing) => {
  const [action = ''] = name.split(' ');

  test.each(refusals)('says %s with action, key and what to do [S3, S13]', async (code, fault, advice) => {
    peer.setFault(() => fault);
    const error = await failure(doing(store));
    // To HEAD, a missing bucket and a missing key are one 404 without a word; every other request tells them apart.
    if (name.endsWith('digest') && code === 'NoSuchBucket') {
      return expect(error.message).toBe('No error, but undefined');
    }
    expect(error).toMatchObject({ code: 'store-unreachable' });
    if (!name.endsWith('digest') || code === 'AccessDenied') {
      expect(error.message).toMatch(advice);
      expect(error).toMatchObject({ cause: { code } });
      expect(error.message).toContain(code);
    }
    expect(error.message).toContain('s3://reports/muster/prod');
    expect(error.message).toContain(action);
    expect(error.message).toMatch(/(runs|latest)\//);
    expectNoSecret(error);
  });

  test('of a bucket that is not there is said so, or nothing is there', async () => {
    const elsewhere = createS3Store({ bucket: 'absent', prefix: '' }, { client: clientOf(peer) });
    if (name.endsWith('digest')) {
      return expect(await doing(elsewhere)).toBeUndefined();
    }
    const error = await failure(doing(elsewhere));
    expect(error).toMatchObject({ code: 'store-unreachable', message: expect.stringContaining('no such bucket') });
  });
});

describe('credentials', () => {
  const wrong = [
    ['SignatureDoesNotMatch', { secretAccessKey: 'wrong-secret-canary' }],
    ['InvalidAccessKeyId', { accessKeyId: 'AKIAWRONG000000CANARY' }],
    ['InvalidToken', { sessionToken: 'wrong-session-canary' }],
  ] as const;

  test.each(wrong)('that S3 does not take are said, %s, and not shown', async (code, other) => {
    const client = clientOf(peer, { credentials: { ...peer.credentials, ...other } });
    for (const doing of [(one: Store) => one.probe(), ...Object.values(doings)]) {
      const error = await failure(doing(storeOf(peer, { client })));
      expect(error).toMatchObject({ code: 'store-unreachable' });
      expectNoSecret(error);
    }
    const error = await failure(storeOf(peer, { client }).read('runs/x'));
    expect(error.message).toContain(code);
    expect(error.message).toContain('sign in to AWS again');
  });

  test('that are nowhere are said', async () => {
    const noCredentials = async () => {
      throw Object.assign(new Error('Could not load credentials from any providers'), {
        name: 'CredentialsProviderError',
      });
    };
    const error = await failure(storeOf(peer, { client: clientOf(peer, { credentials: noCredentials }) }).probe());
    expect(error).toMatchObject({
      code: 'store-unreachable',
      message: expect.stringContaining('give the machine a role'),
    });
  });
});

test('a region that is nowhere is said, and one that is not the bucket’s [S13]', async () => {
  const nowhere = clientOf(peer, {
    region: async () => {
      throw new Error('Region is missing');
    },
  });
  expect((await failure(storeOf(peer, { client: nowhere }).probe())).message).toContain('Set AWS_REGION');
  const far = createS3Store({ bucket: 'far', prefix: '' }, { client: clientOf(peer) });
  for (const doing of [far.probe, () => far.put('x', Buffer.from('x'))]) {
    const error = await failure(doing());
    expect(error).toMatchObject({
      code: 'store-unreachable',
      message: expect.stringMatching(/s3:\w+.*another region/),
    });
  }
});

test('a clock that is an hour wrong is set right by the SDK [S13]', async () => {
  const later = await startS3Peer({ buckets: ['reports'], now: () => new Date(Date.now() + 3_600_000) });
  try {
    await storeOf(later).create('runs/x', Buffer.from('x'));
    expect(later.objects().size).toBe(1);
  } finally {
    await later.close();
  }
});

test('a server that never answers is given up', async () => {
  peer.setFault(() => faults.hang);
  const client = clientOf(peer, { requestHandler: { socketTimeout: 50 } });
  const error = await failure(storeOf(peer, { client }).read('latest.json'));
  expect(error).toMatchObject({ code: 'store-unreachable', cause: { code: 'TimeoutError', attempts: 5 } });
});

test('no server at all is said', async () => {
  const gone = await startS3Peer({ buckets: ['reports'] });
  await gone.close();
  const error = await failure(storeOf(gone).read('latest.json'));
  expect(error).toMatchObject({ code: 'store-unreachable', message: expect.stringContaining('ECONNREFUSED') });
});

test('a server that answers everything with a web page is refused as no bucket', async () => {
  const page = await loopback((_, response) => response.end('<html><body>Please sign in</body></html>'));
  try {
    const lost = storeOf(peer, { client: clientOf(peer, { endpoint: page.origin }) });
    expect(await failure(lost.probe())).toMatchObject({
      code: 'store-unsuited',
      message: expect.stringContaining('it returns an object that was never written'),
    });
  } finally {
    await page.close();
  }
});

test('without s3:ListBucket a missing key reads as forbidden, and the sentence says why', async () => {
  const blind = await startS3Peer({ buckets: ['reports'], allow: ({ action }) => action !== 's3:ListBucket' });
  try {
    const error = await failure(storeOf(blind).read('latest.json'));
    expect(error.message).toMatch(/s3:GetObject ended with AccessDenied.*s3:ListBucket, without which/);
    expect(await failure(storeOf(blind).probe())).toMatchObject({ code: 'store-unreachable' });
  } finally {
    await blind.close();
  }
});

describe('HEAD, whose answers have no body,', () => {
  const passing = [
    ['RequestTimeout', 400],
    ['ThrottlingException', 400],
    ['RequestTimeout', 408],
    ['SlowDown', 503],
  ] as const;

  test.each(passing)('is repeated after %s (%i), as every other request', async (code, status) => {
    await store.put('runs/x', Buffer.from('x'));
    let refused = 0;
    peer.setFault(({ operation }) => {
      if (operation !== 'HeadObject' || refused === 2) {
        return undefined;
      }
      refused += 1;
      return faults.refuse(status, code);
    });
    expect(await store.digest('runs/x')).toHaveLength(64);
    expect(refused).toBe(2);
  });

  test('is given up after as many tries, and then says what to do', async () => {
    let asked = 0;
    peer.setFault(({ operation }) => {
      asked += operation === 'HeadObject' ? 1 : 0;
      return faults.refuse(400, 'RequestTimeout');
    });
    const error = await failure(store.digest('runs/x'));
    expect(error.message).toMatch(/s3:GetObject ended with HTTP 400\. Run Muster again\./);
    expect(asked).toBe(5);
  });

  test('that finds out whose a write is, is repeated too', async () => {
    let lost = 0;
    peer.setFault(({ operation, conditional }) => {
      if (operation === 'HeadObject') {
        lost += 1;
        return lost < 3 ? faults.refuse(400, 'RequestTimeout') : undefined;
      }
      return conditional && lost === 0 ? faults.loseReply : undefined;
    });
    await store.create('runs/mine', Buffer.from('x'));
    expect(lost).toBe(3);
  });
});

describe('probe', () => {
  test('leaves nothing behind, and needs no more permissions than a run', async () => {
    await store.probe();
    expect(peer.objects().size).toBe(0);
    const actions = new Set(peer.calls.map(({ action }) => action));
    expect([...actions].sort()).toEqual(['s3:DeleteObject', 's3:GetObject', 's3:ListBucket', 's3:PutObject']);
    const keys = peer.calls.map(({ key }) => key).filter((key) => key !== 'muster/prod/');
    expect(keys.every((key) => key.startsWith('muster/prod/.probe/'))).toBe(true);
  });

  test('refuses a place that ignores If-None-Match [S12]', async () => {
    peer.setFault(({ conditional }) => (conditional !== undefined ? faults.ignoreConditions : undefined));
    const error = await failure(store.probe());
    expect(error).toMatchObject({ code: 'store-unsuited', message: expect.stringContaining('Amazon S3') });
    expect(peer.objects().size).toBe(0);
  });

  test('refuses a place that does not know If-None-Match [S12]', async () => {
    peer.setFault(({ conditional }) => (conditional !== undefined ? faults.refuse(501, 'NotImplemented') : undefined));
    expect(await failure(store.probe())).toMatchObject({ code: 'store-unsuited' });
  });

  test.each([faults.loseReply, faults.failAfter, faults.slowDown, faults.conflict])(
    'is not misled by %o at any request',
    async (fault) => {
      await store.probe();
      const requests = new Set(peer.calls.map(({ request }) => request)).size;
      expect(requests).toBeGreaterThan(4);
      for (let failing = 1; failing <= requests; failing += 1) {
        let seen = 0;
        const isWrite = fault !== faults.conflict;
        peer.setFault(({ conditional }) => {
          seen += 1;
          return seen === failing && (isWrite || conditional) ? fault : undefined;
        });
        await store.probe();
      }
      peer.setFault(undefined);
      expect(peer.objects().size).toBe(0);
    },
  );
});

test('list shows keys of ours alone', async () => {
  await store.put('runs/x', Buffer.from('x'));
  const whole = createS3Store({ bucket: 'reports', prefix: '' }, { client: clientOf(peer) });
  expect(await Array.fromAsync(whole.list(''))).toEqual(['muster/prod/runs/x']);
  const { body, ...kept } = peer.bucket().versions.get('muster/prod/runs/x')?.[0] ?? { body: Buffer.alloc(0) };
  for (const key of ['muster/prod/.probe/left', 'muster/prod/runs/', 'muster/product/runs/x']) {
    peer.bucket().versions.set(key, [
      {
        id: '',
        etag: '""',
        modified: new Date(),
        isMarker: false,
        headers: {},
        checksum: { algorithm: 'CRC32', value: '', type: 'FULL_OBJECT' },
        ...kept,
        body,
      },
    ]);
  }
  expect(await Array.fromAsync(store.list(''))).toEqual(['runs/x']);
  expect(await Array.fromAsync(whole.list('muster/'))).toEqual(['muster/prod/runs/x', 'muster/product/runs/x']);
});

async function failure(work: Promise<unknown>): Promise<Error> {
  const outcome = await work.then(
    (value) => new Error(`No error, but ${inspect(value)}`),
    (error: unknown) => error,
  );
  return outcome instanceof Error ? outcome : new Error(inspect(outcome));
}

/** Neither in what people see nor in what a log may print of the error. */
function expectNoSecret(error: Error): void {
  const shown = inspect(error, { depth: 12, showHidden: true, getters: true });
  expect(shown).not.toMatch(/canary/i);
}
