/** Finds files that no commit names where query engines would count them or people take them for reports. */
import { pluralize } from '../../core/text/pluralize.ts';
import type { PublishedRun } from '../commits/commit.ts';
import type { Damage } from '../damage.ts';
import { parseSlotFromKey } from '../keys.ts';
import type { Store } from '../store.ts';
import { type ExpectedCopy, isOneOf, listDatedCopies } from './check-files.ts';

interface KnownCopies {
  /** Copies of the runs that count, by date and in `latest/`. */
  readonly expected: readonly ExpectedCopy[];
  /** Released runs, whose copies may not be removed yet. */
  readonly letGo: readonly PublishedRun[];
  /** Retracted runs, whose copies the next run removes. */
  readonly takenBack: readonly PublishedRun[];
}

/** Finds foreign files; `behind` are copies that a run still has to remove. */
export async function findForeignFiles(
  store: Store,
  keys: readonly string[],
  { expected, letGo, takenBack }: KnownCopies,
): Promise<{ readonly damage: Damage[]; readonly behind: string[] }> {
  const named = new Set(expected.map(({ copy }) => copy));
  const leftOver = listLeftOver(expected, letGo);
  const owed = Map.groupBy(takenBack.flatMap(listDatedCopies), ({ copy }) => copy);
  const folders = new Set([...forPeople, ...[...named, ...leftOver.keys()].flatMap(readTopFolder)]);
  const damage: Damage[] = [];
  const behind: string[] = [];
  for (const key of keys) {
    const [folder = ''] = readTopFolder(key);
    const isRead = forPeople.includes(folder);
    // Athena ignores such names: https://docs.aws.amazon.com/athena/latest/ug/create-table.html
    const isHidden = !isRead && /\/[_.][^/]*$/.test(key);
    if (!folders.has(folder) || isHidden || named.has(key) || (await isOneOf(store, key, leftOver.get(key)))) {
      continue;
    }
    if (await isOneOf(store, key, owed.get(key))) {
      behind.push(`${key} is left over of a run that was retracted; the next run removes it.`);
      continue;
    }
    const who = isRead ? 'people would take it for a report' : 'query engines would count it';
    const message = `${key} is named by no commit that counts: ${who}. Find out who put it there, and remove it.`;
    damage.push({ code: 'foreign-file', message });
  }
  return { damage, behind };
}

/** A sentence about files of released runs that are not removed yet. */
export function describeLeftOver(keys: readonly string[], keptFrom: string): string[] {
  const left = keys.filter((key) => (parseSlotFromKey(key) ?? keptFrom) < keptFrom).length;
  const files = `${left} ${pluralize(left, 'file')}`;
  return left === 0 ? [] : [`${files} of runs before ${keptFrom} are left over; the next runs remove them.`];
}

const forPeople: readonly string[] = ['latest', 'report'];

/** Copies that no run removes: of released runs, and in `latest/` of reports that only earlier runs had. */
function listLeftOver(
  expected: readonly ExpectedCopy[],
  letGo: readonly PublishedRun[],
): ReadonlyMap<string, readonly ExpectedCopy[]> {
  const dated = letGo.flatMap(listDatedCopies);
  const latest = [...expected, ...dated].map((file) => ({ ...file, copy: file.copy.replace(/^.*\//, 'latest/') }));
  return Map.groupBy([...dated, ...latest], ({ copy }) => copy);
}

/** The top folder of a key; empty for a key without a folder. */
function readTopFolder(key: string): string[] {
  return /^([^/]+)\//.exec(key)?.slice(1) ?? [];
}
