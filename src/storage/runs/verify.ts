/**
 * `muster verify`: every byte of what stands published, its copies, its manifests in the audit store, and the chain back
 * to the oldest kept run. Behind a manifest that is lost it goes on, each run by itself.
 */

import { omitUndefined } from '../../omit-undefined.ts';
import type { Store } from '../store.ts';
import { parseSlotFromKey, pointerKey } from './keys.ts';
import { type CurrentRun, type PublishedRun, readCurrentRun, readRun } from './published-runs.ts';
import { type Retraction, readPointer } from './records.ts';
import { listRetractions } from './retractions.ts';
import { checkAuditCopies, findAuditOnly } from './verification/check-audit.ts';
import { checkCopies, checkFiles } from './verification/check-files.ts';
import { type Damage, toDamage } from './verification/damage.ts';
import { findForeignFiles } from './verification/find-foreign-files.ts';
import { findSetBack } from './verification/find-set-back.ts';
import { type Chain, readChain, readRunsOutsideChain } from './verification/read-chain.ts';

export interface VerifyOptions {
  /** Only this run, its files and its copies. */
  readonly slot?: string | undefined;
  /** Where manifests are also kept. */
  readonly audit?: Store | undefined;
}

export interface Verification {
  readonly nights: number;
  readonly files: number;
  readonly damage: readonly Damage[];
  /** Runs that were found by themselves, since the chain to them is broken. */
  readonly outside: readonly string[];
  /** Runs that were taken back, as far as they were asked about. */
  readonly retracted: readonly Retraction[];
  /** Of the pointer; undefined where there is none. */
  readonly generation?: number;
}

/** What a verification that was overtaken by a run found is not damage, so it begins anew. */
const maximumVerifications = 3;

export async function verifyRuns(store: Store, options: VerifyOptions = {}): Promise<Verification> {
  for (let tries = 1; ; tries += 1) {
    const before = await readPointerVersion(store);
    const verification = await verifyOnce(store, options);
    const isSettled = verification.damage.length === 0 || (await readPointerVersion(store)) === before;
    if (isSettled || tries === maximumVerifications) {
      return verification;
    }
  }
}

async function readPointerVersion(store: Store): Promise<string | undefined> {
  return (await store.read(pointerKey))?.version;
}

async function verifyOnce(store: Store, { slot, audit }: VerifyOptions): Promise<Verification> {
  const damage: Damage[] = [];
  const current = await readStanding(store, damage);
  const keys = await listKeys(store);
  const retracted = current === undefined ? [] : listRetractions(current);
  const chain = current === undefined ? await readLostChain(store) : await readChain(store, current);
  const isBroken = damage.length > 0 || chain.lost.length > 0;
  const lostSlots = new Set(chain.lost.map((key) => parseSlotFromKey(key)));
  const outside = isBroken ? await readRunsOutsideChain(store, keys, chain, retracted) : [];
  const standing = pickNewest([...chain.runs, ...outside]);

  const isWanted = (run: PublishedRun) => slot === undefined || run.manifest.slot === slot;
  const wanted = [...chain.runs, ...outside].filter(isWanted);
  const found = outside.filter(isWanted).map((run) => run.manifest.slot);
  const takenBack = retracted.filter((retraction) => slot === undefined || retraction.slot === slot);
  if (slot === undefined || found.length === 0 || lostSlots.has(slot)) {
    damage.push(...chain.damage);
  } else {
    // Of one run alone, its own damage and no other.
    damage.length = 0;
  }
  let files = 0;
  for (const run of wanted) {
    files += run.manifest.files.length + 1;
    damage.push(...(await checkFiles(store, run.manifest.files)));
    // Where a slot's manifest is lost, nobody knows what its copies were.
    if (standing.includes(run) && !(outside.includes(run) && lostSlots.has(run.manifest.slot))) {
      damage.push(...(await checkCopies(store, run, run === current)));
    }
  }
  for (const retraction of takenBack) {
    files += await verifyRetracted(store, retraction, damage);
  }
  if (audit !== undefined) {
    damage.push(...(await checkAuditCopies(audit, [...wanted.map(({ link }) => link), ...takenBack])));
  }
  if (slot !== undefined) {
    if (wanted.length + takenBack.length === 0) {
      damage.push({ code: 'night-unknown', message: `No run is published for ${slot}.` });
    }
  } else if (current !== undefined) {
    damage.push(...(await verifyKeys(store, keys, { current, chain, outside, standing, retracted, audit })));
  }
  return {
    nights: wanted.filter((run) => standing.includes(run)).length,
    ...{ files, damage, outside: found, retracted: takenBack },
    ...omitUndefined({ generation: current?.pointer.generation }),
  };
}

/** Without a run that stands: what the pointer names, where that can be read. */
async function readLostChain(store: Store): Promise<Chain> {
  const empty: Chain = { runs: [], oldest: '', damage: [], lost: [] };
  const held = await store.read(pointerKey);
  try {
    return held === undefined ? empty : { ...empty, lost: [readPointer(held.body, pointerKey).manifest] };
  } catch {
    // That the pointer is damaged is said already.
    return empty;
  }
}

/** Undefined also where the pointer or its manifest is damaged, which is then said. */
async function readStanding(store: Store, damage: Damage[]): Promise<CurrentRun | undefined> {
  try {
    return await readCurrentRun(store);
  } catch (error) {
    damage.push(toDamage(error));
    return undefined;
  }
}

async function listKeys(store: Store): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.list('')) {
    keys.push(key);
  }
  return keys;
}

/** The first of each slot: the others are attempts that it replaced. */
function pickNewest(runs: readonly PublishedRun[]): PublishedRun[] {
  const slots = new Set<string>();
  return runs.filter(({ manifest }) => !slots.has(manifest.slot) && slots.add(manifest.slot));
}

/** How many files it has; they stay where they were. */
async function verifyRetracted(store: Store, retraction: Retraction, damage: Damage[]): Promise<number> {
  try {
    const { manifest } = await readRun(store, retraction);
    damage.push(...(await checkFiles(store, manifest.files)));
    return manifest.files.length + 1;
  } catch (error) {
    damage.push(toDamage(error));
    return 0;
  }
}

interface VerifiedRuns {
  readonly current: CurrentRun;
  readonly chain: Chain;
  readonly outside: readonly PublishedRun[];
  readonly standing: readonly PublishedRun[];
  readonly retracted: readonly Retraction[];
  readonly audit: Store | undefined;
}

/** What the list of keys tells: a pointer that was set back, and files that nothing names. */
async function verifyKeys(
  store: Store,
  keys: readonly string[],
  { current, chain, outside, standing, retracted, audit }: VerifiedRuns,
): Promise<Damage[]> {
  const runs = [...chain.runs, ...outside];
  const setBack = await findSetBack(store, keys, current, { runs, retracted });
  const isSetBack = setBack.some(({ code }) => code === 'pointer-set-back');
  const later = keys
    .flatMap((key) => parseSlotFromKey(key) ?? [])
    .filter((slot) => isSetBack && slot > current.pointer.slot);
  const lost = chain.lost.flatMap((key) => parseSlotFromKey(key) ?? []);
  const foreign = findForeignFiles(keys, {
    ...{ runs: standing, oldest: chain.oldest, unknown: new Set([...lost, ...later]) },
    retracted: new Set(retracted.map(({ slot }) => slot)),
  });
  const known = new Set([
    ...runs.map(({ link }) => link.manifest),
    ...retracted.map(({ manifest }) => manifest),
    ...chain.lost,
  ]);
  return [...setBack, ...foreign, ...(audit === undefined ? [] : await findAuditOnly(audit, known, chain.oldest))];
}
