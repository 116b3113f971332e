/** From the run that stands back to the oldest one that is kept: each manifest names the one before it by its SHA-256. */
import type { Store } from '../../store.ts';
import { toComparableSlot } from '../keys.ts';
import { type PublishedRun, readOldestKeptSlot, readRun } from '../published-runs.ts';
import type { ManifestLink } from '../records.ts';
import { type Damage, toDamage } from './damage.ts';

interface Chain {
  /** Newest first, then baselines beyond retention. */
  readonly chain: readonly PublishedRun[];
  /** The slot of the oldest run within retention; empty where nobody knows. */
  readonly oldest: string;
  /** Manifests to which the chain leads and which cannot be read. */
  readonly lost: readonly string[];
  /** Manifests where the chain ends too early; the lost ones are among them. */
  readonly breaks: readonly string[];
  readonly damage: readonly Damage[];
}

export async function walkChain(store: Store, current: PublishedRun): Promise<Chain> {
  const oldest = await readOldestKeptSlot(store, current);
  const walk = startWalk(store);
  walk.chain.push(current);
  await walk.backTo(oldest, current);
  for (const link of current.manifest.baselines ?? []) {
    const run = await walk.follow(link);
    if (run !== undefined) {
      await walk.backTo(toComparableSlot(link.manifest), run);
    }
  }
  const { chain, lost, breaks, damage } = walk;
  return { chain, oldest, lost, breaks, damage };
}

function startWalk(store: Store) {
  const chain: PublishedRun[] = [];
  const lost: string[] = [];
  const breaks: string[] = [];
  const damage: Damage[] = [];

  async function follow(link: ManifestLink): Promise<PublishedRun | undefined> {
    try {
      const run = await readRun(store, link);
      chain.push(run);
      return run;
    } catch (error) {
      const isMissing = (await store.digest(link.manifest)) === undefined;
      const { code, message } = toDamage(error);
      damage.push({ code: isMissing ? 'chain-cut' : code, message });
      lost.push(link.manifest);
      breaks.push(link.manifest);
      return undefined;
    }
  }

  async function backTo(last: string, from: PublishedRun): Promise<void> {
    for (let run: PublishedRun | undefined = from; run !== undefined; ) {
      const { previous, generation = 1 }: PublishedRun['manifest'] = run.manifest;
      if (previous === null && generation > 1) {
        const message = `${run.link.manifest} names no run before it, but it was published as number ${generation}.`;
        damage.push({ code: 'chain-cut', message });
        breaks.push(run.link.manifest);
      }
      if (previous === null || toComparableSlot(previous.manifest) < last) {
        return;
      }
      const before = await follow(previous);
      if (before !== undefined && isNewer(before, run)) {
        const message = `${run.link.manifest} names ${previous.manifest} as the run before it, which is newer.`;
        damage.push({ code: 'chain-reordered', message });
      }
      run = before;
    }
  }

  return { chain, lost, breaks, damage, follow, backTo };
}

/** Every run that is published has a later generation than the one before it, and no earlier slot. */
function isNewer({ manifest: before }: PublishedRun, { manifest: run }: PublishedRun): boolean {
  const isLaterSlot = before.slot > run.slot;
  const isLaterGeneration =
    before.generation !== undefined && run.generation !== undefined && before.generation >= run.generation;
  return isLaterSlot || isLaterGeneration;
}
