/** Every byte of a run's files, and its copies for readers beside what they are copies of. */
import { createHash } from 'node:crypto';
import { computeSha256 } from '../../base/sha256.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import { type CurrentRun, type FileEntry, listReports, type PublishedRun } from '../commits/commit.ts';
import { formatLatest } from '../commits/latest.ts';
import type { Damage } from '../damage.ts';
import { latestKey, parseSlotFromCopyKey, toCommitKey } from '../keys.ts';
import type { Store } from '../store.ts';
import { ignoreDamage } from '../stored-json.ts';

type CheckedFile = Pick<FileEntry, 'key' | 'sha256' | 'rows'> & Partial<Pick<FileEntry, 'bytes'>>;

export async function checkFiles(store: Store, files: readonly CheckedFile[]): Promise<Damage[]> {
  const damage: Damage[] = [];
  for (const file of files) {
    const found = await measureBody(store, file.key);
    if (found === undefined) {
      damage.push({ code: 'file-missing', message: `${file.key} is missing.` });
    } else if (found.sha256 !== file.sha256 || (file.bytes ?? found.bytes) !== found.bytes) {
      damage.push({ code: 'file-damaged', message: `${file.key} is damaged: its SHA-256 or size differs.` });
    } else if (file.rows !== undefined && found.lines - 1 !== file.rows) {
      const rows = found.lines - 1;
      const were = pluralize(file.rows, 'was', 'were');
      const message = `${file.key} is damaged: ${rows} ${pluralize(rows, 'row')} where ${file.rows} ${were} published.`;
      damage.push({ code: 'file-damaged', message });
    }
  }
  return damage;
}

interface ExpectedCopy {
  readonly copy: string;
  /** What it is a copy of. */
  readonly key: string;
  readonly sha256: string;
}

/** Those by date of what stands for each slot. */
export function listDatedCopies(run: PublishedRun): ExpectedCopy[] {
  return listReports(run).map(({ key, sha256, dated }) => ({ copy: dated, key, sha256 }));
}

/** Those in `latest/`, and `latest.json`. */
export function listLatestCopies(current: CurrentRun): ExpectedCopy[] {
  const reports = listReports(current).map(({ key, sha256, latest }) => ({ copy: latest, key, sha256 }));
  const key = toCommitKey(current.head.commit.number);
  return [...reports, { copy: latestKey, key, sha256: computeSha256(formatLatest(current)) }];
}

export async function checkCopies(store: Store, copies: readonly ExpectedCopy[]): Promise<Damage[]> {
  const damage: Damage[] = [];
  for (const { copy, key, sha256 } of copies) {
    const found = await measureBody(store, copy);
    if (found === undefined) {
      damage.push({ code: 'copy-missing', message: `${copy} is missing: it is a copy of ${key}.` });
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
  const tables = new Set([...named, ...leftOver.keys()].map(readTopFolder));
  // What people read is no table.
  tables.delete('report');
  const damage: Damage[] = [];
  for (const key of keys) {
    // Athena ignores such names: https://docs.aws.amazon.com/athena/latest/ug/create-table.html
    const isCounted = tables.has(readTopFolder(key)) && !/\/[_.][^/]*$/.test(key);
    if (!isCounted || named.has(key) || (leftOver.has(key) && (await store.digest(key)) === leftOver.get(key))) {
      continue;
    }
    const slot = parseSlotFromCopyKey(key);
    const why =
      slot !== undefined && retracted.has(slot)
        ? 'its run was retracted; the next run removes it'
        : 'query engines would count it. Find out who put it there, and remove it';
    damage.push({ code: 'foreign-file', message: `${key} is named by no commit that stands: ${why}.` });
  }
  return damage;
}

function readTopFolder(key: string): string | undefined {
  return /^([^/]+)\//.exec(key)?.[1];
}

/** Undefined where there is no such file, or none that can be read. No table's cell holds a line break: lines are rows. */
function measureBody(store: Store, key: string): Promise<{ bytes: number; sha256: string; lines: number } | undefined> {
  return ignoreDamage(async () => {
    const hash = createHash('sha256');
    let bytes = 0;
    let lines = 0;
    for await (const piece of store.stream(key)) {
      hash.update(piece);
      bytes += piece.length;
      for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) {
        lines += 1;
      }
    }
    return { bytes, sha256: hash.digest('hex'), lines };
  });
}
