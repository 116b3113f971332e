/** The steps after a commit: copies, `latest.json`, the audit and removals. A start takes the same steps for its head. */
import {
  findCommitKey,
  findFactsKey,
  type Head,
  isDamage,
  listCopies,
  listDatedKeys,
  type OwedWork,
  type RunState,
  renderLatest,
} from './commit.ts';
import type { RunContext } from './context.ts';
import { readNext } from './head.ts';
import { copy, create, put, read, remove, type Steps, sideBySide, tryOr } from './requests.ts';
import { removeOwed } from './retention.ts';
import type { LogRules } from './rules.ts';

/** What the steps could not do. */
export interface Finished {
  readonly owed: readonly OwedWork[];
  readonly isFinished: boolean;
}

/** The most slots that are removed. */
export type Removals = 1 | typeof Number.POSITIVE_INFINITY;

export function* finish(context: RunContext, head: Head, state: RunState, removals: Removals): Steps<Finished> {
  const others = state.owed.filter(({ work }) => work !== 'remove');
  const left = yield* settleOwedCopies(context, others);
  const last = yield* tryOr(updateCopies(context, head), undefined);
  const isAudited = !context.hasAudit || (yield* tryOr(copyToAudit(context, last ?? head), undefined)) === true;
  const isRemoving = last !== undefined || !context.rules.needsLatestToRemove;
  const removed = yield* removeOwed(head, state, isRemoving ? removals : 0);
  const { slot, attempt } = head.commit;
  const own: OwedWork[] = last === undefined ? [{ work: 'copy', run: { slot, attempt } }] : [];
  return {
    owed: [...left, ...own, ...removed.left],
    isFinished: left.length === 0 && last !== undefined && isAudited && !removed.hasFailed,
  };
}

/** Makes and takes away the dated copies that earlier runs owe; what is left is owed further. */
function* settleOwedCopies({ rules }: RunContext, owed: readonly OwedWork[]): Steps<OwedWork[]> {
  const left: OwedWork[] = [];
  for (const one of owed) {
    if ((yield* tryOr(settle(one, rules), undefined)) !== true) {
      left.push(one);
    }
  }
  return left;
}

function* settle({ work, run }: OwedWork, { takesCopiesAway }: LogRules): Steps<boolean> {
  // A run is looked up before anything is changed for it.
  yield* read(findFactsKey(run));
  if (work === 'copy') {
    return yield* copyReports(run, ['dated']);
  }
  return takesCopiesAway ? yield* removeCopies(run.slot) : true;
}

function* removeCopies(slot: string): Steps<true> {
  yield* sideBySide(listDatedKeys(slot).map((key) => remove(key)));
  return true;
}

/**
 * Makes the copies of a run and of those that were published after it meanwhile, until none is. Answers with the last of
 * them; undefined where a report is gone.
 */
function* updateCopies(context: RunContext, head: Head): Steps<Head | undefined> {
  const runs = [head];
  let isWhole = false;
  for (let copied = 0; copied < runs.length; ) {
    yield* addLaterRuns(context, runs);
    copied = runs.length;
    isWhole = true;
    for (const one of runs) {
      isWhole = (yield* copyRun(one, runs)) && isWhole;
    }
    yield* addLaterRuns(context, runs);
  }
  return isWhole ? runs.at(-1) : undefined;
}

function* addLaterRuns(context: RunContext, runs: Head[]): Steps<void> {
  for (let last = runs.at(-1); last !== undefined; ) {
    const next = context.rules.readsNumberAfter ? yield* readNext(context, last) : undefined;
    last = next === undefined || isDamage(next) ? undefined : next;
    runs.push(...(last === undefined ? [] : [last]));
  }
}

/** Only the run that counts for its slot has dated copies, and only while its slot is kept. */
function* copyRun({ commit, text, sha256 }: Head, runs: readonly Head[]): Steps<boolean> {
  const { slot, number } = commit;
  const later = runs.filter((one) => one.commit.number > number);
  if (later.some((one) => one.commit.retracts === slot)) {
    return yield* removeCopies(slot);
  }
  if (later.length > 0) {
    const isReplaced = later.some((one) => one.commit.slot === slot || (one.commit.keptFrom ?? '') > slot);
    return isReplaced || (yield* copyReports(commit, ['dated']));
  }
  const latest = renderLatest({ commit, text, sha256 });
  if ((yield* read('latest.json')) !== latest) {
    yield* put('latest.json', latest);
  }
  return yield* copyReports(commit, ['dated', 'latest']);
}

/** Overwrites a copy only where it differs. Answers whether every report was there. */
function* copyReports(run: OwedWork['run'], places: readonly ('dated' | 'latest')[]): Steps<boolean> {
  const made = yield* sideBySide(
    listCopies(run).flatMap(({ from, ...copies }) => places.map((place) => copyReport(from, copies[place]))),
  );
  return made.every(Boolean);
}

function* copyReport(from: string, to: string): Steps<boolean> {
  const text = yield* read(from);
  return text !== undefined && ((yield* read(to)) === text || (yield* copy(from, to)));
}

/** Creates the commits that the audit lacks up to a head, back to where it has one, oldest first. */
function* copyToAudit(context: RunContext, head: Head): Steps<boolean> {
  const lacking: (readonly [string, string])[] = [];
  for (let { number } = head.commit; number > 0; number -= 1) {
    const key = findCommitKey(number);
    if ((yield* read(key, 'audit')) !== undefined) {
      break;
    }
    lacking.unshift([key, number === head.commit.number ? head.text : ((yield* read(key)) ?? '')]);
  }
  let isBehind = false;
  for (const [key, text] of lacking) {
    const isCreated = yield* tryOr(create(key, text, 'audit'), undefined);
    if (isCreated !== true && (yield* read(key, 'audit')) !== text) {
      isBehind = true;
      if (context.rules.stopsAtFailedAudit) {
        break;
      }
    }
  }
  return !isBehind;
}
