/** Every byte of a run's files and of their copies. */
import { createHash } from 'node:crypto';
import { pluralize } from '../../../core/pluralize.ts';
import { MusterError } from '../../../errors.ts';
import type { Store } from '../../store.ts';
import { latestManifestKey, parseReportFile, toCopyKeys } from '../keys.ts';
import type { PublishedRun } from '../published-runs.ts';
import type { FileEntry } from '../records.ts';
import type { Damage } from './damage.ts';

export async function checkFiles(store: Store, files: readonly FileEntry[]): Promise<Damage[]> {
  const damage: Damage[] = [];
  for (const file of files) {
    const found = await measureBody(store, file.key);
    if (found === undefined) {
      damage.push({ code: 'file-missing', message: `${file.key} is missing.` });
    } else if (found.bytes !== file.bytes || found.sha256 !== file.sha256) {
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

/** Those by date, and in `latest/` those of the run that stands. */
export async function checkCopies(store: Store, run: PublishedRun, isLatest: boolean): Promise<Damage[]> {
  const { files, slot, generation } = run.manifest;
  const copies = files.flatMap(({ key, sha256 }) => {
    const file = parseReportFile(key);
    const [dated, latest] = file === undefined ? [] : toCopyKeys(file, slot);
    return [dated, isLatest ? latest : undefined].flatMap((copy) =>
      copy === undefined ? [] : [{ copy, key, sha256 }],
    );
  });
  // Versions before generations were written down made no such copy.
  if (isLatest && generation !== undefined) {
    copies.push({ copy: latestManifestKey, key: run.link.manifest, sha256: run.link.sha256 });
  }
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

/** No table's cell holds a line break, so lines are rows. */
async function measureBody(
  store: Store,
  key: string,
): Promise<{ bytes: number; sha256: string; lines: number } | undefined> {
  const hash = createHash('sha256');
  let bytes = 0;
  let lines = 0;
  try {
    for await (const piece of store.stream(key)) {
      hash.update(piece);
      bytes += piece.length;
      for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) {
        lines += 1;
      }
    }
  } catch (error) {
    if (error instanceof MusterError && error.code === 'store-damaged') {
      return undefined;
    }
    throw error;
  }
  return { bytes, sha256: hash.digest('hex'), lines };
}
