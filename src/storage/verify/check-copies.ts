/** Copies for readers, beside what they are copies of. */
import { computeSha256 } from '../../base/sha256.ts';
import type { CurrentRun, PublishedRun } from '../commits/commit.ts';
import { formatLatest } from '../commits/latest.ts';
import type { Damage } from '../damage.ts';
import { latestKey, parseReportFile, toCommitKey, toCopyKeys } from '../keys.ts';
import type { Store } from '../store.ts';
import { measureBody } from './check-files.ts';

export interface ExpectedCopy {
  readonly copy: string;
  /** What it is a copy of. */
  readonly key: string;
  readonly sha256: string;
}

/** Those by date of what stands for each slot. */
export function listDatedCopies({ commit }: PublishedRun): ExpectedCopy[] {
  return commit.files.flatMap(({ key, sha256 }) => {
    const file = parseReportFile(key);
    return file === undefined ? [] : [{ copy: toCopyKeys(file, commit.slot)[0], key, sha256 }];
  });
}

/** Those in `latest/`, and `latest.json`. */
export function listLatestCopies(current: CurrentRun): ExpectedCopy[] {
  const reports = current.commit.files.flatMap(({ key, sha256 }) => {
    const file = parseReportFile(key);
    return file === undefined ? [] : [{ copy: toCopyKeys(file, current.commit.slot)[1], key, sha256 }];
  });
  const key = toCommitKey(current.head.commit.number);
  return [...reports, { copy: latestKey, key, sha256: computeSha256(formatLatest(current)) }];
}

export async function checkCopies(store: Store, copies: readonly ExpectedCopy[]): Promise<Damage[]> {
  const damage: Damage[] = [];
  for (const { copy, key, sha256 } of copies) {
    const found = await measureBody(store, copy);
    if (found === undefined) {
      damage.push({ code: 'copy-missing', message: `${copy} is missing; the next run makes it again.` });
    } else if (found.sha256 !== sha256) {
      damage.push({ code: 'copy-differs', message: `${copy} is damaged: it differs from ${key}.` });
    }
  }
  return damage;
}
