/** One run from its start to its exit code, as a sequence of requests. */
import { type Damage, emptyState, type Head, isDamage, type OwedCopy, type RunState } from './commit.ts';
import type { RunContext } from './context.ts';
import { type Decision, type Draft, decide, findFactsKey } from './decide.ts';
import { type Basis, finish, type Ground } from './finish.ts';
import { advance, readHead, readNewestState } from './head.ts';
import { publish, writeReadings } from './publish.ts';
import { read, type Steps, tryOr } from './requests.ts';
import { formatDay } from './schedule.ts';

const emptyGround: Ground = {
  head: undefined,
  state: emptyState,
  owedCopies: [],
  owedTakeaways: [],
  letGo: [],
  isAuditBehind: false,
};

/** "Up to five times": the first judgement, and five more. */
const judgements = 6;

export function* playRun(context: RunContext): Steps<number> {
  return yield* tryOr(playReachable(context), 1);
}

function* playReachable(context: RunContext): Steps<number> {
  const { plan } = context;
  if ((plan.kind === 'run' || plan.kind === 'scheduled') && plan.slot > plan.clockDay) {
    return 2;
  }
  const found = yield* readHead(context);
  const start = found === undefined ? emptyGround : isDamage(found) ? found : yield* finishEarlier(context, found);
  if ('damage' in start) {
    return 1;
  }
  let ground: Ground = start;
  for (let attempt = 1; attempt <= judgements; attempt += 1) {
    const decision = yield* decide(context, ground.head, ground.state, attempt > 1);
    if ('exit' in decision) {
      return yield* endUnpublished(context, ground, decision, attempt);
    }
    const result = yield* publishDraft(context, ground, decision, attempt);
    if (result === undefined || 'damage' in result) {
      return 1;
    }
    if ('published' in result) {
      const finished = yield* tryOr(finish(context, result.published, 'commit'), undefined);
      const isBehind = finished === undefined || 'damage' in finished || finished.isAuditBehind;
      return context.hasAudit && isBehind ? 3 : result.published.commit.exit;
    }
    const next = isSuperseded(context, decision, result.found)
      ? 'superseded'
      : yield* adoptRival(context, result.found);
    // The state of the rival's run may be gone already, so that the ground is of a commit after it.
    if (next === 'superseded' || ('head' in next && isSuperseded(context, decision, next.head))) {
      return 4;
    }
    if ('damage' in next) {
      return 1;
    }
    ground = next;
  }
  return 1;
}

function* finishEarlier(context: RunContext, found: Head): Steps<Basis | Damage> {
  if (context.rules.finishesAtStart) {
    return yield* finish(context, found, 'start');
  }
  const newest = yield* readNewestState(context, found);
  return 'damage' in newest ? newest : { ...newest, ...listOwed(newest.head, newest.state), isAuditBehind: false };
}

function* endUnpublished(
  context: RunContext,
  ground: Ground,
  { exit, leaves }: Extract<Decision, { readonly exit: number }>,
  attempt: number,
): Steps<number> {
  if (leaves === 'nothing let go' && ground.head !== undefined) {
    yield* tryOr(finish(context, ground.head, 'prune'), undefined);
  }
  if (leaves === 'readings') {
    yield* writeReadings(formatDay(context.plan.slot), `${context.label}-${attempt}`);
  }
  return exit === 0 && ground.isAuditBehind ? 3 : exit;
}

/** Publishes, unless the facts that are judged once more went with a rival's retention. */
function* publishDraft(
  context: RunContext,
  ground: Ground,
  draft: Draft,
  attempt: number,
): Steps<{ readonly published: Head } | { readonly found: Head } | Damage | undefined> {
  if (draft.basis !== undefined && (yield* read(findFactsKey(draft.basis))) === undefined) {
    const head = ground.head as Head;
    const next = yield* advance(context, head);
    const isThere = !isDamage(next) && next.sha256 === head.sha256;
    return isDamage(next) ? next : isThere ? { damage: 'the facts are missing' } : { found: next };
  }
  return yield* publish(context, ground, draft, `${context.label}-${attempt}`);
}

function isSuperseded({ plan, rules }: RunContext, draft: Draft, { commit }: Head): boolean {
  if (plan.kind === 'retract' || !rules.yieldsToRivals) {
    return false;
  }
  return commit.slot > draft.slot || (commit.slot === draft.slot && commit.completeness >= draft.completeness);
}

/** The commit of a rival as the next ground; what its run has not done yet is owed. */
function* adoptRival(context: RunContext, found: Head): Steps<Basis | Damage> {
  const newest = yield* readNewestState(context, found);
  return 'damage' in newest ? newest : { ...newest, ...listOwed(newest.head, newest.state), isAuditBehind: false };
}

function listOwed({ commit }: Head, state: RunState): Pick<Ground, 'owedCopies' | 'owedTakeaways' | 'letGo'> {
  const own: OwedCopy = { slot: commit.slot, attempt: commit.attempt };
  const retracted = commit.retracts === undefined ? [] : [commit.retracts];
  return {
    owedCopies: [...state.owedCopies, own],
    owedTakeaways: [...state.owedTakeaways, ...retracted],
    letGo: state.letGo,
  };
}
