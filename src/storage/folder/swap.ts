/**
 * Compare-and-swap in a folder without a lock. POSIX has no rename on a condition, so the commit is a claim: a file
 * named after the version it replaces, holding what replaces it, and linked, so that one contender gets the name and
 * nobody sees half of it. The first contents are linked to the key itself.
 *
 * The claims form a chain from each version to the next, and the truth is its end; the key is a copy of the newest
 * link that somebody has got round to installing. Whoever reads the key or swaps it installs the end first, and looks
 * again after every rename: a writer killed after its claim is completed by the next one, and one that was paused
 * before its rename puts an old version in place for as long as it takes to look again.
 *
 * A version is the SHA-256 of the contents, so contents must never repeat under one key (the pointer has a nonce).
 */
import { join } from 'node:path';
import { MusterError } from '../../errors.ts';
import type { Held } from '../store.ts';
import { type Folder, pathOf, placeNew, placeOver, removeOldTemporaries, versionOf } from './atomic-write.ts';
import { systemCode } from './disk.ts';

const claimsName = '.swaps';
/** A paused process may still look for old claims; after this long it would not find its temporary file either. */
const claimDays = 30;

export async function swapIn(
  folder: Folder,
  key: string,
  body: Buffer,
  expected: string | undefined,
): Promise<boolean> {
  const ours = versionOf(body);
  const before = await settle(folder, key);
  if (ours === expected) return before?.version === expected;
  if (before?.version !== expected) return isOrWas(folder, key, before, ours);
  await refuseRepeated(folder, key, ours);
  await removeOldClaims(folder, key, Date.now());
  const path = expected === undefined ? pathOf(folder, key) : claimOf(folder, key, expected);
  const claimed = await placeNew(folder, path, body);
  const after = await settle(folder, key);
  if (await isOrWas(folder, key, after, ours)) return true;
  // The key was put or removed in the meantime, so our claim replaces nothing, and must not if those contents return.
  if (claimed && expected !== undefined) await folder.disk.unlink(path);
  return false;
}

/** What the key holds, completing first what others left half done. A store that cannot be written can still be read. */
export async function readSettled(folder: Folder, key: string): Promise<Held | undefined> {
  const held = await heldAt(folder, pathOf(folder, key));
  const last = held && (await lastOf(folder, key, held));
  if (last === held) return held;
  return settle(folder, key).catch((error: unknown) => {
    if (systemCode(error) === undefined) throw error;
    return last;
  });
}

export async function hasClaims(folder: Folder, key: string): Promise<boolean> {
  return (await folder.disk.list(claimsOf(folder, key))).length > 0;
}

export async function removeClaims(folder: Folder, key: string): Promise<void> {
  const claims = await folder.disk.list(claimsOf(folder, key));
  for (const { name } of claims) await folder.disk.unlink(join(claimsOf(folder, key), name));
  if (claims.length > 0) await folder.disk.removeFolder(claimsOf(folder, key));
}

async function settle(folder: Folder, key: string): Promise<Held | undefined> {
  for (;;) {
    const held = await heldAt(folder, pathOf(folder, key));
    if (held === undefined) return undefined;
    const last = await lastOf(folder, key, held);
    if (last === held) return held;
    // The claims must outlive a power cut before anything that follows from them does.
    await folder.disk.syncFolder(claimsOf(folder, key));
    await placeOver(folder, pathOf(folder, key), last.body);
  }
}

/** The end of the chain; the contents themselves where the chain has none, being a circle. */
async function lastOf(folder: Folder, key: string, held: Held): Promise<Held> {
  const seen = new Set<string>();
  let last = held;
  for (;;) {
    seen.add(last.version);
    const next = await heldAt(folder, claimOf(folder, key, last.version));
    if (next === undefined) return last;
    if (seen.has(next.version)) return held;
    last = next;
  }
}

/** True when our contents are in the key, or somebody has replaced them since. */
async function isOrWas(folder: Folder, key: string, held: Held | undefined, ours: string): Promise<boolean> {
  return held?.version === ours || (await folder.disk.writtenAt(claimOf(folder, key, ours))) !== undefined;
}

async function refuseRepeated(folder: Folder, key: string, ours: string): Promise<void> {
  if ((await folder.disk.writtenAt(claimOf(folder, key, ours))) === undefined) return;
  throw new MusterError('unexpected', `A swap of ${key} would bring back contents it had before. Please report this.`);
}

async function removeOldClaims(folder: Folder, key: string, now: number): Promise<void> {
  const claims: { path: string; age: number }[] = [];
  for (const { name } of await folder.disk.list(claimsOf(folder, key))) {
    const path = join(claimsOf(folder, key), name);
    const writtenAt = await folder.disk.writtenAt(path);
    if (writtenAt) claims.push({ path, age: now - writtenAt.getTime() });
  }
  const [, ...others] = claims.sort((one, other) => one.age - other.age);
  const old = others.filter(({ age }) => age > claimDays * 86_400_000);
  // A process paused all this time could still rename its old file into place, where no claim would lead on from it.
  if (old.length > 0) await removeOldTemporaries(folder, now);
  for (const { path } of old.reverse()) await folder.disk.unlink(path);
}

function claimsOf(folder: Folder, key: string): string {
  return join(folder.path, claimsName, encodeURIComponent(key));
}

function claimOf(folder: Folder, key: string, version: string): string {
  return join(claimsOf(folder, key), version);
}

async function heldAt(folder: Folder, path: string): Promise<Held | undefined> {
  const contents = await folder.disk.read(path);
  return contents && { ...contents, version: versionOf(contents.body) };
}
