/** The steps after a commit: `latest.json`, copies and the audit. A start takes the same steps for its head. */
import {
  type Damage,
  findCommitKey,
  type Head,
  isDamage,
  type LetGoSlot,
  listDatedCopies,
  listDatedKeys,
  listLatestCopies,
  listNumbers,
  type OwedCopy,
  type RunState,
  renderLatest,
} from './commit.ts';
import type { RunContext } from './context.ts';
import { advance, readNewestState } from './head.ts';
import { create, list, put, read, remove, type Steps, tryOr } from './requests.ts';
import { type Phase, removeLetGo } from './retention.ts';

/** The head that the steps ended with, and what they could not do. */
export interface Basis {
  readonly head: Head;
  readonly state: RunState;
  readonly owedCopies: readonly OwedCopy[];
  readonly owedTakeaways: readonly string[];
  readonly letGo: readonly LetGoSlot[];
  readonly isAuditBehind: boolean;
}

/** The ground that a run judges on: a basis, or no head at all. */
export type Ground = Omit<Basis, 'head'> & { readonly head: Head | undefined };

interface Change {
  /** The run whose copy this is, or the slot whose copies go. */
  readonly owner: OwedCopy | string;
  readonly key: string;
  /** The key of the text that is to stand there; undefined where nothing is. */
  readonly from: string | undefined;
}

type Overwritten = 'done' | 'failed' | { readonly moved: Head | Damage };

export function* finish(context: RunContext, from: Head, phase: Phase): Steps<Basis | Damage> {
  let start = from;
  for (;;) {
    const newest = yield* readNewestState(context, start);
    if ('damage' in newest) {
      return newest;
    }
    const { head, state } = newest;
    const latest = yield* writeLatest(context, head);
    const copied = typeof latest === 'object' ? latest : yield* writeCopies(context, head, state);
    if ('moved' in copied) {
      if (isDamage(copied.moved)) {
        return copied.moved;
      }
      start = copied.moved;
      continue;
    }
    const audited = yield* copyToAudit(context, head);
    if (typeof audited === 'object') {
      return audited;
    }
    const isRemoving = latest === 'done' || !context.rules.needsLatestToRemove;
    const letGo = isRemoving ? yield* removeLetGo(head, state, phase) : state.letGo;
    return { head, state, ...copied, letGo, isAuditBehind: audited === 'behind' };
  }
}

/** Overwrites one key, unless or until another run has published. */
function* overwrite(context: RunContext, head: Head, change: Steps<void>): Steps<Overwritten> {
  const before = yield* advance(context, head);
  if (isDamage(before) || before.sha256 !== head.sha256) {
    return { moved: before };
  }
  const isFailed = (yield* tryOr(change, 'failed')) === 'failed';
  const after = yield* advance(context, head);
  if (isDamage(after) || after.sha256 !== head.sha256) {
    return { moved: after };
  }
  return isFailed ? 'failed' : 'done';
}

function* writeLatest(context: RunContext, head: Head): Steps<Overwritten> {
  const text = renderLatest(head);
  return (yield* read('latest.json')) === text ? 'done' : yield* overwrite(context, head, put('latest.json', text));
}

function* writeCopies(
  context: RunContext,
  head: Head,
  state: RunState,
): Steps<Pick<Basis, 'owedCopies' | 'owedTakeaways'> | { readonly moved: Head | Damage }> {
  const failed = new Set<OwedCopy | string>();
  for (const { owner, key, from } of listChanges(context, head, state)) {
    const text = from === undefined ? undefined : yield* read(from);
    // The copies of a run that was removed meanwhile can no longer be made.
    if ((from !== undefined && text === undefined) || (yield* read(key)) === text) {
      continue;
    }
    const result = yield* overwrite(context, head, text === undefined ? remove(key) : put(key, text));
    if (typeof result === 'object') {
      return result;
    }
    if (result === 'failed') {
      failed.add(owner);
    }
  }
  const all = [...failed];
  return {
    owedCopies: all.filter((owner) => typeof owner === 'object'),
    owedTakeaways: all.filter((owner) => typeof owner === 'string'),
  };
}

function listChanges({ rules }: RunContext, { commit }: Head, state: RunState): Change[] {
  const own = { slot: commit.slot, attempt: commit.attempt };
  const retracted = commit.retracts === undefined ? [] : [commit.retracts];
  const mended = rules.mendsKeptCopies ? state.kept.filter(({ slot }) => slot !== commit.slot) : [];
  const mendedCopies = mended.filter(({ isRetracted }) => !isRetracted).map(({ slot, attempt }) => ({ slot, attempt }));
  const mendedTakeaways = mended.filter(({ isRetracted }) => isRetracted).map(({ slot }) => slot);
  return [
    ...listDatedCopies(own).map((copy) => ({ owner: own, ...copy })),
    ...listLatestCopies(own).map((copy) => ({ owner: own, ...copy })),
    ...[...state.owedCopies, ...mendedCopies].flatMap((run) =>
      listDatedCopies(run).map((copy) => ({ owner: run, ...copy })),
    ),
    ...(rules.takesCopiesAway ? [...retracted, ...state.owedTakeaways, ...mendedTakeaways] : []).flatMap((slot) =>
      listDatedKeys(slot).map((key) => ({ owner: slot, key, from: undefined })),
    ),
  ];
}

/** Creates the commits that the audit lacks up to a head, oldest first. */
function* copyToAudit(context: RunContext, head: Head): Steps<'done' | 'behind' | Damage> {
  if (!context.hasAudit) {
    return 'done';
  }
  const listed = yield* tryOr(list('commits/', 'audit'), undefined);
  let isBehind = listed === undefined;
  const first = isBehind ? head.commit.number + 1 : (listNumbers(listed ?? []).at(-1) ?? 0) + 1;
  for (let number = first; number <= head.commit.number; number += 1) {
    const key = findCommitKey(number);
    const text = number === head.commit.number ? head.text : yield* read(key);
    const isCreated = text === undefined ? 'failed' : yield* tryOr(create(key, text, 'audit'), 'failed');
    if (isCreated === 'failed') {
      isBehind = true;
      if (context.rules.stopsAtFailedAudit) {
        break;
      }
    } else if (!isCreated && (yield* read(key, 'audit')) !== text) {
      return { damage: `the audit differs at commit ${number}` };
    }
  }
  return isBehind ? 'behind' : 'done';
}
