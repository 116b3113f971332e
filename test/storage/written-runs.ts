/** Runs written by hand, in memory: manifests that name only the files that a test needs. Nothing is judged. */
import { computeSha256 } from '../../src/sha256.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { latestManifestKey, toAttemptFolder, toManifestKey } from '../../src/storage/runs/keys.ts';
import { packJson } from '../../src/storage/runs/pack.ts';
import { type CurrentRun, readCurrentRun } from '../../src/storage/runs/published-runs.ts';
import type { FileEntry, Manifest, ManifestLink, Retraction } from '../../src/storage/runs/records.ts';
import type { Store } from '../../src/storage/store.ts';
import { memoryDisk } from './disks.ts';

export function makeStore(name = '/store'): Store {
  return createFolderStore(name, memoryDisk());
}

export interface WrittenRun extends Partial<Omit<Manifest, 'files' | 'generation'>> {
  readonly generation?: number | undefined;
  /** Contents by name in the run's folder. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
  /** Slots within retention, oldest first; without them nobody knows how far back the runs go. */
  readonly published?: readonly string[];
  /** Of the state's head. */
  readonly state?: object | undefined;
}

export async function writeRun(
  store: Store,
  slot: string,
  { attempt = 'a', files = {}, published, state, ...fields }: WrittenRun = {},
): Promise<ManifestLink> {
  const head = { schema: 3, slot, sources: [], published, history: [], ...state };
  const all = { ...files, ...(published && { 'state.json.gz': packJson(head) }) };
  const entries: FileEntry[] = [];
  for (const [name, text] of Object.entries(all)) {
    const key = `${toAttemptFolder(slot, attempt)}${name}`;
    entries.push({ key, ...(await store.put(key, Buffer.from(text))) });
  }
  const manifest = {
    ...{ schema: 1, slot, attempt, moment: `${slot}T05:15:00.000Z`, muster: '1.0.0', exit: 0, sources: [] },
    ...{ files: entries, previous: null, ...fields },
  };
  const key = toManifestKey(slot, attempt);
  const { sha256 } = await store.put(key, Buffer.from(JSON.stringify(manifest)));
  return { manifest: key, sha256 };
}

/** One run a slot, each naming the one before it, and the pointer to the last; their links by slot. */
export async function publishRuns(
  store: Store,
  slots: readonly string[],
  describe: (slot: string) => WrittenRun = () => ({}),
): Promise<(slot: string) => ManifestLink> {
  const links = new Map<string, ManifestLink>();
  let previous: ManifestLink | null = null;
  for (const [index, slot] of slots.entries()) {
    previous = await writeRun(store, slot, { previous, generation: index + 1, ...describe(slot) });
    links.set(slot, previous);
  }
  if (previous !== null) {
    await pointTo(store, previous);
  }
  return (slot) => {
    const link = links.get(slot);
    if (link === undefined) {
      throw new Error(`${slot} was not written`);
    }
    return link;
  };
}

/** Dates of one month. */
export function listSlots(...days: readonly number[]): string[] {
  return days.map((day) => `2026-11-${String(day).padStart(2, '0')}`);
}

/** Moves the pointer, with the generation of the manifest unless another is given; and the copy beside `latest/`. */
export async function pointTo(store: Store, link: ManifestLink, more: object = {}): Promise<void> {
  const body = (await store.read(link.manifest))?.body.toString() ?? '{}';
  const { slot, attempt, generation = 1 } = JSON.parse(body) as Manifest;
  const pointer = { schema: 1, slot, attempt, generation, nonce: 'n', ...link, ...more };
  await store.put('latest.json', Buffer.from(JSON.stringify(pointer)));
  await store.copy(link.manifest, latestManifestKey);
}

export async function readRunThatStands(store: Store): Promise<CurrentRun> {
  const current = await readCurrentRun(store);
  if (current === undefined) {
    throw new Error('nothing is published');
  }
  return current;
}

/** A retraction as a pointer names it, with its record. */
export async function writeRetraction(
  store: Store,
  slot: string,
  link: ManifestLink,
  { attempt = 'a', at = 'r', ...record }: { attempt?: string; at?: string; messages?: object[] } = {},
): Promise<Retraction> {
  const key = `${toAttemptFolder(slot, at)}retraction.json`;
  const body = Buffer.from(JSON.stringify({ schema: 1, messages: [], resolved: [], ...record }));
  await store.put(key, body);
  const said = { by: 'ada', at: `${slot}T08:00:00.000Z`, why: 'wrong clock' };
  return { slot, attempt, ...said, ...link, record: { key, sha256: computeSha256(body) } };
}
