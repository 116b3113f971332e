/** Publishing: the files of an attempt, then the create of the commit after the head. */
import {
  type Commit,
  type Damage,
  findCommitKey,
  findFolder,
  type Head,
  hashText,
  isDamage,
  type OwedCopy,
  type RunState,
  renderCommit,
  reports,
  signCommit,
  toHead,
} from './commit.ts';
import type { RunContext } from './context.ts';
import { type Draft, findFactsKey } from './decide.ts';
import type { Ground } from './finish.ts';
import { checkFound } from './head.ts';
import { create, read, type Steps, tryOr } from './requests.ts';
import { chooseLetGo, removeFolder } from './retention.ts';
import { formatDay } from './schedule.ts';

/** The number of creates of the same bytes where no answer comes. */
const creations = 3;

export type Published = { readonly published: Head } | { readonly found: Head } | Damage | undefined;

/** Undefined where it is not known whether the run published, or nothing was. */
export function* publish(context: RunContext, ground: Ground, draft: Draft, attempt: string): Steps<Published> {
  const number = (ground.head?.commit.number ?? 0) + 1;
  const { state, keptFrom } = deriveState(context, ground, draft, { number, attempt });
  const run = { slot: draft.slot, attempt };
  const files: readonly (readonly [string, string])[] = [
    [findFactsKey(run), `facts of ${attempt}`],
    ...reports.map((name) => [`${findFolder(run)}/reports/${name}`, `${name} of ${attempt}`] as const),
    [`${findFolder(run)}/state.json.gz`, JSON.stringify(state)],
  ];
  for (const [key, text] of files) {
    yield* create(key, text);
  }
  if (!context.rules.removesAfterCommit) {
    for (const { slot } of state.letGo.filter((one) => one.number === number)) {
      yield* tryOr(removeFolder(slot), undefined);
    }
  }
  const { basis: _basis, ...fields } = draft;
  const commit: Commit = {
    ...fields,
    store: ground.head?.commit.store ?? attempt,
    number,
    at: formatDay(context.plan.clockDay),
    attempt,
    exit: draft.completeness === 3 && !draft.isSuspect ? 0 : 3,
    files: files.map(([key, text]) => ({ key, sha256: hashText(text) })),
    keptFrom,
    previous: ground.head === undefined ? null : { number: number - 1, sha256: ground.head.sha256 },
  };
  return yield* createCommit(
    context,
    ground.head,
    toHead(renderCommit(context.isSigned ? signCommit(commit) : commit)),
  );
}

function* createCommit(context: RunContext, head: Head | undefined, own: Head): Steps<Published> {
  const key = findCommitKey(own.commit.number);
  for (let count = 0; count < creations; count += 1) {
    const isCreated = yield* tryOr(create(key, own.text), undefined);
    if (isCreated === true) {
      return { published: own };
    }
    if (isCreated === false) {
      break;
    }
  }
  const text = yield* tryOr(read(key), undefined);
  if (text === undefined) {
    return undefined;
  }
  if (text === own.text && context.rules.knowsOwnBytes) {
    return { published: own };
  }
  const found = yield* checkFound(context, head, text);
  return isDamage(found) ? yield* checkFoundAgain(context, head, text) : { found };
}

function* checkFoundAgain(context: RunContext, head: Head | undefined, text: string): Steps<Published> {
  const found = yield* checkFound(context, head, text);
  return isDamage(found) ? found : { found };
}

/** The state that a run leaves: kept slots, those let go until their folders are gone, and what is still owed. */
function deriveState(
  context: RunContext,
  { head, state, owedCopies, owedTakeaways, letGo }: Ground,
  draft: Draft,
  { number, attempt }: { readonly number: number; readonly attempt: string },
): { readonly state: RunState; readonly keptFrom: string | undefined } {
  const isAdded = !state.kept.some(({ slot }) => slot === draft.slot);
  const others = state.kept.filter(({ slot }) => slot !== draft.slot);
  const kept = [...others, { slot: draft.slot, attempt, isRetracted: false }]
    .map((one) => (one.slot === draft.retracts ? { ...one, isRetracted: true } : one))
    .filter(({ slot }) => slot !== draft.retracts || context.rules.keepsRetractedSlots)
    .sort((one, other) => (one.slot < other.slot ? -1 : 1));
  const gone = chooseLetGo(context, kept, { slot: draft.slot, isAdded });
  const rest = kept.filter(({ slot }) => !gone.includes(slot));
  const isOther = (slot: string) => slot !== draft.slot && slot !== draft.retracts;
  return {
    keptFrom: gone.length > 0 ? rest[0]?.slot : head?.commit.keptFrom,
    state: {
      kept: rest,
      letGo: [...letGo, ...gone.map((slot) => ({ slot, number }))],
      owedCopies: context.rules.passesOnOwedCopies ? takeNewest(owedCopies).filter(({ slot }) => isOther(slot)) : [],
      owedTakeaways: [...new Set(owedTakeaways)].filter(isOther),
    },
  };
}

/** One copy for each slot: the one that was owed last. */
function takeNewest(owed: readonly OwedCopy[]): OwedCopy[] {
  return [...new Map(owed.map((one) => [one.slot, one])).values()];
}

/** The instrument readings of an attempt that is not published. */
export function* writeReadings(slot: string, attempt: string): Steps<void> {
  yield* create(`${findFolder({ slot, attempt })}/readings-1.json`, `readings of ${attempt}`);
}
