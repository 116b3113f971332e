/**
 * What only a published run leaves: copies, marks of its messages, and files of a run that was compared with another.
 * Where no commit names its run, the log was lost or cut off. An attempt that nobody published leaves none of these.
 */
import { parseSlotFromCopyKey } from '../keys.ts';
import type { StoredCommit } from './commit.ts';

/** The first one among the keys, as the reason why the log is damaged. */
export async function findTrace(
  keys: AsyncIterable<string> | Iterable<string>,
  commits: readonly StoredCommit[],
): Promise<string | undefined> {
  const isTrace = createTraceTest(commits);
  for await (const key of keys) {
    if (isTrace(key)) {
      return `${key} is of a run that was published, but no commit names that run`;
    }
  }
  return undefined;
}

function createTraceTest(commits: readonly StoredCommit[]): (key: string) => boolean {
  const attempts = new Set(commits.map(({ commit: { slot, attempt } }) => `${slot}/${attempt}`));
  const slots = new Set(commits.map(({ commit }) => commit.slot));
  const newest = commits.reduce((latest, { commit: { slot } }) => (slot > latest ? slot : latest), '');
  return (key) => {
    const [, attempt, file = ''] = /^runs\/([^/]+\/[^/]+)\/(.+)$/.exec(key) ?? [];
    if (attempt !== undefined) {
      const isPublished =
        /^(delivered|claims)\//.test(file) || (commits.length === 0 && file === 'facts/before.json.gz');
      return isPublished && !attempts.has(attempt);
    }
    const slot = parseSlotFromCopyKey(key);
    return slot === undefined ? newest === '' && key.startsWith('latest/') : slot > newest && !slots.has(slot);
  };
}
