/**
 * Runs by their own manifests, where the chain that leads to them is broken: each stands by itself, and nothing proves
 * that it is the one that was published.
 */
import { MusterError } from '../../errors.ts';
import { computeSha256 } from '../../sha256.ts';
import type { Store } from '../store.ts';
import { isManifestKey, parseReportFile, toCopyKeys, toManifestKey } from './keys.ts';
import { findRun, type PublishedRun, readCurrentRun } from './published-runs.ts';
import { readManifest } from './records.ts';

export interface KeptRun {
  readonly run: PublishedRun;
  readonly isOutsideChain: boolean;
}

/** The run of a slot: the one that the chain leads to, or, where it is broken before, the one that is found there. */
export async function findKeptRun(store: Store, slot: string): Promise<KeptRun | undefined> {
  try {
    const run = await findRun(store, await readCurrentRun(store), slot);
    return run && { run, isOutsideChain: false };
  } catch (error) {
    if (!(error instanceof MusterError) || (error.code !== 'store-damaged' && error.code !== 'store-pointer-lost')) {
      throw error;
    }
  }
  const runs: PublishedRun[] = [];
  for await (const key of store.list(`runs/${slot}/`)) {
    const run = isManifestKey(key) ? await readRunByItself(store, key) : undefined;
    if (run !== undefined) {
      runs.push(run);
    }
  }
  const run = await pickPublishedRun(store, runs);
  return run && { run, isOutsideChain: true };
}

/** Undefined where it is no manifest, or another's. */
export async function readRunByItself(store: Store, key: string): Promise<PublishedRun | undefined> {
  const held = await store.read(key);
  if (held === undefined) {
    return undefined;
  }
  try {
    const manifest = readManifest(held.body, key);
    const isItsOwn = toManifestKey(manifest.slot, manifest.attempt) === key;
    return isItsOwn ? { manifest, link: { manifest: key, sha256: computeSha256(held.body) } } : undefined;
  } catch (error) {
    if (error instanceof MusterError && error.code === 'store-damaged') {
      return undefined;
    }
    throw error;
  }
}

/** Of attempts at one slot: the one whose reports were copied, since copies are made of what is published; else the last. */
export async function pickPublishedRun(store: Store, runs: readonly PublishedRun[]): Promise<PublishedRun | undefined> {
  let best: { readonly run: PublishedRun; readonly copied: number } | undefined;
  const newestFirst = [...runs].sort((one, other) => (one.manifest.attempt < other.manifest.attempt ? 1 : -1));
  for (const run of newestFirst) {
    const copied = runs.length === 1 ? 0 : await countCopies(store, run);
    if (best === undefined || copied > best.copied) {
      best = { run, copied };
    }
  }
  return best?.run;
}

async function countCopies(store: Store, { manifest }: PublishedRun): Promise<number> {
  let count = 0;
  for (const { key, sha256 } of manifest.files) {
    const file = parseReportFile(key);
    if (file !== undefined && (await store.digest(toCopyKeys(file, manifest.slot)[0])) === sha256) {
      count += 1;
    }
  }
  return count;
}
