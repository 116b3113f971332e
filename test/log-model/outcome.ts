/** Outcomes of groups of runs, as far as model and product can be compared. */
import { type Commit, findCommitKey, type Head, listDatedKeys, listNumbers, parseLatest, toHead } from './commit.ts';
import type { Memory } from './requests.ts';
import type { Verdict } from './verify.ts';

export type RunEnd = number | 'killed';

/** A commit with the labels of its attempts in place of their names. */
export type LoggedCommit = Pick<
  Commit,
  'number' | 'slot' | 'attempt' | 'replaces' | 'retracts' | 'accepts' | 'prunes' | 'keptFrom' | 'exit'
>;

export interface StoreDescription {
  readonly commits: readonly LoggedCommit[];
  /** `<slot>/<attempt>` of each commit whose files are all there. */
  readonly keptRuns: readonly string[];
  /** The numbers of the commits that the audit holds. */
  readonly audit: readonly number[];
  /** The attempt that the dated copies of a slot are of: `partial` where some are absent, `mixed` where they differ. */
  readonly dated: Readonly<Record<string, string>>;
  /** The number that `latest.json` names. */
  readonly latest: number | undefined;
  readonly verdict: Verdict;
}

export interface GroupOutcome extends StoreDescription {
  readonly ends: readonly RunEnd[];
}

export function describeMemory({ store, audit }: Memory, verdict: Verdict): StoreDescription {
  const log = listNumbers(store.keys()).map((number) => toHead(store.get(findCommitKey(number)) ?? ''));
  const latest = store.get('latest.json');
  return {
    commits: log.map(({ commit }) => toLoggedCommit(commit)),
    keptRuns: log
      .filter(({ commit }) => commit.files.every(({ key }) => store.has(key)))
      .map(({ commit }) => `${commit.slot}/${findLabel(commit.attempt)}`)
      .sort(),
    audit: listNumbers(audit.keys()),
    dated: describeDatedCopies(store, log),
    latest: latest === undefined ? undefined : parseLatest(latest).number,
    verdict,
  };
}

function toLoggedCommit(commit: Commit): LoggedCommit {
  const { number, slot, attempt, replaces, retracts, accepts, prunes, keptFrom, exit } = commit;
  return {
    number,
    slot,
    attempt: findLabel(attempt),
    replaces: replaces === undefined ? undefined : findLabel(replaces),
    retracts,
    accepts,
    prunes,
    keptFrom,
    exit,
  };
}

/** The name of an attempt begins with the day of its clock. */
function findLabel(attempt: string): string {
  return attempt.slice(attempt.indexOf('.') + 1);
}

function describeDatedCopies(store: ReadonlyMap<string, string>, log: readonly Head[]): Record<string, string> {
  const dated: Record<string, string> = {};
  for (const slot of new Set(log.map(({ commit }) => commit.slot))) {
    const texts = listDatedKeys(slot).map((key) => store.get(key));
    const attempts = new Set(
      texts.flatMap((text) => (text === undefined ? [] : findLabel(text.split(' of ')[1] ?? ''))),
    );
    if (attempts.size > 0) {
      dated[slot] = texts.includes(undefined) ? 'partial' : attempts.size > 1 ? 'mixed' : [...attempts].join();
    }
  }
  return dated;
}
