/** Checks every byte of a run's files, and the copies for readers against their originals. */
import { createHash } from 'node:crypto';
import { computeSha256 } from '../../base/sha256.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import { foreignDigest } from '../bounds.ts';
import { type FileEntry, listReports, type PublishedRun } from '../commits/commit.ts';
import { formatLatest } from '../commits/latest.ts';
import type { Damage } from '../damage.ts';
import { latestKey, toCommitKey } from '../keys.ts';
import type { Store } from '../store.ts';
import { ignoreDamage } from '../stored-json.ts';

type CheckedFile = Pick<FileEntry, 'key' | 'sha256' | 'rows'> & Partial<Pick<FileEntry, 'bytes'>>;

export async function checkFiles(store: Store, files: readonly CheckedFile[]): Promise<Damage[]> {
  const damage: Damage[] = [];
  for (const file of files) {
    const found = await measureBody(store, file.key, file.bytes);
    if (found === undefined) {
      damage.push({ code: 'file-missing', message: `${file.key} is missing.` });
    } else if (found.sha256 !== file.sha256) {
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

export interface ExpectedCopy {
  readonly copy: string;
  /** The key of the original. */
  readonly key: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Copies by date of the run that counts for its slot. */
export function listDatedCopies(run: PublishedRun): ExpectedCopy[] {
  return listReports(run).map(({ dated, latest: _, ...file }) => ({ copy: dated, ...file }));
}

/** Copies in `latest/`, and `latest.json`. */
export function listLatestCopies(current: PublishedRun): ExpectedCopy[] {
  const reports = listReports(current).map(({ dated: _, latest, ...file }) => ({ copy: latest, ...file }));
  const key = toCommitKey(current.commit.number);
  const body = formatLatest(current);
  return [...reports, { copy: latestKey, key, bytes: body.length, sha256: computeSha256(body) }];
}

export async function checkCopies(store: Store, copies: readonly ExpectedCopy[]): Promise<Damage[]> {
  const damage: Damage[] = [];
  for (const { copy, key, bytes, sha256 } of copies) {
    const found = await measureBody(store, copy, bytes);
    if (found === undefined) {
      damage.push({ code: 'copy-missing', message: `${copy} is missing: it is a copy of ${key}.` });
    } else if (found.sha256 !== sha256) {
      damage.push({ code: 'copy-differs', message: `${copy} is damaged: it differs from ${key}.` });
    }
  }
  return damage;
}

/**
 * Checks copies that a run may be making, or owes: a missing copy, or an older one of these runs, is behind rather than
 * damaged.
 */
export async function checkPendingCopies(
  store: Store,
  copies: readonly ExpectedCopy[],
  runs: readonly PublishedRun[],
): Promise<{ readonly damage: Damage[]; readonly behind: string[] }> {
  const damage: Damage[] = [];
  const behind: string[] = [];
  for (const one of copies) {
    const [found] = await checkCopies(store, [one]);
    if (found === undefined) {
      continue;
    }
    const isBehind = found.code === 'copy-missing' || (await isOneOf(store, one.copy, listVersions(one.copy, runs)));
    if (isBehind) {
      behind.push(`${one.copy} is behind ${one.key}; the next run makes it anew.`);
    } else {
      damage.push(found);
    }
  }
  return { damage, behind };
}

function listVersions(key: string, runs: readonly PublishedRun[]): ExpectedCopy[] {
  return runs.flatMap((run) => [...listDatedCopies(run), ...listLatestCopies(run)]).filter(({ copy }) => copy === key);
}

/** Whether the key holds one of these versions. */
export async function isOneOf(store: Store, key: string, files: readonly ExpectedCopy[] = []): Promise<boolean> {
  for (const { bytes, sha256 } of files) {
    if ((await store.digest(key, bytes)) === sha256) {
      return true;
    }
  }
  return false;
}

interface MeasuredBody {
  readonly sha256: string;
  /** Number of line feeds, which is that of rows, since no table's cell contains one. */
  readonly lines: number;
}

/** Measures a file; undefined where there is none. A file that cannot be read or has another size gets the digest `foreign`. */
async function measureBody(store: Store, key: string, size: number | undefined): Promise<MeasuredBody | undefined> {
  const measured = await ignoreDamage(async () => {
    const hash = createHash('sha256');
    let lines = 0;
    for await (const piece of store.stream(key, size)) {
      hash.update(piece);
      for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) {
        lines += 1;
      }
    }
    return { sha256: hash.digest('hex'), lines };
  });
  const isThere = async () => (await ignoreDamage(() => store.digest(key, size))) !== undefined;
  return measured ?? ((await isThere()) ? { sha256: foreignDigest, lines: 0 } : undefined);
}
