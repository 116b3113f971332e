/**
 * A pointer that was set back names an older run than the last that was published. It and all that it leads to are in
 * order; what was published after it gives it away.
 */
import type { Store } from '../../store.ts';
import {
  isManifestKey,
  latestManifestKey,
  parseSlotFromCopyKey,
  parseSlotFromKey,
  toComparableSlot,
  toManifestKey,
} from '../keys.ts';
import { readRunByItself } from '../outside-chain.ts';
import type { CurrentRun, PublishedRun } from '../published-runs.ts';
import { type Manifest, readManifest } from '../records.ts';
import type { Damage } from './damage.ts';
import { type FoundRuns, listKnownManifests } from './find-runs.ts';

export async function findSetBack(store: Store, found: FoundRuns, current: CurrentRun): Promise<Damage[]> {
  const { pointer } = current;
  const damage: Damage[] = [];
  if (isAnotherGeneration(current)) {
    damage.push({
      code: 'generation-differs',
      message: `latest.json has generation ${pointer.generation}, but its manifest was published as ${current.manifest.generation}.`,
    });
  }
  const evidence =
    (await findNewerLatest(store, found, current)) ??
    findNewerCopy(found, current) ??
    (await findNewerAttempt(store, found, current));
  if (evidence !== undefined) {
    damage.push({
      code: 'pointer-set-back',
      message: `latest.json was set back: it names the run of ${pointer.slot} (generation ${pointer.generation}), but ${evidence}. Restore the newer latest.json.`,
    });
  }
  return damage;
}

/** Every retraction is one more generation. */
function isAnotherGeneration({ pointer, manifest: { generation } }: CurrentRun): boolean {
  if (generation === undefined) {
    return false;
  }
  const isRetracted = (pointer.retracted ?? []).length > 0;
  return isRetracted ? pointer.generation <= generation : pointer.generation !== generation;
}

/** The manifest beside the copies in `latest/` is of the run that stood last. */
async function findNewerLatest(store: Store, found: FoundRuns, { pointer }: CurrentRun): Promise<string | undefined> {
  const latest = await readLatestManifest(store);
  if (latest === undefined || listKnownManifests(found).includes(toManifestKey(latest.slot, latest.attempt))) {
    return undefined;
  }
  const { slot, generation = 0 } = latest;
  return generation > pointer.generation
    ? `${latestManifestKey} is of the run of ${slot} (generation ${generation})`
    : undefined;
}

async function readLatestManifest(store: Store): Promise<Manifest | undefined> {
  const stored = await store.read(latestManifestKey);
  try {
    return stored && readManifest(stored.body, latestManifestKey);
  } catch {
    // It is a copy: that it is damaged is found where copies are checked.
    return undefined;
  }
}

/** Copies are made of what is published, and a copy whose run is there too is no foreign file. */
function findNewerCopy({ keys, retracted }: FoundRuns, { pointer }: CurrentRun): string | undefined {
  const takenBack = new Set(retracted.map(({ slot }) => slot));
  const slots = new Set(keys.map((key) => parseSlotFromKey(key)));
  const copy = keys.findLast((key) => {
    const slot = parseSlotFromCopyKey(key) ?? '';
    return slot > pointer.slot && !takenBack.has(slot) && slots.has(slot);
  });
  return copy && `${copy} was copied from a later run`;
}

/** An attempt that nobody published looks the same, until somebody built on it or sent its messages. */
async function findNewerAttempt(store: Store, found: FoundRuns, { pointer }: CurrentRun): Promise<string | undefined> {
  const known = new Set([...listKnownManifests(found), ...found.outside.map(({ link }) => link.manifest)]);
  const isLater = (key: string) => isManifestKey(key) && toComparableSlot(key) >= pointer.slot;
  const attempts: PublishedRun[] = [];
  for (const key of found.keys.filter((one) => isLater(one) && !known.has(one))) {
    const run = await readRunByItself(store, key);
    if (run !== undefined) {
      attempts.push(run);
    }
  }
  const published = attempts.find(
    ({ manifest, link }) =>
      (manifest.generation ?? 0) > pointer.generation + 1 ||
      attempts.some((later) => later.manifest.previous?.manifest === link.manifest) ||
      found.keys.some((key) => key.startsWith(link.manifest.replace('manifest.json', 'delivered/'))),
  );
  return published && `${published.link.manifest} was published after it`;
}
