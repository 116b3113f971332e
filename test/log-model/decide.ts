/** The decision of a run on its head: what it publishes, or the exit code with which it ends. */
import {
  type Commit,
  checkCommit,
  findCommitKey,
  findFolder,
  type Head,
  isDamage,
  type RunState,
  toHead,
} from './commit.ts';
import type { RunContext } from './context.ts';
import { read, type Steps } from './requests.ts';
import { chooseLetGo } from './retention.ts';
import { formatDay } from './schedule.ts';

/** The commit that a run intends to publish. */
export interface Draft
  extends Pick<Commit, 'slot' | 'completeness' | 'isSuspect' | 'replaces' | 'retracts' | 'accepts' | 'prunes'> {
  /** The commit whose facts are judged once more. */
  readonly basis?: Commit;
}

/** A run that publishes nothing may leave its readings, or remove what an earlier prune left. */
export type Decision = Draft | { readonly exit: number; readonly leaves?: 'readings' | 'nothing let go' };

export function* decide(
  context: RunContext,
  head: Head | undefined,
  state: RunState,
  isAgain: boolean,
): Steps<Decision> {
  const { kind } = context.plan;
  const refused = { exit: isAgain ? 4 : 2 };
  if (kind === 'run' || kind === 'scheduled' || kind === 'heal') {
    return decideGathering(context, head, state, refused);
  }
  if (head === undefined) {
    return refused;
  }
  const { commit } = head;
  const slot = formatDay(context.plan.slot);
  if (kind !== 'prune' && commit.slot !== slot) {
    return refused;
  }
  if (kind === 'retract') {
    const before = yield* findRunBefore(context, head, state);
    return before === undefined || !state.kept.some((one) => one.slot === before.slot)
      ? { exit: 2 }
      : { ...judgeAgain(before), retracts: slot };
  }
  if (kind === 'accept') {
    return commit.isSuspect
      ? { ...judgeAgain(commit), isSuspect: false, replaces: commit.attempt, accepts: true }
      : refused;
  }
  return chooseLetGo(context, state.kept, { slot: commit.slot, isAdded: false }).length === 0
    ? { exit: commit.exit, leaves: 'nothing let go' }
    : { ...judgeAgain(commit), replaces: commit.attempt, prunes: true };
}

function decideGathering(
  { plan, rules }: RunContext,
  head: Head | undefined,
  state: RunState,
  refused: { readonly exit: number },
): Decision {
  const slot = formatDay(plan.slot);
  const draft = { slot, completeness: plan.completeness, isSuspect: plan.isSuspect };
  if (head === undefined || slot > head.commit.slot) {
    const isRetracted = state.kept.some((one) => one.slot === slot && one.isRetracted);
    return isRetracted && plan.kind !== 'run' ? { exit: 0 } : draft;
  }
  const { commit } = head;
  if (slot < commit.slot) {
    return refused;
  }
  if (commit.completeness === 3) {
    return { exit: commit.exit };
  }
  return plan.completeness > commit.completeness || !rules.replacesOnlyByBetter
    ? { ...draft, replaces: commit.attempt }
    : { exit: commit.exit, leaves: 'readings' };
}

function judgeAgain(basis: Commit): Draft {
  return { slot: basis.slot, completeness: basis.completeness, isSuspect: basis.isSuspect, basis };
}

/** Walks the log back from the head to the first commit of an older slot. */
function* findRunBefore({ rules }: RunContext, head: Head, state: RunState): Steps<Commit | undefined> {
  const kept = state.kept.filter(({ slot }) => slot < head.commit.slot).at(-1);
  let one = head;
  while (rules.findsRunBeforeByNumber ? one.commit.slot >= head.commit.slot : one.commit.slot !== kept?.slot) {
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

export function findFactsKey(run: { readonly slot: string; readonly attempt: string }): string {
  return `${findFolder(run)}/facts/night.json.gz`;
}
