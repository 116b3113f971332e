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
import type { StoredObject } from '../store.ts';
import {
  computeVersion,
  createAtomically,
  type Folder,
  removeOldTemporaries,
  replaceAtomically,
  resolveKeyPath,
} from './atomic-write.ts';
import { readSystemCode } from './disk.ts';

const claimsFolderName = '.swaps';
/** A paused process may still look for old claims; after this long it would not find its temporary file either. */
const maximumClaimDays = 30;

export async function swapContents(
  folder: Folder,
  key: string,
  body: Buffer,
  expected: string | undefined,
): Promise<boolean> {
  const ours = computeVersion(body);
  const before = await settleClaims(folder, key);
  if (ours === expected) {
    return before?.version === expected;
  }
  if (before?.version !== expected) {
    return isOrWasOurs(folder, key, before, ours);
  }
  await refuseRepeated(folder, key, ours);
  await removeOldClaims(folder, key, Date.now());
  const path = expected === undefined ? resolveKeyPath(folder, key) : resolveClaimPath(folder, key, expected);
  const claimed = await createAtomically(folder, path, body);
  const after = await settleClaims(folder, key);
  if (await isOrWasOurs(folder, key, after, ours)) {
    return true;
  }
  // The key was put or removed in the meantime, so our claim replaces nothing, and must not if those contents return.
  if (claimed && expected !== undefined) {
    await folder.disk.unlink(path);
  }
  return false;
}

/** What the key holds, completing first what others left half done. A store that cannot be written can still be read. */
export async function readSettled(folder: Folder, key: string): Promise<StoredObject | undefined> {
  const held = await readStoredObject(folder, resolveKeyPath(folder, key));
  const last = held && (await findLastClaim(folder, key, held));
  if (last === held) {
    return held;
  }
  return settleClaims(folder, key).catch((error: unknown) => {
    if (readSystemCode(error) === undefined) {
      throw error;
    }
    return last;
  });
}

export async function hasClaims(folder: Folder, key: string): Promise<boolean> {
  return (await folder.disk.list(resolveClaimsFolder(folder, key))).length > 0;
}

export async function removeClaims(folder: Folder, key: string): Promise<void> {
  const claims = await folder.disk.list(resolveClaimsFolder(folder, key));
  for (const { name } of claims) {
    await folder.disk.unlink(join(resolveClaimsFolder(folder, key), name));
  }
  if (claims.length > 0) {
    await folder.disk.removeFolder(resolveClaimsFolder(folder, key));
  }
}

async function settleClaims(folder: Folder, key: string): Promise<StoredObject | undefined> {
  for (;;) {
    const held = await readStoredObject(folder, resolveKeyPath(folder, key));
    if (held === undefined) {
      return undefined;
    }
    const last = await findLastClaim(folder, key, held);
    if (last === held) {
      return held;
    }
    // The claims must outlive a power cut before anything that follows from them does.
    await folder.disk.syncFolder(resolveClaimsFolder(folder, key));
    await replaceAtomically(folder, resolveKeyPath(folder, key), last.body);
  }
}

/** The end of the chain; the contents themselves where the chain has none, being a circle. */
async function findLastClaim(folder: Folder, key: string, held: StoredObject): Promise<StoredObject> {
  const seen = new Set<string>();
  let last = held;
  for (;;) {
    seen.add(last.version);
    const next = await readStoredObject(folder, resolveClaimPath(folder, key, last.version));
    if (next === undefined) {
      return last;
    }
    if (seen.has(next.version)) {
      return held;
    }
    last = next;
  }
}

/** True when our contents are in the key, or somebody has replaced them since. */
async function isOrWasOurs(
  folder: Folder,
  key: string,
  held: StoredObject | undefined,
  ours: string,
): Promise<boolean> {
  return held?.version === ours || (await folder.disk.writtenAt(resolveClaimPath(folder, key, ours))) !== undefined;
}

async function refuseRepeated(folder: Folder, key: string, ours: string): Promise<void> {
  if ((await folder.disk.writtenAt(resolveClaimPath(folder, key, ours))) === undefined) {
    return;
  }
  throw new MusterError('unexpected', `A swap of ${key} would bring back contents it had before. Please report this.`);
}

async function removeOldClaims(folder: Folder, key: string, now: number): Promise<void> {
  const claims: { path: string; age: number }[] = [];
  for (const { name } of await folder.disk.list(resolveClaimsFolder(folder, key))) {
    const path = join(resolveClaimsFolder(folder, key), name);
    const writtenAt = await folder.disk.writtenAt(path);
    if (writtenAt) {
      claims.push({ path, age: now - writtenAt.getTime() });
    }
  }
  const [, ...others] = claims.sort((one, other) => one.age - other.age);
  const old = others.filter(({ age }) => age > maximumClaimDays * 86_400_000);
  // A process paused all this time could still rename its old file into place, where no claim would lead on from it.
  if (old.length > 0) {
    await removeOldTemporaries(folder, now);
  }
  for (const { path } of old.reverse()) {
    await folder.disk.unlink(path);
  }
}

function resolveClaimsFolder(folder: Folder, key: string): string {
  return join(folder.path, claimsFolderName, encodeURIComponent(key));
}

function resolveClaimPath(folder: Folder, key: string, version: string): string {
  return join(resolveClaimsFolder(folder, key), version);
}

async function readStoredObject(folder: Folder, path: string): Promise<StoredObject | undefined> {
  const contents = await folder.disk.read(path);
  return contents && { ...contents, version: computeVersion(contents.body) };
}
