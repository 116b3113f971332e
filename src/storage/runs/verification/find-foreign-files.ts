/** Files that query engines would count and that no manifest names: a second file, a foreign date, a file beside them. */
import { parseReportFile, parseSlotFromCopyKey, parseSlotFromKey, toCopyKeys } from '../keys.ts';
import type { PublishedRun } from '../published-runs.ts';
import type { Damage } from './damage.ts';
import { type FoundRuns, listLostSlots, listStandingRuns } from './find-runs.ts';

/** `later`: slots after the one that a pointer names which was set back; their copies are named elsewhere. */
export function findForeignFiles(found: FoundRuns, later: ReadonlySet<string>): Damage[] {
  const expected = new Set(listStandingRuns(found).flatMap(listDatedCopies));
  const tables = new Set([...expected].map((key) => key.split('/')[0]).filter((folder) => folder !== 'report'));
  const kept = new Set(found.keys.map((key) => parseSlotFromKey(key)));
  const retracted = new Set(found.retracted.map(({ slot }) => slot));
  const unknown = new Set([...listLostSlots(found), ...later]);
  return found.keys.flatMap((key): Damage[] => {
    const [folder = ''] = key.split('/');
    const file = key.split('/').at(-1) ?? '';
    // Athena ignores such names: https://docs.aws.amazon.com/athena/latest/ug/create-table.html
    if (!tables.has(folder) || expected.has(key) || /^[_.]/.test(file)) {
      return [];
    }
    const slot = parseSlotFromCopyKey(key) ?? '';
    const isBeingRemoved = slot < found.oldest && kept.has(slot);
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
