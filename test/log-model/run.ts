/** One run from its start to its exit code, as a sequence of requests. */
import { type Head, isDamage } from './commit.ts';
import type { RunContext } from './context.ts';
import { type Draft, decideCorrection, decideGathering, isLeftAlone, isMoreComplete } from './decide.ts';
import { finish } from './finish.ts';
import { readGround, readNext, readState } from './head.ts';
import { addOwnCopies, type Ground, publish } from './publish.ts';
import { type Steps, tryOr } from './requests.ts';
import { formatDay } from './schedule.ts';

/** "Up to five times": the first judgement, and five more. */
const judgements = 6;

/** How a run ended, unless its head was overtaken: files of it are gone. */
type End = number | 'overtaken';

export function* playRun(context: RunContext): Steps<number> {
  return yield* tryOr(playReachable(context), 1);
}

/** A night whose head was overtaken begins anew on the one that took its place, where that is of an older slot. */
function* playReachable(context: RunContext): Steps<number> {
  const { plan } = context;
  if ((plan.kind === 'run' || plan.kind === 'scheduled') && plan.slot > plan.clockDay) {
    return 2;
  }
  const isCorrection = plan.kind === 'retract' || plan.kind === 'accept' || plan.kind === 'prune';
  const play = isCorrection ? correct : gather;
  for (;;) {
    const ground = yield* readGround(context);
    if (isDamage(ground)) {
      return 1;
    }
    const end = yield* play(context, ground);
    if (end !== 'overtaken') {
      return end;
    }
    const next = yield* readNext(context, ground.head);
    if (next === undefined || isDamage(next)) {
      return 1;
    }
    if (isCorrection || next.commit.slot >= formatDay(plan.slot)) {
      return endSuperseded(context);
    }
  }
}

/** A healing start leaves the slot to whoever published it. */
function endSuperseded({ plan }: RunContext): number {
  return plan.kind === 'heal' ? 0 : 4;
}

function* gather(context: RunContext, start: Ground): Steps<End> {
  const { head, state } = start;
  const isFinishing = head !== undefined && context.rules.finishesAtStart;
  const { owed, isFinished } = isFinishing ? yield* finish(context, head, state, 1) : addOwnCopies(start);
  const decision = yield* decideGathering(context, head, state);
  if (decision === 'overtaken') {
    return decision;
  }
  if ('exit' in decision) {
    return decision.exit === 2 || isFinished ? decision.exit : 3;
  }
  let ground: Ground = { head, state: { ...state, owed } };
  let draft = decision;
  for (let count = 0; count < judgements; count += 1) {
    const result = yield* publish(context, ground, draft);
    if (result === 'overtaken') {
      return result;
    }
    if (result === 'unknown' || isDamage(result)) {
      return 1;
    }
    if ('published' in result) {
      return yield* finishPublished(context, result.published);
    }
    const rival = result.found;
    const rivalState = yield* readState(rival);
    if (rivalState === undefined || isDamage(rivalState)) {
      return rivalState === undefined ? 'overtaken' : 1;
    }
    if (isSuperseded(context, draft, rival)) {
      return endSuperseded(context);
    }
    if (isLeftAlone(context, rivalState)) {
      return isFinished ? 0 : 3;
    }
    ground = { head: rival, state: { ...rivalState, owed: addOwnCopies({ head: rival, state: rivalState }).owed } };
    const { slot, attempt, isCompared } = rival.commit;
    const again = slot === draft.slot ? { replaces: attempt, isCompared } : { replaces: undefined, isCompared: true };
    draft = { ...draft, ...again };
  }
  return 1;
}

function isSuperseded({ rules }: RunContext, draft: Draft, { commit }: Head): boolean {
  const isAsGood = commit.slot === draft.slot && !isMoreComplete(draft, commit);
  return rules.yieldsToRivals && (commit.slot > draft.slot || isAsGood);
}

/** A person decided about the head, and about no other. */
function* correct(context: RunContext, { head, state }: Ground): Steps<End> {
  const decision = yield* decideCorrection(context, head, state);
  if (decision === 'overtaken' || head === undefined) {
    return decision === 'overtaken' || !('exit' in decision) ? 'overtaken' : decision.exit;
  }
  if ('exit' in decision) {
    const isPruning = decision.finishes === 'prune';
    const finished = isPruning && (yield* finish(context, head, state, Number.POSITIVE_INFINITY));
    return finished === false || finished.isFinished ? decision.exit : 3;
  }
  const { owed } = yield* finish(context, head, state, 1);
  const result = yield* publish(context, { head, state: { ...state, owed } }, decision);
  if (result === 'overtaken') {
    return result;
  }
  if (result === 'unknown' || isDamage(result)) {
    return 1;
  }
  return 'published' in result ? yield* finishPublished(context, result.published) : endSuperseded(context);
}

/** The figures of a run that a retraction shows once more are no news. */
function* finishPublished(context: RunContext, { head, state }: Ground & { readonly head: Head }): Steps<number> {
  const removals = head.commit.prunes === true ? Number.POSITIVE_INFINITY : 1;
  const { isFinished } = yield* finish(context, head, state, removals);
  const exit = head.commit.retracts === undefined ? head.commit.exit : 0;
  return isFinished ? exit : 3;
}
