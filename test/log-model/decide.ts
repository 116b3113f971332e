/** The decision of a run on its head: what it publishes, or the exit code with which it ends. */
import {
  type Commit,
  checkCommit,
  findCommitKey,
  findFactsKey,
  type Head,
  isDamage,
  type RunState,
  toHead,
} from './commit.ts';
import type { RunContext } from './context.ts';
import { list, read, type Steps } from './requests.ts';
import { formatDay } from './schedule.ts';

/** The commit that a run intends to publish. */
export interface Draft
  extends Pick<
    Commit,
    | ('slot' | 'completeness' | 'isSuspect' | 'isAccepted' | 'isCompared')
    | ('replaces' | 'retracts' | 'accepts' | 'prunes')
  > {
  /** The commit whose facts are judged once more. */
  readonly basis?: Commit;
}

/** A run that publishes nothing ends with a code. `finishes`: before that, it does what its head left undone. */
export type Decision =
  | Draft
  | { readonly exit: number; readonly finishes: 'nothing' | 'start' | 'prune' }
  /** Files of the head are gone. */
  | 'overtaken';

/** What a person decides about published runs; refused before anything is finished. */
export function* decideCorrection(
  { plan }: Pick<RunContext, 'plan'>,
  head: Head | undefined,
  state: RunState,
): Steps<Decision> {
  const { kind, retention, slot: day } = plan;
  const slot = formatDay(day);
  const refused = { exit: 2, finishes: 'nothing' } as const;
  if (kind === 'prune') {
    return yield* decidePrune(head, state, retention);
  }
  if (head === undefined || head.commit.slot !== slot) {
    return refused;
  }
  const { commit } = head;
  if (kind === 'accept') {
    const accepted = { isSuspect: false, isAccepted: true, replaces: commit.attempt, accepts: true };
    return commit.isSuspect ? { ...judgeAgain(commit), ...accepted } : refused;
  }
  const before = yield* findRunBefore(head);
  return before === undefined || !state.kept.some((one) => one.slot === before.slot)
    ? refused
    : { ...judgeAgain(before), replaces: before.attempt, retracts: slot };
}

function* decidePrune(head: Head | undefined, { kept, owed }: RunState, retention: number): Steps<Decision> {
  if (head === undefined) {
    return { exit: 0, finishes: 'nothing' };
  }
  const { commit } = head;
  if (kept.length > retention) {
    return { ...judgeAgain(commit), replaces: commit.attempt, prunes: true };
  }
  for (const { work, run } of owed) {
    if (work === 'remove' && (yield* list(`runs/${run.slot}/`)).length > 0) {
      return { exit: commit.exit, finishes: 'prune' };
    }
  }
  return { exit: commit.exit, finishes: 'nothing' };
}

/** A retracted slot is run again by whoever names it only. */
export function isLeftAlone({ plan }: Pick<RunContext, 'plan'>, { retracted }: RunState): boolean {
  return plan.kind !== 'run' && retracted.includes(formatDay(plan.slot));
}

/** The night of a slot, once what the head left undone is finished. */
export function* decideGathering(
  { plan, rules }: RunContext,
  head: Head | undefined,
  state: RunState,
): Steps<Decision> {
  const slot = formatDay(plan.slot);
  const { completeness, isSuspect } = plan;
  const draft = { slot, completeness, isSuspect, isAccepted: false, isCompared: head !== undefined };
  if (head !== undefined && slot < head.commit.slot) {
    return { exit: 2, finishes: 'start' };
  }
  if (isLeftAlone({ plan }, state)) {
    return { exit: 0, finishes: 'start' };
  }
  if (head === undefined || slot > head.commit.slot) {
    return draft;
  }
  const { commit } = head;
  const unchanged = { exit: commit.exit, finishes: 'start' } as const;
  if (commit.exit === 0) {
    return unchanged;
  }
  if ((yield* read(findFactsKey(commit))) === undefined) {
    return 'overtaken';
  }
  if (plan.kind === 'heal' && commit.isSuspect) {
    return unchanged;
  }
  const { isAccepted, isCompared, attempt } = commit;
  const again = { ...draft, isAccepted, isCompared, isSuspect: isSuspect && !isAccepted, replaces: attempt };
  return isMoreComplete(again, commit) || !rules.replacesOnlyByBetter ? again : unchanged;
}

type Judgement = Pick<Draft, 'completeness' | 'isSuspect'>;

/** Not suspect any more, or as suspect with fewer devices that could not be read. */
export function isMoreComplete(one: Judgement, other: Judgement): boolean {
  return one.isSuspect === other.isSuspect ? one.completeness > other.completeness : other.isSuspect;
}

function judgeAgain(basis: Commit): Draft {
  const { slot, completeness, isSuspect, isAccepted, isCompared } = basis;
  return { slot, completeness, isSuspect, isAccepted, isCompared, basis };
}

/** Walks the log back from the head to the first commit of an older slot. */
function* findRunBefore(head: Head): Steps<Commit | undefined> {
  let one = head;
  while (one.commit.slot >= head.commit.slot) {
    const number = one.commit.number - 1;
    const text = yield* read(findCommitKey(number));
    if (text === undefined) {
      return undefined;
    }
    const found = checkCommit(text, {
      number,
      previous: number > 1 ? toHead((yield* read(findCommitKey(number - 1))) ?? text) : undefined,
      isSigned: false,
    });
    if (isDamage(found)) {
      return undefined;
    }
    one = found;
  }
  return one.commit;
}
