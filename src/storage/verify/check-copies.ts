/** Copies for readers, beside what they are copies of. */
import { computeSha256 } from '../../base/sha256.ts';
import type { CurrentRun, PublishedRun } from '../commits/commit.ts';
import { formatLatest } from '../commits/latest.ts';
import type { Damage } from '../damage.ts';
import { latestKey, parseReportFile, parseSlotFromCopyKey, toCommitKey, toCopyKeys } from '../keys.ts';
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

interface KnownCopies {
  /** Copies of what stands and is kept. */
  readonly expected: readonly ExpectedCopy[];
  /** Runs past their retention, whose copies may not be removed yet. */
  readonly removed: readonly PublishedRun[];
  /** Slots that were taken back. */
  readonly retracted: ReadonlySet<string>;
}

/** Files that query engines would count and that no commit names: a second file, a foreign date, a file beside them. */
export async function findForeignFiles(
  store: Store,
  keys: readonly string[],
  { expected, removed, retracted }: KnownCopies,
): Promise<Damage[]> {
  const named = new Set(expected.map(({ copy }) => copy));
  const leftOver = new Map(removed.flatMap(listDatedCopies).map(({ copy, sha256 }) => [copy, sha256]));
  const tables = new Set([...named, ...leftOver.keys()].map((key) => key.split('/')[0]));
  const damage: Damage[] = [];
  for (const key of keys) {
    const [folder = ''] = key.split('/');
    const file = key.split('/').at(-1) ?? '';
    // Athena ignores such names: https://docs.aws.amazon.com/athena/latest/ug/create-table.html
    const isCounted = tables.has(folder) && !['report', 'latest'].includes(folder) && !/^[_.]/.test(file);
    if (!isCounted || named.has(key) || (leftOver.has(key) && (await store.digest(key)) === leftOver.get(key))) {
      continue;
    }
    const why = retracted.has(parseSlotFromCopyKey(key) ?? '')
      ? 'its run was retracted; the next run removes it'
      : 'query engines would count it. Find out who put it there, and remove it';
    damage.push({ code: 'foreign-file', message: `${key} is named by no commit that stands: ${why}.` });
  }
  return damage;
}
