/** Files that query engines would count and that no manifest names: a second file, a foreign date, a file beside them. */
import { parseReportFile, parseSlotFromCopyKey, parseSlotFromKey, toCopyKeys } from '../keys.ts';
import type { PublishedRun } from '../published-runs.ts';
import type { Damage } from './damage.ts';

interface Expected {
  /** One a slot: the run whose copies stand there. */
  readonly runs: readonly PublishedRun[];
  /** The oldest slot within retention. */
  readonly oldest: string;
  /** Slots whose manifest is lost, or newer than the pointer: their copies are named elsewhere. */
  readonly unknown: ReadonlySet<string>;
  readonly retracted: ReadonlySet<string>;
}

export function findForeignFiles(keys: readonly string[], { runs, oldest, unknown, retracted }: Expected): Damage[] {
  const expected = new Set(runs.flatMap(listDatedCopies));
  const tables = new Set([...expected].map((key) => key.split('/')[0]).filter((folder) => folder !== 'report'));
  const kept = new Set(keys.map((key) => parseSlotFromKey(key)));
  return keys.flatMap((key): Damage[] => {
    const [folder = ''] = key.split('/');
    const file = key.split('/').at(-1) ?? '';
    // Athena ignores such names: https://docs.aws.amazon.com/athena/latest/ug/create-table.html
    if (!tables.has(folder) || expected.has(key) || /^[_.]/.test(file)) {
      return [];
    }
    const slot = parseSlotFromCopyKey(key) ?? '';
    const isBeingRemoved = slot < oldest && kept.has(slot);
    if (unknown.has(slot) || isBeingRemoved) {
      return [];
    }
    const why = retracted.has(slot)
      ? `the run of ${slot} was retracted; the next run removes it`
      : 'query engines would count it. Find out who put it there, and remove it';
    return [{ code: 'foreign-file', message: `${key} is named by no manifest: ${why}.` }];
  });
}

function listDatedCopies({ manifest }: PublishedRun): string[] {
  return manifest.files.flatMap(({ key }) => {
    const file = parseReportFile(key);
    return file === undefined ? [] : [toCopyKeys(file, manifest.slot)[0]];
  });
}
