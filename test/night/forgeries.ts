/** A writer without a key: commits forged in several ways, and other keys of a store that it creates or changes. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { toSignedText } from '../../src/storage/commits/check-signatures.ts';
import type { Commit } from '../../src/storage/commits/commit.ts';
import { toCommitKey } from '../../src/storage/keys.ts';
import type { Store } from '../../src/storage/store.ts';
import { serializeRecord } from '../../src/storage/stored-json.ts';

const { privateKey } = generateKeyPairSync('ed25519');

/** `head` is the newest commit of the store when the forgery is made. */
type ForgeCommit = (head: Commit, next: Omit<Commit, 'signature'>) => readonly [number: number, body: Buffer];

const forgedCommits: Readonly<Record<string, ForgeCommit>> = {
  'an unsigned commit of an older slot': (_, next) => [next.number, serializeRecord({ ...next, slot: '2026-10-01' })],
  'a commit that lets all runs go': (_, next) => [next.number, serializeRecord({ ...next, keptFrom: '9999-12-31' })],
  'a commit with the signature of the head': (head, next) => [
    next.number,
    serializeRecord({ ...next, ...(head.signature && { signature: head.signature }) }),
  ],
  'a commit that another key signed': (_, next) => {
    const value = sign(null, toSignedText(next), privateKey).toString('base64');
    return [next.number, serializeRecord({ ...next, signature: { algorithm: 'Ed25519', value } })];
  },
  'a commit of another store': (_, next) => [next.number, serializeRecord({ ...next, store: 'f'.repeat(32) })],
  'a commit with a number too high': (_, next) => [
    next.number + 1,
    serializeRecord({ ...next, number: next.number + 1 }),
  ],
  'a commit that is none': (_, next) => [next.number, Buffer.from('{"schema": 2,')],
};

export const forgeries = Object.keys(forgedCommits);

/** Creates the forged commit after the newest one; nothing where its place is taken. Returns its body. */
export async function forge(store: Store, name: string): Promise<Buffer | undefined> {
  const keys = await Array.fromAsync(store.list('commits/'));
  const newest = (await store.read(keys.at(-1) ?? '')) ?? Buffer.from('');
  const { signature: _, ...head } = JSON.parse(newest.toString('utf8')) as Commit;
  const digest = (await store.digest(keys.at(-1) ?? '')) ?? '';
  const next = { ...head, number: head.number + 1, previous: { number: head.number, sha256: digest } };
  const [number, body] = forgedCommits[name]?.(JSON.parse(newest.toString('utf8')) as Commit, next) ?? [0, newest];
  await store.create(toCommitKey(number), body);
  return body;
}
