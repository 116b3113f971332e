/** Keeps the commits in a second place too, best where nothing can be changed: a bucket under Object Lock. */

import pLimit from 'p-limit';
import { MusterError } from '../../base/errors.ts';
import type { Damage } from '../damage.ts';
import { toCommitKey } from '../keys.ts';
import type { Store } from '../store.ts';
import { serializeRecord } from '../stored-json.ts';
import type { Commit, PublishedRun } from './commit.ts';
import { createLogError, listCommitNumbers, readKeptRun } from './log.ts';

/** Reads at once: one at a time would be slow, and all at once would be refused. */
export const readsAtOnce = 16;

/** The audit store's last commit, read before the log. */
export interface NewestCommits {
  readonly audit: Store;
  /** Undefined where it has none. */
  readonly newest: number | undefined;
  readonly sha256: string | undefined;
}

/** Reads the audit's last commit; undefined without an audit store, and if it is unreachable, which the copying run reports. */
export async function readNewestCommits(audit: Store | undefined, near = 1): Promise<NewestCommits | undefined> {
  try {
    if (audit === undefined) {
      return undefined;
    }
    const newest = (await listCommitNumbers(audit, near)).at(-1) ?? (await listCommitNumbers(audit)).at(-1);
    return { audit, newest, sha256: newest === undefined ? undefined : await audit.digest(toCommitKey(newest)) };
  } catch (error) {
    if (error instanceof MusterError && error.code === 'store-unreachable') {
      return undefined;
    }
    throw error;
  }
}

/** Throws `log-damaged` where the log is shorter than its audit, or another one. */
export async function compareNewestCommits(
  store: Store,
  { commit: { number }, sha256 }: PublishedRun,
  audited: NewestCommits | undefined,
): Promise<void> {
  const { audit, newest } = audited ?? {};
  if (audit === undefined || newest === undefined) {
    return;
  }
  const key = toCommitKey(newest);
  if (newest > number) {
    throw createLogError(store, `${key} is missing, though ${audit.name} has it`);
  }
  if ((newest === number ? sha256 : await store.digest(key)) !== audited?.sha256) {
    throw createLogError(store, describeDifference(key, audit));
  }
}

/**
 * Copies the commits that the audit store lacks, back to where the hashes meet, oldest first, so that the audit never
 * has a gap. Safe to repeat, and for two at once.
 */
export async function keepCommits(store: Store, audit: Store, head: PublishedRun): Promise<void> {
  const lacking: PublishedRun[] = [];
  for (let run: PublishedRun | undefined = head; run !== undefined; ) {
    const { number, previous }: Commit = run.commit;
    const key = toCommitKey(number);
    const digest = await audit.digest(key);
    if (digest !== undefined && digest !== run.sha256) {
      throw createLogError(store, describeDifference(key, audit));
    }
    if (digest === undefined) {
      lacking.unshift(run);
    }
    run = digest === undefined && previous !== null ? await readKeptRun(store, previous) : undefined;
  }
  for (const { commit, sha256 } of lacking) {
    const key = toCommitKey(commit.number);
    try {
      await audit.create(key, serializeRecord(commit));
    } catch (error) {
      if ((await audit.digest(key)) !== sha256) {
        throw error;
      }
    }
  }
}

function describeDifference(key: string, audit: Store): string {
  return `${key} differs from its copy in ${audit.name}: somebody changed one of the two`;
}

/** Compares every commit with the audit. An audit that lacks commits at its end is behind rather than damaged. */
export async function compareWithAudit(
  audit: Store | undefined,
  commits: ReadonlyMap<number, PublishedRun>,
): Promise<{ readonly damage: Damage[]; readonly behind: string[] }> {
  if (audit === undefined) {
    return { damage: [], behind: [] };
  }
  try {
    const numbers = await listCommitNumbers(audit);
    const newest = numbers.at(-1) ?? 0;
    const kept = new Set(numbers);
    const copies = await pLimit(readsAtOnce).map(commits, async ([number, { sha256 }]) => {
      return { number, sha256, digest: kept.delete(number) ? await audit.digest(toCommitKey(number)) : undefined };
    });
    const damage: Damage[] = [];
    for (const { number, sha256, digest } of copies) {
      const key = toCommitKey(number);
      if (digest === undefined && number < newest) {
        damage.push({ code: 'audit-missing', message: `${key} is missing in ${audit.name}, which has later ones.` });
      } else if (digest !== undefined && digest !== sha256) {
        damage.push({ code: 'audit-differs', message: `${describeDifference(key, audit)}.` });
      }
    }
    for (const number of kept) {
      const message = `${toCommitKey(number)} is in ${audit.name}, so it was published, but the store has none that can be read.`;
      damage.push({ code: 'audit-only', message });
    }
    const lacking = copies.filter(({ number, digest }) => digest === undefined && number > newest);
    const behind = lacking.map(
      ({ number }) => `${audit.name} is behind: ${toCommitKey(number)}; the next run copies it.`,
    );
    return { damage, behind };
  } catch (error) {
    if (!(error instanceof MusterError) || error.code !== 'store-unreachable') {
      throw error;
    }
    const message = `Nothing was compared with ${audit.name}. ${error.message}`;
    return { damage: [{ code: 'audit-unreadable', message }], behind: [] };
  }
}
