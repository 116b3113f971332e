/**
 * `muster verify`: every byte of what stands published, its copies, its manifests in the audit store, and the chain back
 * to the oldest kept run. Behind a manifest that is lost it goes on, each run by itself.
 */
import type { KeyObject } from 'node:crypto';
import { omitUndefined } from '../../omit-undefined.ts';
import type { Store } from '../store.ts';
import { parseSlotFromKey, pointerKey } from './keys.ts';
import type { PublishedRun } from './published-runs.ts';
import type { Retraction } from './records.ts';
import { checkAuditCopies, findAuditOnly } from './verification/check-audit.ts';
import { checkCopies, checkFiles } from './verification/check-files.ts';
import { type CheckedSignatures, checkSignatures, type Signatures } from './verification/check-signatures.ts';
import type { Damage } from './verification/damage.ts';
import { findForeignFiles } from './verification/find-foreign-files.ts';
import {
  type FoundRuns,
  findRuns,
  listKnownManifests,
  listLostSlots,
  listStandingRuns,
} from './verification/find-runs.ts';
import { findSetBack } from './verification/find-set-back.ts';

export interface VerifyOptions {
  /** Only this run, its files and its copies. */
  readonly slot?: string | undefined;
  /** Where manifests are also kept. */
  readonly audit?: Store | undefined;
  /** Signatures are checked with these. */
  readonly publicKeys?: readonly KeyObject[] | undefined;
}

export interface Verification {
  readonly nights: number;
  readonly files: number;
  readonly damage: readonly Damage[];
  /** Slots of runs that were found by themselves, since the chain to them is broken. */
  readonly outside: readonly string[];
  /** Runs that were taken back, as far as they were asked about. */
  readonly retracted: readonly Retraction[];
  /** Of the pointer; undefined where there is none. */
  readonly generation?: number;
  /** Of the whole store; undefined without public keys. */
  readonly signatures?: Signatures;
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

async function verifyOnce(store: Store, { slot, audit, publicKeys }: VerifyOptions): Promise<Verification> {
  const all = await findRuns(store);
  const found = slot === undefined ? all : selectSlot(all, slot);
  const runs = [...found.chain, ...found.outside];
  const links = [...runs.map(({ link }) => link), ...found.retracted];
  const signatures = publicKeys && (await checkSignatures(store, all, publicKeys));
  const damage = [
    ...found.damage,
    ...listSignatureDamage(signatures, slot),
    ...(await checkRuns(store, found)),
    ...(audit === undefined ? [] : await checkAuditCopies(audit, links)),
    ...(slot === undefined ? await checkKeys(store, found, audit) : []),
  ];
  return {
    nights: listStandingRuns(found).length,
    files: countFiles([...runs, ...found.retractedRuns]),
    damage,
    outside: found.outside.map(({ manifest }) => manifest.slot),
    retracted: found.retracted,
    ...omitUndefined({
      generation: all.current?.pointer.generation,
      signatures: signatures && { signed: signatures.signed, earlier: signatures.earlier },
    }),
  };
}

/** Of a run that is found by itself, its own damage and no other; else also that of the chain that leads to it. */
function selectSlot(found: FoundRuns, slot: string): FoundRuns {
  const isWanted = ({ manifest }: PublishedRun) => manifest.slot === slot;
  const chain = found.chain.filter(isWanted);
  const outside = found.outside.filter(isWanted);
  const retracted = found.retracted.filter((retraction) => retraction.slot === slot);
  const isLost = listLostSlots(found).has(slot);
  const damage: Damage[] = outside.length > 0 && !isLost ? [] : [...found.damage];
  if (chain.length + outside.length + retracted.length === 0 && !isLost) {
    damage.push({ code: 'night-unknown', message: `No run is published for ${slot}.` });
  }
  const retractedRuns = found.retractedRuns.filter(isWanted);
  return { ...found, chain, outside, retracted, retractedRuns, damage };
}

function listSignatureDamage(checked: CheckedSignatures | undefined, slot: string | undefined): Damage[] {
  const damage = checked?.damage ?? [];
  return damage
    .filter((one) => slot === undefined || one.slot === slot)
    .map(({ code, message }) => ({ code, message }));
}

/** Every file, and the copies of the run that stands for its slot. */
async function checkRuns(store: Store, found: FoundRuns): Promise<Damage[]> {
  const { chain, outside, retractedRuns, current } = found;
  const standing = new Set(listStandingRuns(found));
  const lost = listLostSlots(found);
  const damage: Damage[] = [];
  for (const run of [...chain, ...outside]) {
    damage.push(...(await checkFiles(store, run.manifest.files)));
    // Where a slot's manifest is lost, nobody knows what its copies were.
    const isUncertain = outside.includes(run) && lost.has(run.manifest.slot);
    if (standing.has(run) && !isUncertain) {
      damage.push(...(await checkCopies(store, run, run === current)));
    }
  }
  for (const run of retractedRuns) {
    damage.push(...(await checkFiles(store, run.manifest.files)));
  }
  return damage;
}

/** What the list of keys tells: a pointer that was set back, files that nothing names, and runs that only the audit has. */
async function checkKeys(store: Store, found: FoundRuns, audit: Store | undefined): Promise<Damage[]> {
  const { current, keys, lost, outside, oldest } = found;
  if (current === undefined) {
    return [];
  }
  const setBack = await findSetBack(store, found, current);
  const isSetBack = setBack.some(({ code }) => code === 'pointer-set-back');
  const later = keys.flatMap((key) => parseSlotFromKey(key) ?? []).filter((slot) => slot > current.pointer.slot);
  const known = new Set([...listKnownManifests(found), ...outside.map(({ link }) => link.manifest), ...lost]);
  return [
    ...setBack,
    ...findForeignFiles(found, new Set(isSetBack ? later : [])),
    ...(audit === undefined ? [] : await findAuditOnly(audit, known, oldest)),
  ];
}

/** With the manifests. */
function countFiles(runs: readonly PublishedRun[]): number {
  return runs.reduce((sum, { manifest }) => sum + manifest.files.length + 1, 0);
}
