/**
 * A pointer that was set back names an older run than the last that was published. It and all that it leads to are in
 * order; what was published after it gives it away.
 */
import type { Store } from '../../store.ts';
import { isManifestKey, latestManifestKey, parseSlotFromCopyKey, parseSlotFromKey } from '../keys.ts';
import { readRunByItself } from '../outside-chain.ts';
import type { CurrentRun, PublishedRun } from '../published-runs.ts';
import { type Retraction, readManifest } from '../records.ts';
import type { Damage } from './damage.ts';

export async function findSetBack(
  store: Store,
  keys: readonly string[],
  current: CurrentRun,
  known: { readonly runs: readonly PublishedRun[]; readonly retracted: readonly Retraction[] },
): Promise<Damage[]> {
  const { pointer, manifest } = current;
  const retractions = pointer.retracted?.length ?? 0;
  const damage: Damage[] = [];
  if (manifest.generation !== undefined && isAnotherGeneration(pointer.generation, manifest.generation, retractions)) {
    damage.push({
      code: 'generation-differs',
      message: `latest.json has generation ${pointer.generation}, but its manifest was published as ${manifest.generation}.`,
    });
  }
  const evidence = await findNewerRun(store, keys, current, known);
  if (evidence !== undefined) {
    damage.push({
      code: 'pointer-set-back',
      message: `latest.json was set back: it names the run of ${pointer.slot} (generation ${pointer.generation}), but ${evidence}. Restore the newer latest.json.`,
    });
  }
  return damage;
}

/** Every retraction is one more generation. */
function isAnotherGeneration(pointer: number, manifest: number, retractions: number): boolean {
  return retractions === 0 ? pointer !== manifest : pointer <= manifest;
}

async function findNewerRun(
  store: Store,
  keys: readonly string[],
  current: CurrentRun,
  { runs, retracted }: { readonly runs: readonly PublishedRun[]; readonly retracted: readonly Retraction[] },
): Promise<string | undefined> {
  const { slot, generation } = current.pointer;
  const known = new Set([...runs.map(({ link }) => link.manifest), ...retracted.map(({ manifest }) => manifest)]);
  const latest = await readLatestManifest(store);
  if (latest !== undefined && !known.has(latest.key) && latest.generation > generation) {
    return `${latestManifestKey} is of the run of ${latest.slot} (generation ${latest.generation})`;
  }
  const taken = new Set(retracted.map((retraction) => retraction.slot));
  const copy = keys.findLast((key) => {
    const copied = parseSlotFromCopyKey(key) ?? '';
    return copied > slot && !taken.has(copied) && keys.some((one) => one.startsWith(`runs/${copied}/`));
  });
  if (copy !== undefined) {
    return `${copy} was copied from a later run`;
  }
  // An attempt that nobody published looks the same, until somebody built on it or sent its messages.
  const attempts: PublishedRun[] = [];
  for (const key of keys.filter(
    (one) => isManifestKey(one) && !known.has(one) && (parseSlotFromKey(one) ?? '') >= slot,
  )) {
    const run = await readRunByItself(store, key);
    if (run !== undefined) {
      attempts.push(run);
    }
  }
  const published = attempts.find(
    ({ manifest, link }) =>
      (manifest.generation ?? 0) > generation + 1 ||
      attempts.some((later) => later.manifest.previous?.manifest === link.manifest) ||
      keys.some((key) => key.startsWith(link.manifest.replace('manifest.json', 'delivered/'))),
  );
  return published && `${published.link.manifest} was published after it`;
}

async function readLatestManifest(
  store: Store,
): Promise<{ readonly key: string; readonly slot: string; readonly generation: number } | undefined> {
  const held = await store.read(latestManifestKey);
  try {
    const manifest = held && readManifest(held.body, latestManifestKey);
    return (
      manifest && {
        key: `runs/${manifest.slot}/${manifest.attempt}/manifest.json`,
        slot: manifest.slot,
        generation: manifest.generation ?? 0,
      }
    );
  } catch {
    // It is a copy: that it is damaged is found where copies are checked.
    return undefined;
  }
}
