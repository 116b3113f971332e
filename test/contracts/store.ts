/** What every store promises, one test a sentence; a store's own test calls this with a way to make an empty one. */
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findMaximumBytes, foreignDigest } from '../../src/storage/bounds.ts';
import type { Store } from '../../src/storage/store.ts';
import { addOne, countIn } from './counter.ts';

interface MadeStore {
  readonly store: Store;
  cleanUp(): Promise<void>;
}

interface Options {
  makeStore(): Promise<MadeStore>;
  /** Why no race is held against the store: only for a stand-in that looks at a condition before it takes its lock. */
  readonly notAtomic?: string;
}

export function storeContract(name: string, options: Options): void {
  describe(`${name} keeps the contract of a store:`, () => {
    let store: Store;
    let cleanUp: () => Promise<void>;

    beforeEach(async () => {
      ({ store, cleanUp } = await options.makeStore());
      await store.probe();
    });
    afterEach(() => cleanUp());

    const textAt = async (key: string) => (await store.read(key))?.toString();

    describe('probe', () => {
      test('leaves no key behind and may be called again', async () => {
        await store.probe();
        expect(await keysBelow(store, 'runs/')).toEqual([]);
      });
    });

    describe('keys', () => {
      const names = ['/etc/passwd', '../beside', 'runs/../../x', 'runs//x', 'runs/', '', '.tmp/x', 'runs/.hidden'];
      test('that lead elsewhere are refused everywhere', async () => {
        await store.create('runs/x', Buffer.from('x'));
        for (const key of [...names, 'a\\b', 'a\0b']) {
          const attempts: readonly (() => Promise<unknown>)[] = [
            () => store.read(key),
            () => streamed(store, key),
            () => store.digest(key),
            () => store.create(key, Buffer.from('x')),
            () => store.put(key, Buffer.from('x')),
            () => store.copy('runs/x', key),
            () => store.remove(key),
          ];
          for (const attempt of attempts) {
            await expect((async () => attempt())(), key).rejects.toMatchObject({ code: 'unexpected' });
          }
        }
        for (const prefix of ['runs', '../', '/', '.tmp/']) {
          await expect((async () => keysBelow(store, prefix))(), prefix).rejects.toMatchObject({ code: 'unexpected' });
        }
        expect(await keysBelow(store, '')).toEqual(['runs/x']);
      });
    });

    describe('read and stream', () => {
      test('of an absent key: undefined, and store-damaged', async () => {
        expect(await store.read('latest.json')).toBeUndefined();
        await expect(streamed(store, 'latest.json')).rejects.toMatchObject({ code: 'store-damaged' });
      });

      test('a key above or below another is absent', async () => {
        await store.create('runs/2026-11-20/one/manifest.json', Buffer.from('{}'));
        expect(await store.read('runs/2026-11-20')).toBeUndefined();
        expect(await store.read('runs/2026-11-20/one/manifest.json/more')).toBeUndefined();
        await store.remove('runs/2026-11-20');
        expect(await textAt('runs/2026-11-20/one/manifest.json')).toBe('{}');
      });

      test('give the bytes that were written', async () => {
        const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
        await store.create('runs/bytes', bytes);
        expect(await store.read('runs/bytes')).toEqual(bytes);
        expect(await streamed(store, 'runs/bytes')).toEqual(bytes);
      });

      test('a stream may be left early', async () => {
        await store.create('runs/large', Buffer.alloc(300_000, 'x'));
        for await (const piece of store.stream('runs/large')) {
          expect(piece.length).toBeGreaterThan(0);
          break;
        }
        expect((await streamed(store, 'runs/large')).length).toBe(300_000);
      });
    });

    describe('digest', () => {
      test('is the SHA-256 of what is there now, and undefined when nothing is', async () => {
        const large = Buffer.alloc(300_000, 'x');
        expect(await store.digest('runs/x')).toBeUndefined();
        const { sha256: stored } = await store.create('runs/x', large);
        expect(await store.digest('runs/x')).toBe(stored);
        expect(stored).toBe(sha256(large));
        await store.put('runs/x', Buffer.alloc(0));
        expect(await store.digest('runs/x')).toBe(sha256(Buffer.alloc(0)));
        await store.put('runs/y', large);
        await store.copy('runs/y', 'runs/x');
        expect(await store.digest('runs/x')).toBe(stored);
        await store.remove('runs/x');
        expect(await store.digest('runs/x')).toBeUndefined();
      });
    });

    describe('bounds', () => {
      const refused = { code: 'store-damaged' };
      test('read refuses by name what is larger than the caller or the kind of file allows', async () => {
        await store.create('runs/x', Buffer.alloc(11));
        await expect(store.read('runs/x', 10)).rejects.toMatchObject({
          ...refused,
          message: expect.stringMatching(/^runs\/x .*it is larger than 10 bytes/),
        });
        expect((await store.read('runs/x', 11))?.length).toBe(11);
        expect(await store.read('runs/y', 11)).toBeUndefined();
        const largest = findMaximumBytes('latest.json');
        for (const [bytes, isRefused] of [
          [largest, false],
          [largest + 1, true],
        ] as const) {
          await store.put('latest.json', Buffer.alloc(bytes));
          const read = store.read('latest.json', 2 ** 30);
          await (isRefused ? expect(read).rejects.toMatchObject(refused) : expect(read).resolves.toHaveLength(bytes));
          expect((await store.digest('latest.json')) === foreignDigest).toBe(isRefused);
          const whole = streamed(store, 'latest.json');
          await (isRefused ? expect(whole).rejects.toMatchObject(refused) : expect(whole).resolves.toHaveLength(bytes));
        }
      });

      test('stream and digest read nothing of another size than was asked for', async () => {
        const body = Buffer.from('eleven byte');
        await store.create('runs/x', body);
        expect(Buffer.concat(await Array.fromAsync(store.stream('runs/x', 11)))).toEqual(body);
        expect(await store.digest('runs/x', 11)).toBe(sha256(body));
        expect(await store.digest('runs/y', 11)).toBeUndefined();
        for (const bytes of [0, 10, 12]) {
          await expect(Array.fromAsync(store.stream('runs/x', bytes))).rejects.toMatchObject({
            ...refused,
            message: expect.stringContaining(`it has 11 bytes where ${bytes} were published`),
          });
          expect(await store.digest('runs/x', bytes)).toBe(foreignDigest);
        }
      });
    });

    describe('create and put', () => {
      test('say how many bytes were stored, and their SHA-256', async () => {
        const body = Buffer.from('día 🙂\n');
        const stored = { bytes: body.length, sha256: sha256(body) };
        expect(await store.create('runs/created', body)).toEqual(stored);
        expect(await store.put('latest/put', body)).toEqual(stored);
      });

      test('take an empty body, whole or in no pieces', async () => {
        const stored = { bytes: 0, sha256: sha256(Buffer.alloc(0)) };
        expect(await store.create('runs/empty', Buffer.alloc(0))).toEqual(stored);
        expect(await store.create('runs/no-pieces', piecesOf([]))).toEqual(stored);
        expect((await store.read('runs/empty'))?.length).toBe(0);
        expect((await streamed(store, 'runs/no-pieces')).length).toBe(0);
      });

      test('take a body in pieces, of 5 MB and uneven sizes', async () => {
        const whole = Buffer.alloc(5_000_000, 'serial,name\n');
        const cuts = [0, 1, 1, 70_000, 2_500_000, 4_999_999, 5_000_000];
        const pieces = cuts.slice(1).map((end, index) => whole.subarray(cuts[index], end));
        const stored = { bytes: whole.length, sha256: sha256(whole) };
        expect(await store.create('runs/large', piecesOf(pieces))).toEqual(stored);
        expect(await store.put('latest/large', piecesOf(pieces))).toEqual(stored);
        expect(sha256(await streamed(store, 'runs/large'))).toBe(stored.sha256);
        expect(sha256((await store.read('latest/large')) ?? Buffer.alloc(0))).toBe(stored.sha256);
      });

      test('a body that breaks off leaves no key, what was there before, and its own error', async () => {
        await store.put('latest/kept', Buffer.from('before'));
        await expect(store.create('runs/broken', breakingOff())).rejects.toThrow('broke off');
        await expect(store.put('latest/kept', breakingOff())).rejects.toThrow('broke off');
        expect(await store.read('runs/broken')).toBeUndefined();
        expect(await textAt('latest/kept')).toBe('before');
        expect(await keysBelow(store, 'runs/')).toEqual([]);
      });

      test('a key is created once', async () => {
        await store.create('runs/once', Buffer.from('first'));
        await expect(store.create('runs/once', Buffer.from('second'))).rejects.toMatchObject({ code: 'key-taken' });
        await expect(store.create('runs/once', piecesOf([Buffer.from('third')]))).rejects.toMatchObject({
          code: 'key-taken',
        });
        expect(await textAt('runs/once')).toBe('first');
      });

      test('of ten racing creates one wins, and its body is the one kept', async ({ skip }) => {
        skip(options.notAtomic !== undefined, options.notAtomic);
        const bodies = Array.from({ length: 10 }, (_, index) => Buffer.from(`body ${index}`));
        const outcomes = await Promise.allSettled(bodies.map((body) => store.create('runs/raced', body)));
        const winners = outcomes.flatMap((outcome, index) => (outcome.status === 'fulfilled' ? [index] : []));
        const losers = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
        expect(winners).toHaveLength(1);
        expect(losers.map((error) => error.code)).toEqual(Array(9).fill('key-taken'));
        expect(await textAt('runs/raced')).toBe(`body ${winners[0]}`);
      });

      test('racing puts and reads see one whole body', async ({ skip }) => {
        skip(options.notAtomic !== undefined, options.notAtomic);
        const bodies = ['a', 'b', 'c', 'd'].map((letter) => Buffer.alloc(100_000, letter));
        await store.put('latest/raced', bodies[0] ?? Buffer.alloc(0));
        const puts = Promise.all(bodies.map((body) => store.put('latest/raced', body)));
        for (let round = 0; round < 10; round += 1) {
          const body = await store.read('latest/raced');
          expect(bodies.some((whole) => body?.equals(whole))).toBe(true);
        }
        await puts;
      });

      test('a key may hold an equals sign', async () => {
        const key = 'devices/date=2026-11-20/devices.csv';
        await store.put(key, Buffer.from('slot\n'));
        expect(await textAt(key)).toBe('slot\n');
        expect(await keysBelow(store, 'devices/')).toEqual([key]);
        expect(await keysBelow(store, 'devices/date=2026-11-20/')).toEqual([key]);
      });
    });

    describe('copy', () => {
      test('puts the contents at another key, over what is there, and the two part ways afterwards', async () => {
        await store.create('runs/original', Buffer.from('original'));
        await store.put('latest/copy', Buffer.from('old copy'));
        await store.copy('runs/original', 'latest/copy');
        await store.copy('runs/original', 'devices/copy');
        expect([await textAt('latest/copy'), await textAt('devices/copy')]).toEqual(['original', 'original']);
        await store.put('latest/copy', Buffer.from('changed'));
        await store.remove('devices/copy');
        expect(await textAt('runs/original')).toBe('original');
      });

      test('of an absent key is store-damaged, and leaves the target alone', async () => {
        await store.put('latest/copy', Buffer.from('kept'));
        await expect(store.copy('runs/absent', 'latest/copy')).rejects.toMatchObject({ code: 'store-damaged' });
        expect(await textAt('latest/copy')).toBe('kept');
      });
    });

    describe('list', () => {
      test('of a prefix that nothing is below is empty', async () => {
        await store.create('runs/2026-11-20/manifest.json', Buffer.from('{}'));
        expect(await keysBelow(store, 'runs/2026-11/')).toEqual([]);
        expect(await keysBelow(store, 'run/')).toEqual([]);
      });

      test('gives whole keys below the prefix alone, by code point', async () => {
        // An astral sign sorts after U+FFFD by code point and before it by UTF-16 unit; "-" and "." sort before "/".
        const keys = ['🙂', '\u{FFFD}', 'Ä', 'a0', 'a/b/c', 'a/b-c/d', 'a.csv', 'a-b', 'B'];
        for (const key of keys) {
          await store.put(`list/${key}`, Buffer.from(key));
        }
        await store.put('list-beside/x', Buffer.from('x'));
        await store.put('lis', Buffer.from('x'));
        const sorted = ['B', 'a-b', 'a.csv', 'a/b-c/d', 'a/b/c', 'a0', 'Ä', '\u{FFFD}', '🙂'];
        expect(await keysBelow(store, 'list/')).toEqual(sorted.map((key) => `list/${key}`));
        expect(await keysBelow(store, 'list/a/')).toEqual(['list/a/b-c/d', 'list/a/b/c']);
      });

      test('gives all of more than a thousand keys, and may be left early', async () => {
        const keys = Array.from({ length: 1_100 }, (_, index) => `runs/many/${String(index).padStart(4, '0')}`);
        const queue = keys.values();
        const worker = async () => {
          for (const key of queue) {
            await store.put(key, Buffer.from(key));
          }
        };
        await Promise.all(Array.from({ length: 16 }, worker));
        expect(await keysBelow(store, 'runs/')).toEqual(keys);
        for await (const key of store.list('runs/')) {
          expect(key).toBe(keys[0]);
          break;
        }
      });
    });

    describe('a log', () => {
      test('loses no number: five contenders adding ten each', async ({ skip }) => {
        skip(options.notAtomic !== undefined, options.notAtomic);
        const contender = async (name: number) => {
          for (let added = 0; added < 10; ) {
            if (await addOne(store, `${name}-${added}`)) {
              added += 1;
            }
          }
        };
        await Promise.all([0, 1, 2, 3, 4].map(contender));
        expect(await countIn(store)).toBe(50);
      });

      test('is listed from a number on, which need not be there', async () => {
        const keys = ['list/1', 'list/10', 'list/2', 'list/2/under', 'list/3'];
        for (const key of keys) {
          await store.put(key.replace('list/2/under', 'list/25'), Buffer.from(key));
        }
        const listAfter = async (key: string) => Array.fromAsync(store.list('list/', key));
        expect(await listAfter('list/2')).toEqual(['list/25', 'list/3']);
        expect(await listAfter('list/11')).toEqual(['list/2', 'list/25', 'list/3']);
        expect(await listAfter('list/')).toEqual(['list/1', 'list/10', 'list/2', 'list/25', 'list/3']);
        expect(await listAfter('list/3')).toEqual([]);
      });
    });

    describe('remove', () => {
      test('removes one key, and again without an error', async () => {
        await store.create('runs/one', Buffer.from('1'));
        await store.create('runs/two', Buffer.from('2'));
        await store.remove('runs/one');
        await store.remove('runs/one');
        await store.remove('never/there');
        expect(await keysBelow(store, 'runs/')).toEqual(['runs/two']);
      });

      test('removing one key never disturbs the making of its neighbour', async () => {
        for (let round = 0; round < 20; round += 1) {
          await store.put('beside/one', Buffer.from('1'));
          await Promise.all([store.remove('beside/one'), store.put('beside/two', Buffer.from('2'))]);
          expect(await keysBelow(store, 'beside/')).toEqual(['beside/two']);
          await store.remove('beside/two');
        }
      });
    });
  });
}

function keysBelow(store: Store, prefix: string): Promise<string[]> {
  return Array.fromAsync(store.list(prefix));
}

async function streamed(store: Store, key: string): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(store.stream(key)));
}

async function* piecesOf(pieces: readonly Buffer[]): AsyncIterable<Buffer> {
  yield* pieces;
}

async function* breakingOff(): AsyncIterable<Buffer> {
  yield Buffer.alloc(200_000, 'x');
  throw new Error('the body broke off');
}

function sha256(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}
