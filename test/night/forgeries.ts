/** A writer without a key: commits forged in several ways, and other keys of a store that it creates or changes. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { toSignedText } from '../../src/storage/commits/check-signatures.ts';
import type { Commit } from '../../src/storage/commits/commit.ts';
import { formatLatest } from '../../src/storage/commits/latest.ts';
import { readCommit, requireCommit } from '../../src/storage/commits/log.ts';
import { toAttemptFolder, toCommitKey } from '../../src/storage/keys.ts';
import { packJson, unpackJson } from '../../src/storage/runs/pack.ts';
import { stateFiles } from '../../src/storage/runs/state-files.ts';
import type { Store } from '../../src/storage/store.ts';
import { serializeRecord } from '../../src/storage/stored-json.ts';
import { readRunThatStands } from '../storage/written-runs.ts';
import { flipped } from './tamper.ts';

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

/** A file that is put into the store. */
export interface Planted {
  readonly key: string;
  readonly body: Buffer;
}

/** `slot` is that of the run that is attacked, `earlier` that of the last one before it. */
type Plant = (store: Store, slots: { readonly slot: string; readonly earlier: string }) => Promise<readonly Planted[]>;

/** Copies that the next run makes anew, or a person restores. */
export const changes: Readonly<Record<string, Plant>> = {
  'latest.json of an earlier run': async (store) => [
    { key: 'latest.json', body: formatLatest(await requireCommit(store, 2)) },
  ],
  'latest.json that is none': async () => [{ key: 'latest.json', body: Buffer.from('none') }],
  'a dated copy of an earlier run': async (_, { earlier }) => [
    { key: `devices/date=${earlier}/devices.csv`, body: Buffer.from('slot\n') },
  ],
  'a dated copy of the newest run': async (store) => {
    const { slot } = (await readRunThatStands(store)).commit;
    return [{ key: `devices/date=${slot}/devices.csv`, body: Buffer.from('slot\n') }];
  },
  'a copy of the latest run': async () => [{ key: 'latest/devices.csv', body: Buffer.from('slot\n') }],
};

type FindingResult = 'pass' | 'fail';

function formatReadings(result: FindingResult, more: object = {}): object {
  const findings = [{ check: 'instrument', result, expected: '', found: '', advice: '', instrument: true }];
  const macs = { name: 'macs', kind: 'jamf', instrument: {}, findings, receipt: { ended: '2026-11-01T00:00:00Z' } };
  return { schema: 1, readings: [{ ...macs, ...more }] };
}

const forgedReadings: Readonly<Record<string, object>> = {
  'a wrong instrument': formatReadings('fail'),
  'a sound instrument': formatReadings('pass'),
  'another instrument, read at no time': formatReadings('pass', {
    instrument: { fingerprint: 'another' },
    receipt: { ended: '9999-12-31 (never)' },
  }),
  'a source that nobody has': formatReadings('fail', { name: '__proto__' }),
  'what is not understood, as fields are missing': { schema: 1, readings: [{ name: 'macs' }] },
  'what is not understood, as it is of a newer version': { schema: 99, readings: [] },
};

/** Readings of attempts that nobody made: at the newest run, and at the one that may come. */
export const readings: Readonly<Record<string, Plant>> = Object.fromEntries(
  Object.entries(forgedReadings).map(([name, record]): [string, Plant] => [
    name,
    async (store, { slot }) => {
      const { commit } = await readRunThatStands(store);
      const body = serializeRecord(record);
      return [
        { key: `runs/${commit.slot}/planted/readings-${commit.number}.json`, body },
        { key: `runs/${slot}/planted/readings-${commit.number + 1}.json`, body },
      ];
    },
  ]),
);

/** Files that a run is judged by or obeys, changed where they lie. */
export const states: Readonly<Record<string, Plant>> = {
  async 'the state of the newest run, which lets others go'(store) {
    const { commit } = await readRunThatStands(store);
    const key = findFile(commit, stateFiles.next.head);
    return [{ key, body: packJson(await forgeState(store, key)) }];
  },
  async 'the ledger of the newest run, without machines'(store) {
    const { commit } = await readRunThatStands(store);
    // Other bytes than those of a run's own empty files.
    return [{ key: findFile(commit, stateFiles.next.ledger), body: gzipSync('', { level: 1 }) }];
  },
  'the ledger of the newest run, of the same size': changeBits(stateFiles.next.ledger),
  'the facts of the newest run': changeBits('facts/night.json.gz'),
  'what the newest run was compared with': changeBits(...Object.values(stateFiles.previous)),
  async 'the state of the attempt under way'(store, { slot }) {
    const { commit } = await readRunThatStands(store);
    const attempts = await Array.fromAsync(store.list(`runs/${slot}/`));
    const known = await listAttempts(store, commit.number);
    const own = attempts.map((key) => key.split('/')[2] ?? '').find((attempt) => !known.includes(attempt));
    const body = packJson(await forgeState(store, findFile(commit, stateFiles.next.head)));
    return [{ key: `runs/${slot}/${own ?? 'planted'}/${stateFiles.next.head}`, body }];
  },
  async 'a latest.json that names a commit that nobody made'(store) {
    const { commit, sha256 } = await readRunThatStands(store);
    return [{ key: 'latest.json', body: formatLatest({ commit: { ...commit, number: 99 }, sha256 }) }];
  },
};

/** Changes one bit of files of the newest run. */
function changeBits(...names: readonly string[]): Plant {
  return async (store) => {
    const { commit } = await readRunThatStands(store);
    const keys = names.map((name) => findFile(commit, name));
    const change = async (key: string) => ({ key, body: flipped((await store.read(key)) ?? Buffer.alloc(0), 30) });
    return Promise.all(keys.map(change));
  };
}

function findFile({ slot, attempt }: Commit, name: string): string {
  return `${toAttemptFolder(slot, attempt)}${name}`;
}

async function listAttempts(store: Store, newest: number): Promise<readonly string[]> {
  const numbers = Array.from({ length: newest }, (_, index) => index + 1);
  return Promise.all(numbers.map(async (number) => (await readCommit(store, number))?.commit.attempt ?? ''));
}

/** The same state, but all runs before are let go. */
async function forgeState(store: Store, key: string): Promise<object> {
  const body = (await store.read(key)) ?? Buffer.alloc(0);
  const state = (await unpackJson(body, key)) as { readonly runs: { readonly kept: readonly object[] } };
  return { ...state, runs: { kept: [], owed: state.runs.kept.map((run) => ({ work: 'remove', run })) } };
}

export async function plant(store: Store, files: readonly Planted[]): Promise<void> {
  for (const { key, body } of files) {
    await store.put(key, body);
  }
}
