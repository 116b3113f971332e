/** Commits written by hand, in memory, which name only the files that a test needs. Nothing is judged. */
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import { computeSha256 } from '../../src/base/sha256.ts';
import type { KeptRun } from '../../src/core/facts/operations.ts';
import type { Commit, FileEntry, PublishedRun } from '../../src/storage/commits/commit.ts';
import { formatLatest } from '../../src/storage/commits/latest.ts';
import { listCommitNumbers, readCommit, readCurrentRun, requireCommit } from '../../src/storage/commits/log.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { toAttemptFolder, toCommitKey } from '../../src/storage/keys.ts';
import { packJson } from '../../src/storage/runs/pack.ts';
import type { StateHead } from '../../src/storage/runs/state-files.ts';
import type { Store } from '../../src/storage/store.ts';
import { serializeRecord } from '../../src/storage/stored-json.ts';
import { memoryDisk } from './disks.ts';

export const [first, second, third, fourth, fifth] = [
  '2026-11-01',
  '2026-11-02',
  '2026-11-03',
  '2026-11-04',
  '2026-11-05',
] as const;

export function makeStore(name = '/store'): Store {
  return createFolderStore(name, memoryDisk());
}

export async function readObjects(store: Store): Promise<ReadonlyMap<string, Buffer>> {
  const keys = await Array.fromAsync(store.list(''));
  return new Map(
    await Promise.all(keys.map(async (key) => [key, (await store.read(key)) ?? Buffer.alloc(0)] as const)),
  );
}

export interface WrittenCommit extends Partial<Omit<Commit, 'files'>> {
  /** Contents by name in the run's folder. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
}

/** The next commit, unless its fields say otherwise; they are written in their order. */
export async function writeCommit(store: Store, slot: string, fields: WrittenCommit = {}): Promise<PublishedRun> {
  const { files = {}, attempt = 'a', ...more } = fields;
  const last = (await listCommitNumbers(store)).at(-1) ?? 0;
  const before = last === 0 ? undefined : await readCommit(store, last);
  const entries: FileEntry[] = [];
  for (const [name, body] of Object.entries(files)) {
    const key = `${toAttemptFolder(slot, attempt)}${name}`;
    entries.push({ key, ...(await store.put(key, Buffer.isBuffer(body) ? body : Buffer.from(body))) });
  }
  const { keptFrom, replaces, retracts, accepts, prunes, previous, signature, ...others } = more;
  const commit: Commit = {
    schema: 2,
    store: '0'.repeat(32),
    number: last + 1,
    at: `${slot}T05:20:00.000Z`,
    slot,
    attempt,
    moment: `${slot}T05:15:00.000Z`,
    muster: '1.0.0',
    exit: 0,
    sources: [],
    files: entries,
    ...others,
    ...omitUndefined({ keptFrom, replaces, retracts, accepts, prunes }),
    previous: previous ?? (before === undefined || previous === null ? null : { number: last, sha256: before.sha256 }),
    ...omitUndefined({ signature }),
  };
  const body = serializeRecord(commit);
  await store.create(toCommitKey(commit.number), body);
  return { commit, sha256: computeSha256(body) };
}

/** The head of what a run leaves to the next one, as a file. */
export function packStateHead(fields: Partial<StateHead> = {}): Buffer {
  return packJson({
    schema: 7,
    slot: first,
    sources: [],
    sharedNumbers: [],
    runs: { kept: [] },
    history: [],
    ...fields,
  });
}

/** Two runs, and an audit store that has none of their commits yet. */
export async function makeTwoCommits(): Promise<{ readonly store: Store; readonly audit: Store }> {
  const [store, audit] = [makeStore(), makeStore('/audit')];
  await writeCommit(store, first);
  await writeCommit(store, second);
  return { store, audit };
}

/** The run of a slot is taken back: the commit of this number, of an earlier slot, is published once more. */
export async function writeRetraction(
  store: Store,
  slot: string,
  number: number,
  fields: WrittenCommit = {},
): Promise<PublishedRun> {
  const { commit } = await requireCommit(store, number);
  const { attempt: replaces } = commit;
  const attempt = `${replaces}-after-${slot}`;
  return writeCommit(store, commit.slot, {
    attempt,
    replaces,
    retracts: { slot, by: 'ada', why: 'wrong clock' },
    ...fields,
  });
}

/** A run as the state of a later one keeps it. */
export function toKeptRun({ commit: { slot, number }, sha256 }: PublishedRun): KeptRun {
  return { slot, number, sha256 };
}

export async function readRunThatStands(store: Store): Promise<PublishedRun> {
  const current = await readCurrentRun(store);
  if (current === undefined) {
    throw new Error('nothing is published');
  }
  return current;
}

/** Three runs; `latest.json` names the last of them. */
export async function makeThreeCommits() {
  const { store, audit } = await makeTwoCommits();
  const last = await writeCommit(store, third, { keptFrom: first });
  await store.put('latest.json', formatLatest(last));
  return { store, audit, last };
}
