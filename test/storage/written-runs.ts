/** Commits written by hand, in memory, which name only the files that a test needs. Nothing is judged. */
import { computeSha256 } from '../../src/base/sha256.ts';
import type { Commit, CurrentRun, FileEntry, StoredCommit } from '../../src/storage/commits/commit.ts';
import { listCommitNumbers, readCommit, readCurrentRun } from '../../src/storage/commits/log.ts';
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

interface WrittenCommit extends Partial<Omit<Commit, 'files'>> {
  /** Contents by name in the run's folder. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
}

/** The next commit, unless its fields say otherwise. */
export async function writeCommit(store: Store, slot: string, fields: WrittenCommit = {}): Promise<StoredCommit> {
  const { files = {}, attempt = 'a', ...more } = fields;
  const last = (await listCommitNumbers(store)).at(-1) ?? 0;
  const before = last === 0 ? undefined : await readCommit(store, last);
  const entries: FileEntry[] = [];
  for (const [name, body] of Object.entries(files)) {
    const key = `${toAttemptFolder(slot, attempt)}${name}`;
    entries.push({ key, ...(await store.put(key, Buffer.isBuffer(body) ? body : Buffer.from(body))) });
  }
  const commit: Commit = {
    schema: 1,
    store: '0'.repeat(32),
    number: last + 1,
    kind: 'run',
    at: `${slot}T05:20:00.000Z`,
    slot,
    attempt,
    moment: `${slot}T05:15:00.000Z`,
    muster: '1.0.0',
    exit: 0,
    sources: [],
    files: entries,
    stands: last + 1,
    previous: before === undefined ? null : { number: last, sha256: before.sha256 },
    ...more,
  };
  const body = serializeRecord(commit);
  await store.create(toCommitKey(commit.number), body);
  return { commit, sha256: computeSha256(body) };
}

/** The head of what a run leaves to the next one, as a file. */
export function packStateHead(fields: Partial<StateHead> = {}): Buffer {
  return packJson({ schema: 5, slot: first, sources: [], sharedNumbers: [], published: [], history: [], ...fields });
}

/** Two runs, and an audit store that has none of their commits yet. */
export async function makeTwoCommits(): Promise<{ readonly store: Store; readonly audit: Store }> {
  const [store, audit] = [makeStore(), makeStore('/audit')];
  await writeCommit(store, first);
  await writeCommit(store, second);
  return { store, audit };
}

/** The run that stands is taken back for an earlier one. */
export async function writeRetraction(
  store: Store,
  slot: string,
  stands: number,
  messages: readonly object[] = [],
): Promise<StoredCommit> {
  const body = serializeRecord({ schema: 1, messages, resolved: [], findings: [] });
  const attempt = `r-${computeSha256(body)}`;
  await store.put(`${toAttemptFolder(slot, attempt)}outbox.json`, body);
  return writeCommit(store, slot, { kind: 'retraction', attempt, stands, by: 'ada', why: 'wrong clock' });
}

export async function readRunThatStands(store: Store): Promise<CurrentRun> {
  const current = await readCurrentRun(store);
  if (current === undefined) {
    throw new Error('nothing is published');
  }
  return current;
}
