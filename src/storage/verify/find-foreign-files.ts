/** Files that query engines would count and that no commit names: a second file, a foreign date, a file beside them. */
import type { PublishedRun } from '../commits/commit.ts';
import type { Damage } from '../damage.ts';
import { parseSlotFromCopyKey } from '../keys.ts';
import type { Store } from '../store.ts';
import { type ExpectedCopy, listDatedCopies } from './check-copies.ts';

interface KnownCopies {
  /** Copies of what stands and is kept. */
  readonly expected: readonly ExpectedCopy[];
  /** Runs past their retention, whose copies may not be removed yet. */
  readonly removed: readonly PublishedRun[];
  /** Slots that were taken back. */
  readonly retracted: ReadonlySet<string>;
}

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
