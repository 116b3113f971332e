/** The chain from the pointer back to the oldest kept run, and what lies behind a manifest that is lost. */
import type { Store } from '../../store.ts';
import { isManifestKey, parseAttemptFromKey, parseSlotFromKey } from '../keys.ts';
import { pickPublishedRun, readRunByItself } from '../outside-chain.ts';
import { type CurrentRun, type PublishedRun, readOldestKeptSlot, readRun } from '../published-runs.ts';
import type { ManifestLink, Retraction } from '../records.ts';
import { createDamageError } from '../records.ts';
import { type Damage, toDamage } from './damage.ts';

export interface Chain {
  /** Newest first: what stands for each slot and the attempts that it replaced, then baselines beyond retention. */
  readonly runs: readonly PublishedRun[];
  /** The slot of the oldest run within retention; empty where nobody knows. */
  readonly oldest: string;
  readonly damage: readonly Damage[];
  /** Manifests to which the chain leads and which cannot be read. */
  readonly lost: readonly string[];
}

export async function readChain(store: Store, current: CurrentRun): Promise<Chain> {
  const oldest = await readOldestKeptSlot(store, current);
  const damage: Damage[] = [];
  const lost: string[] = [];
  const runs: PublishedRun[] = [current];
  const follow = async (link: ManifestLink): Promise<PublishedRun | undefined> => {
    try {
      return await readRun(store, link);
    } catch (error) {
      damage.push(toDamage(error));
      lost.push(link.manifest);
      return undefined;
    }
  };
  const walk = async (from: PublishedRun, last: string): Promise<void> => {
    for (let run: PublishedRun | undefined = from; run !== undefined; ) {
      const { previous, generation } = run.manifest;
      if (previous === null && generation !== undefined && generation > 1) {
        damage.push(toDamage(createDamageError(run.link.manifest, 'it names no run before it, and is not the first')));
      }
      if (previous === null || (parseSlotFromKey(previous.manifest) ?? '') < last) {
        return;
      }
      run = await follow(previous);
      if (run !== undefined) {
        runs.push(run);
      }
    }
  };
  await walk(current, oldest);
  for (const link of current.manifest.baselines ?? []) {
    const run = await follow(link);
    if (run !== undefined) {
      runs.push(run);
      await walk(run, parseSlotFromKey(link.manifest) ?? '');
    }
  }
  return { runs, oldest, damage, lost };
}

/** By the manifests themselves: of each slot behind the break, the run that was published as far as one can tell. */
export async function readRunsOutsideChain(
  store: Store,
  keys: readonly string[],
  chain: Pick<Chain, 'runs' | 'oldest' | 'lost'>,
  retracted: readonly Retraction[],
): Promise<PublishedRun[]> {
  const known = new Set([...chain.runs.map(({ link }) => link.manifest), ...retracted.map(({ manifest }) => manifest)]);
  const newest = chain.lost.map(toOrder).sort().at(-1);
  const candidates = keys.filter(
    (key) =>
      isManifestKey(key) &&
      !known.has(key) &&
      (parseSlotFromKey(key) ?? '') >= chain.oldest &&
      (newest === undefined || toOrder(key) < newest),
  );
  const runs: PublishedRun[] = [];
  for (const sameSlot of Map.groupBy(candidates, (key) => parseSlotFromKey(key)).values()) {
    const read = await Promise.all(sameSlot.map((key) => readRunByItself(store, key)));
    const published = await pickPublishedRun(
      store,
      read.flatMap((run) => run ?? []),
    );
    if (published !== undefined) {
      runs.push(published);
    }
  }
  return runs.sort((one, other) => (one.manifest.slot < other.manifest.slot ? 1 : -1));
}

/** Slots first, then attempts, whose names begin with their moment. */
function toOrder(key: string): string {
  return `${parseSlotFromKey(key)} ${parseAttemptFromKey(key)}`;
}
