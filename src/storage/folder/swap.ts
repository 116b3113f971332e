/**
 * Compare-and-swap in a folder without a lock. POSIX has no conditional rename, so the commit is a claim: a file
 * named after the version it replaces, with the new contents. It is created as a hard link, so one process gets the
 * name and nobody sees a partial file. The first contents are linked to the key itself.
 *
 * The claims form a chain from each version to the next. The last one is the current version; the key is a copy that
 * may be older. Every read or swap of the key first copies the last claim to the key, and checks again after each
 * rename: so the next process completes the swap of one that was killed after its claim, and corrects the old version
 * that a process paused before its rename may put back.
 *
 * A version is the SHA-256 of the contents, so contents must never repeat under one key (the pointer has a nonce).
 */
import { join } from 'node:path';
import { MusterError } from '../../errors.ts';
import { computeSha256 } from '../../sha256.ts';
import type { StoredObject } from '../store.ts';
import {
  createAtomically,
  type Folder,
  removeOldTemporaries,
  replaceAtomically,
  resolveKeyPath,
} from './atomic-write.ts';
import { readSystemCode } from './disk.ts';
import { ignoreRefusals } from './folder-errors.ts';

const claimsFolderName = '.swaps';
/** A paused process may still need old claims; after this time its temporary file is gone too. */
const maximumClaimDays = 30;

export async function swapContents(
  folder: Folder,
  key: string,
  body: Buffer,
  expected: string | undefined,
): Promise<boolean> {
  const ownVersion = computeSha256(body);
  const before = await settleClaims(folder, key);
  if (ownVersion === expected) {
    return before?.version === expected;
  }
  if (before?.version !== expected) {
    return isOrWasOurs(folder, key, before, ownVersion);
  }
  await refuseRepeated(folder, key, ownVersion);
  await ignoreRefusals(removeOldClaims(folder, key, Date.now()));
  const path = expected === undefined ? resolveKeyPath(folder, key) : resolveClaimPath(folder, key, expected);
  const claimed = await createAtomically(folder, path, body);
  const after = await settleClaims(folder, key);
  if (await isOrWasOurs(folder, key, after, ownVersion)) {
    return true;
  }
  // The key was put or removed in the meantime, so this claim replaces nothing, and must not if those contents return.
  if (claimed && expected !== undefined) {
    await folder.disk.unlink(path);
  }
  return false;
}

/** The current contents of the key; unfinished swaps are completed first. A read-only store can still be read. */
export async function readSettled(folder: Folder, key: string): Promise<StoredObject | undefined> {
  const stored = await readStoredObject(folder, resolveKeyPath(folder, key));
  const last = stored && (await findLastClaim(folder, key, stored));
  if (last === stored) {
    return stored;
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
    const stored = await readStoredObject(folder, resolveKeyPath(folder, key));
    if (stored === undefined) {
      return undefined;
    }
    const last = await findLastClaim(folder, key, stored);
    if (last === stored) {
      return stored;
    }
    // The claims must survive a power failure before anything that depends on them is written.
    await folder.disk.syncFolder(resolveClaimsFolder(folder, key));
    await replaceAtomically(folder, resolveKeyPath(folder, key), last.body);
  }
}

/** The last claim of the chain; the given contents where the chain is a circle and has no end. */
async function findLastClaim(folder: Folder, key: string, stored: StoredObject): Promise<StoredObject> {
  const seen = new Set<string>();
  let last = stored;
  for (;;) {
    seen.add(last.version);
    const next = await readStoredObject(folder, resolveClaimPath(folder, key, last.version));
    if (next === undefined) {
      return last;
    }
    if (seen.has(next.version)) {
      return stored;
    }
    last = next;
  }
}

/** True when our contents are in the key, or another process has replaced them since. */
async function isOrWasOurs(
  folder: Folder,
  key: string,
  stored: StoredObject | undefined,
  ownVersion: string,
): Promise<boolean> {
  return (
    stored?.version === ownVersion ||
    (await folder.disk.writtenAt(resolveClaimPath(folder, key, ownVersion))) !== undefined
  );
}

async function refuseRepeated(folder: Folder, key: string, ownVersion: string): Promise<void> {
  if ((await folder.disk.writtenAt(resolveClaimPath(folder, key, ownVersion))) === undefined) {
    return;
  }
  throw new MusterError(
    'unexpected',
    `A swap of ${key} would restore contents that it had before. Please report this.`,
  );
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
  // A process paused all this time could still rename its old file into place, and no claim would lead on from it.
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
  return contents && { ...contents, version: computeSha256(contents.body) };
}
