/** Publishing: the files of an attempt, then the create of the commit after the head. */
import {
  type Commit,
  type Damage,
  findCommitKey,
  findFactsKey,
  findFolder,
  findStateKey,
  type Head,
  hashText,
  isDamage,
  type OwedWork,
  type RunState,
  renderCommit,
  reports,
  signCommit,
  toHead,
} from './commit.ts';
import type { RunContext } from './context.ts';
import type { Draft } from './decide.ts';
import { checkFound } from './head.ts';
import { create, read, type Steps, tryOr } from './requests.ts';
import { chooseLetGo, removeSlot } from './retention.ts';
import { formatDay } from './schedule.ts';

/** What a run builds on: a checked commit and the state that its run left; no head before the first one. */
export interface Ground {
  readonly head: Head | undefined;
  readonly state: RunState;
}

/** The number of creates of the same bytes where no answer comes. */
const creations = 3;

/**
 * `found`: another run's commit is in the place. `overtaken`: files of the head are gone. `unknown`: whether it is
 * published, or that nothing was.
 */
export type Published =
  | { readonly published: Ground & { readonly head: Head } }
  | { readonly found: Head }
  | Damage
  | 'overtaken'
  | 'unknown';

/** Attempts of a slot are listed by the clock of their run first. */
function nameAttempt({ plan, label, attempts }: RunContext): string {
  return `${formatDay(plan.clockDay)}.${label}-${attempts.made}`;
}

export function* publish(context: RunContext, ground: Ground, draft: Draft): Steps<Published> {
  const number = (ground.head?.commit.number ?? 0) + 1;
  const basis = draft.basis ?? ground.head?.commit;
  const isGone = function* (): Steps<boolean> {
    return basis !== undefined && (yield* read(findStateKey(basis))) === undefined;
  };
  if ((draft.isCompared || draft.basis !== undefined) && (yield* isGone())) {
    return 'overtaken';
  }
  context.attempts.made += 1;
  const run = { slot: draft.slot, attempt: nameAttempt(context) };
  const { state, keptFrom } = deriveState(context, ground, draft, run.attempt);
  const files: readonly (readonly [string, string])[] = [
    [findFactsKey(run), `facts of ${run.attempt}`],
    ...reports.map((name) => [`${findFolder(run)}/reports/${name}`, `${name} of ${run.attempt}`] as const),
    [findStateKey(run), JSON.stringify(state)],
  ];
  for (const [index, [key, text]] of files.entries()) {
    // The ledger of the run before is copied while the attempt is written.
    if (index === 2 && draft.isCompared && (yield* isGone())) {
      return 'overtaken';
    }
    yield* create(key, text);
  }
  if (!context.rules.removesAfterCommit) {
    for (const { slot } of state.owed.flatMap(({ work, run: one }) => (work === 'remove' ? [one] : []))) {
      yield* tryOr(removeSlot(slot), undefined);
    }
  }
  const { basis: _basis, ...fields } = draft;
  const commit: Commit = {
    ...fields,
    store: ground.head?.commit.store ?? run.attempt,
    number,
    at: formatDay(context.plan.clockDay),
    attempt: run.attempt,
    exit: draft.completeness === 3 && !draft.isSuspect ? 0 : 3,
    files: files.map(([key, text]) => ({ key, sha256: hashText(text) })),
    keptFrom,
    previous: ground.head === undefined ? null : { number: number - 1, sha256: ground.head.sha256 },
  };
  const own = toHead(renderCommit(context.isSigned ? signCommit(commit) : commit));
  const created = yield* createCommit(context, ground.head, own);
  return created === 'own' ? { published: { head: own, state } } : created;
}

function* createCommit(
  context: RunContext,
  head: Head | undefined,
  own: Head,
): Steps<'own' | Exclude<Published, { readonly published: unknown }>> {
  const key = findCommitKey(own.commit.number);
  for (let count = 0; count < creations; count += 1) {
    if ((yield* tryOr(create(key, own.text), false)) === true) {
      return 'own';
    }
    // An error is no answer, so the key is read.
    const text = yield* tryOr(read(key), 'no answer');
    if (text === 'no answer') {
      return 'unknown';
    }
    if (text === own.text && context.rules.knowsOwnBytes) {
      return 'own';
    }
    if (text !== undefined) {
      const found = yield* checkFound(context, head, text);
      return isDamage(found) ? found : { found };
    }
  }
  return 'unknown';
}

/** The state that a run leaves: kept and retracted slots, and what is still owed for others. */
function deriveState(
  context: RunContext,
  { head, state: { kept: before, retracted, owed } }: Ground,
  { slot, retracts }: Draft,
  attempt: string,
): { readonly state: RunState; readonly keptFrom: string | undefined } {
  const { rules } = context;
  const isAdded = before.every((run) => run.slot !== slot);
  const taken = before.filter((run) => run.slot === retracts);
  const others = before.filter((run) => run.slot !== slot && run.slot !== retracts);
  const gone = chooseLetGo(context, others, isAdded);
  const kept = [...others.slice(gone.length), { slot, attempt }].sort((one, other) => (one.slot < other.slot ? -1 : 1));
  const oldest = kept[0]?.slot ?? slot;
  const attempts = new Set(kept.map((run) => run.attempt));
  const isStillOwed = ({ work, run }: OwedWork) =>
    work === 'remove' || (work === 'retract' ? run.slot !== slot : attempts.has(run.attempt));
  const passed = owed.filter((one) => isStillOwed(one) && (rules.passesOnOwedCopies || one.work !== 'copy'));
  const allOwed: OwedWork[] = [
    ...passed,
    ...taken.map((run): OwedWork => ({ work: 'retract', run })),
    ...gone.map((run): OwedWork => ({ work: 'remove', run })),
  ];
  const taking = rules.remembersRetractedSlots ? [...retracted, ...taken.map((run) => run.slot)] : [];
  return {
    keptFrom: gone.length > 0 ? oldest : head?.commit.keptFrom,
    state: {
      kept,
      retracted: [...new Set(taking)].filter((one) => one !== slot && one >= oldest).sort(),
      owed: allOwed,
    },
  };
}

/** What a head owes whose own copies nobody has looked at. */
export function addOwnCopies({ head, state }: Ground): {
  readonly owed: readonly OwedWork[];
  readonly isFinished: true;
} {
  const own: OwedWork[] = head === undefined ? [] : [{ work: 'copy', run: toAttempt(head) }];
  return { owed: [...state.owed, ...own], isFinished: true };
}

function toAttempt({ commit: { slot, attempt } }: Head): OwedWork['run'] {
  return { slot, attempt };
}
