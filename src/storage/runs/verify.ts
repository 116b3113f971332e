/** `muster verify`: every byte of what stands published, its copies, and the chain back to the oldest kept night. */

import { createHash } from 'node:crypto';
import { pluralize } from '../../core/pluralize.ts';
import { MusterError } from '../../errors.ts';
import type { Store } from '../store.ts';
import { parseReportFile, toCopyKeys } from './keys.ts';
import { type PublishedRun, readCurrentRun, readPublishedRuns, readRun } from './published-runs.ts';
import type { FileEntry, Retraction } from './records.ts';
import { listRetractions } from './retractions.ts';

interface Verification {
  readonly nights: number;
  readonly files: number;
  /** One sentence a damage, each naming the key. */
  readonly damage: readonly string[];
  /** Runs that were taken back, as far as they were asked about. */
  readonly retracted: readonly Retraction[];
}

/** With a slot, only that night's runs and copies are read; the chain is walked all the same. */
export async function verifyRuns(store: Store, slot?: string): Promise<Verification> {
  const damage: string[] = [];
  const seen = new Set<string>();
  const retracted: Retraction[] = [];
  let nights = 0;
  let files = 0;
  try {
    const currentRun = await readCurrentRun(store);
    if (currentRun === undefined) {
      return { nights, files, damage: slot === undefined ? [] : [describeUnpublishedSlot(slot)], retracted };
    }
    retracted.push(...listRetractions(currentRun).filter((one) => slot === undefined || one.slot === slot));
    for await (const run of readPublishedRuns(store, currentRun)) {
      const first = !seen.has(run.manifest.slot);
      seen.add(run.manifest.slot);
      if (slot !== undefined && run.manifest.slot !== slot) {
        continue;
      }
      if (first) {
        nights += 1;
      }
      files += run.manifest.files.length + 1;
      damage.push(...(await checkFiles(store, run.manifest.files)));
      if (first) {
        damage.push(...(await checkCopies(store, run, seen.size === 1)));
      }
    }
    for (const retraction of retracted) {
      const { manifest } = await readRun(store, retraction);
      files += manifest.files.length + 1;
      damage.push(...(await checkFiles(store, manifest.files)));
    }
    if (slot !== undefined && !seen.has(slot) && retracted.length === 0) {
      damage.push(describeUnpublishedSlot(slot));
    }
  } catch (error) {
    if (!isDamage(error)) {
      throw error;
    }
    damage.push(error.message);
  }
  return { nights, files, damage, retracted };
}

function describeUnpublishedSlot(slot: string): string {
  return `No run is published for ${slot}.`;
}

function isDamage(error: unknown): error is MusterError {
  return error instanceof MusterError && (error.code === 'store-damaged' || error.code === 'store-pointer-lost');
}

async function checkFiles(store: Store, files: readonly FileEntry[]): Promise<string[]> {
  const damage: string[] = [];
  for (const file of files) {
    const found = await measureBody(store, file.key);
    if (found === undefined) {
      damage.push(`${file.key} is missing.`);
    } else if (found.bytes !== file.bytes || found.sha256 !== file.sha256) {
      damage.push(`${file.key} is damaged: its SHA-256 or size differs.`);
    } else if (file.rows !== undefined && found.lines - 1 !== file.rows) {
      const rows = found.lines - 1;
      const were = pluralize(file.rows, 'was', 'were');
      damage.push(`${file.key} is damaged: ${rows} ${pluralize(rows, 'row')} where ${file.rows} ${were} published.`);
    }
  }
  return damage;
}

async function checkCopies(store: Store, run: PublishedRun, isLatest: boolean): Promise<string[]> {
  const damage: string[] = [];
  for (const { key, sha256 } of run.manifest.files) {
    const file = parseReportFile(key);
    if (file === undefined) {
      continue;
    }
    const [dated, latest] = toCopyKeys(file, run.manifest.slot);
    for (const copy of isLatest ? [dated, latest] : [dated]) {
      const found = await measureBody(store, copy);
      if (found === undefined) {
        damage.push(`${copy} is missing; the next run makes it again.`);
      } else if (found.sha256 !== sha256) {
        damage.push(`${copy} is damaged: it differs from ${key}.`);
      }
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
