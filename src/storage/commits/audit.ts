/** The same commits in a second place, best one in which nothing can be changed: a bucket under Object Lock. */

import pLimit from 'p-limit';
import { MusterError } from '../../base/errors.ts';
import { computeSha256 } from '../../base/sha256.ts';
import type { Damage } from '../damage.ts';
import { toCommitKey } from '../keys.ts';
import type { Store } from '../store.ts';
import { createDamageError, isDamageError } from '../stored-json.ts';
import type { StoredCommit } from './commit.ts';
import { createLogError, listCommitNumbers } from './log.ts';

/** One read after the other would take long, all at once would be refused. */
export const readsAtOnce = 16;

/** The commits that the audit store lacks, oldest first, so that none is missing before one that is there. */
export async function keepCommits(store: Store, audit: Store, newest: number): Promise<void> {
  const kept = new Set(await listCommitNumbers(audit));
  let damaged: unknown;
  for (let number = 1; number <= newest; number += 1) {
    if (kept.has(number)) {
      continue;
    }
    await keepCommit(store, audit, toCommitKey(number)).catch((error: unknown) => {
      // A person has to repair it; the others are kept all the same.
      if (!isDamageError(error)) {
        throw error;
      }
      damaged ??= error;
    });
  }
  if (damaged !== undefined) {
    throw damaged;
  }
}

/** Can be done twice, and by two at once; what is there already and differs is an error, and stays as it is. */
async function keepCommit(store: Store, audit: Store, key: string): Promise<void> {
  const body = await store.read(key);
  if (body === undefined) {
    throw createDamageError(key, `it is missing from ${store.name}`);
  }
  try {
    await audit.create(key, body);
  } catch (error) {
    const digest = await audit.digest(key);
    if (digest === computeSha256(body)) {
      return;
    }
    throw digest === undefined ? error : createLogError(store, describeDifference(key, audit));
  }
}

function describeDifference(key: string, audit: Store): string {
  return `${key} differs from its copy in ${audit.name}: somebody changed one of the two`;
}

/** Every commit: there, and the same. The longer log of the two is the true one. */
export async function compareWithAudit(
  audit: Store | undefined,
  commits: ReadonlyMap<number, StoredCommit>,
): Promise<Damage[]> {
  if (audit === undefined) {
    return [];
  }
  try {
    const kept = new Set(await listCommitNumbers(audit));
    const damage: Damage[] = [];
    const copies = await pLimit(readsAtOnce).map(commits, async ([number, { sha256 }]) => {
      const key = toCommitKey(number);
      return { key, sha256, digest: kept.delete(number) ? await audit.digest(key) : undefined };
    });
    for (const { key, sha256, digest } of copies) {
      if (digest === undefined) {
        damage.push({ code: 'audit-missing', message: `${key} is missing in ${audit.name}; the next run copies it.` });
      } else if (digest !== sha256) {
        damage.push({ code: 'audit-differs', message: `${describeDifference(key, audit)}.` });
      }
    }
    for (const number of kept) {
      const message = `${toCommitKey(number)} is in ${audit.name}, so it was published, but the store has none that can be read.`;
      damage.push({ code: 'audit-only', message });
    }
    return damage;
  } catch (error) {
    if (!(error instanceof MusterError) || error.code !== 'store-unreachable') {
      throw error;
    }
    return [{ code: 'audit-unreadable', message: `Nothing was compared with ${audit.name}. ${error.message}` }];
  }
}
