/** What a store has published: the chain from the pointer back to the oldest kept run, and what lies behind a break. */
import type { Store } from '../../store.ts';
import { isManifestKey, parseAttemptFromKey, parseSlotFromKey, pointerKey, toComparableSlot } from '../keys.ts';
import { pickPublishedRun, readRunByItself } from '../outside-chain.ts';
import { type CurrentRun, type PublishedRun, readCurrentRun, readRun } from '../published-runs.ts';
import { type Retraction, readPointer } from '../records.ts';
import { listRetractions } from '../retractions.ts';
import { type Damage, toDamage } from './damage.ts';
import { walkChain } from './walk-chain.ts';

export interface FoundRuns {
  /** Every key of the store. */
  readonly keys: readonly string[];
  /** Undefined where nothing is published, and where the pointer or its manifest is damaged. */
  readonly current: CurrentRun | undefined;
  /** Newest first: what stands for each slot and the attempts that it replaced, then baselines beyond retention. */
  readonly chain: readonly PublishedRun[];
  /** Behind a break of the chain, newest first: each by itself. */
  readonly outside: readonly PublishedRun[];
  /** Taken back, oldest first. */
  readonly retracted: readonly Retraction[];
  /** Those whose manifest can be read; their files stay where they were. */
  readonly retractedRuns: readonly PublishedRun[];
  /** The slot of the oldest run within retention; empty where nobody knows. */
  readonly oldest: string;
  /** Manifests to which the chain leads and which cannot be read. */
  readonly lost: readonly string[];
  readonly damage: readonly Damage[];
}

export async function findRuns(store: Store): Promise<FoundRuns> {
  const keys = await listKeys(store);
  const { current, ...head } = await readHead(store);
  const walked = current === undefined ? undefined : await walkChain(store, current);
  const { chain, oldest, breaks, ...end } = walked ?? { chain: [], oldest: '', breaks: [], lost: [], damage: [] };
  const takenBack = await readRetractedRuns(store, current);
  const found = {
    ...{ keys, current, chain, oldest },
    ...{ retracted: takenBack.retracted, retractedRuns: takenBack.runs },
    lost: [...head.lost, ...end.lost],
    damage: [...head.damage, ...end.damage, ...takenBack.damage],
  };
  const isBroken = head.damage.length + end.damage.length > 0;
  return { ...found, outside: isBroken ? await findRunsOutside(store, found, [...head.lost, ...breaks]) : [] };
}

async function listKeys(store: Store): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.list('')) {
    keys.push(key);
  }
  return keys;
}

interface Head {
  readonly current: CurrentRun | undefined;
  readonly lost: readonly string[];
  readonly damage: readonly Damage[];
}

async function readHead(store: Store): Promise<Head> {
  try {
    return { current: await readCurrentRun(store), lost: [], damage: [] };
  } catch (error) {
    return { current: undefined, lost: await readNamedManifest(store), damage: [toDamage(error)] };
  }
}

/** The manifest that the pointer names, where that can be read. */
async function readNamedManifest(store: Store): Promise<string[]> {
  const stored = await store.read(pointerKey);
  try {
    return stored === undefined ? [] : [readPointer(stored.body, pointerKey).manifest];
  } catch {
    // That the pointer is damaged is said already.
    return [];
  }
}

async function readRetractedRuns(
  store: Store,
  current: CurrentRun | undefined,
): Promise<{ readonly retracted: Retraction[]; readonly runs: PublishedRun[]; readonly damage: Damage[] }> {
  const retracted = current === undefined ? [] : listRetractions(current);
  const runs: PublishedRun[] = [];
  const damage: Damage[] = [];
  for (const retraction of retracted) {
    try {
      runs.push(await readRun(store, retraction));
    } catch (error) {
      damage.push(toDamage(error));
    }
  }
  return { retracted, runs, damage };
}

/** By the manifests themselves: of each slot behind the breaks, the run that was published as far as one can tell. */
async function findRunsOutside(
  store: Store,
  found: Pick<FoundRuns, 'keys' | 'chain' | 'retracted' | 'oldest'>,
  breaks: readonly string[],
): Promise<PublishedRun[]> {
  const known = new Set(listKnownManifests(found));
  const newest = breaks.map(toOrder).sort().at(-1);
  const candidates = found.keys.filter(
    (key) =>
      isManifestKey(key) &&
      !known.has(key) &&
      toComparableSlot(key) >= found.oldest &&
      (newest === undefined || toOrder(key) < newest),
  );
  const runs: PublishedRun[] = [];
  for (const sameSlot of Map.groupBy(candidates, (key) => parseSlotFromKey(key)).values()) {
    const read = await Promise.all(sameSlot.map((key) => readRunByItself(store, key)));
    const attempts = read.filter((run) => run !== undefined);
    runs.push(...[await pickPublishedRun(store, attempts)].filter((run) => run !== undefined));
  }
  return runs.sort((one, other) => (one.manifest.slot < other.manifest.slot ? 1 : -1));
}

/** Slots first, then attempts, whose names begin with their moment. */
function toOrder(key: string): string {
  return `${parseSlotFromKey(key)} ${parseAttemptFromKey(key)}`;
}

/** Manifests of runs that were published, as the pointer and the chain tell. */
export function listKnownManifests({ chain, retracted }: Pick<FoundRuns, 'chain' | 'retracted'>): string[] {
  return [...chain.map(({ link }) => link.manifest), ...retracted.map(({ manifest }) => manifest)];
}

/** The run that stands for each slot, newest first: the others are attempts that it replaced. */
export function listStandingRuns({ chain, outside }: Pick<FoundRuns, 'chain' | 'outside'>): PublishedRun[] {
  const slots = new Set<string>();
  return [...chain, ...outside].filter(({ manifest }) => !slots.has(manifest.slot) && slots.add(manifest.slot));
}

/** Slots to which the chain leads and of which nobody knows what was published. */
export function listLostSlots({ lost }: Pick<FoundRuns, 'lost'>): Set<string> {
  return new Set(lost.flatMap((key) => parseSlotFromKey(key) ?? []));
}
