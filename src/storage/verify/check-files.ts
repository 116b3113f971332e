/** Every byte of a run's files. */
import { createHash } from 'node:crypto';
import { pluralize } from '../../core/text/pluralize.ts';
import type { FileEntry } from '../commits/commit.ts';
import type { Damage } from '../damage.ts';
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

/** Undefined where there is no such file, or none that can be read. No table's cell holds a line break: lines are rows. */
export function measureBody(
  store: Store,
  key: string,
): Promise<{ bytes: number; sha256: string; lines: number } | undefined> {
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
