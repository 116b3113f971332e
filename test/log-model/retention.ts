/** Retention: which slots a run lets go, and the removal of their folders after the commit that says so. */
import type { Head, KeptSlot, LetGoSlot, RunState } from './commit.ts';
import { findSlot } from './commit.ts';
import type { RunContext } from './context.ts';
import { list, remove, type Steps, tryOr } from './requests.ts';

/** `start` removes one slot that is owed, `commit` what its commit let go, and `prune` all that is let go. */
export type Phase = 'start' | 'commit' | 'prune';

/** The oldest slot that is one too many, or all that are where the run prunes; never the one that it publishes. */
export function chooseLetGo(
  { plan, rules }: RunContext,
  kept: readonly KeptSlot[],
  { slot, isAdded }: { readonly slot: string; readonly isAdded: boolean },
): string[] {
  const surplus = kept.slice(0, Math.max(0, kept.length - plan.retention)).map((one) => one.slot);
  const chosen = plan.kind === 'prune' ? surplus : surplus.slice(0, isAdded ? 1 : 0);
  return chosen.filter((one) => one < slot || !rules.keepsOwnSlot);
}

/** Removes the folders that a phase may, and answers with the slots whose folders are still there. */
export function* removeLetGo({ commit }: Head, state: RunState, phase: Phase): Steps<readonly LetGoSlot[]> {
  const folders = yield* tryOr(list('runs/'), undefined);
  if (folders === undefined) {
    return state.letGo;
  }
  const slots = new Set(folders.map(findSlot));
  const there = state.letGo.filter(({ slot }) => slots.has(slot));
  const now = there.filter(({ number }, index) => {
    return phase === 'prune' || (phase === 'start' ? index === 0 : number === commit.number);
  });
  const left = new Set(there);
  for (const one of now) {
    if ((yield* tryOr(removeFolder(one.slot), 'failed')) !== 'failed') {
      left.delete(one);
    }
  }
  if (phase !== 'start' && state.letGo.some(({ number }) => number === commit.number)) {
    const unpublished = [...slots].filter(
      (slot) => slot < (commit.keptFrom ?? '') && !state.letGo.some((one) => one.slot === slot),
    );
    for (const slot of unpublished) {
      yield* tryOr(removeFolder(slot), 'failed');
    }
  }
  return [...left];
}

export function* removeFolder(slot: string): Steps<void> {
  for (const key of yield* list(`runs/${slot}/`)) {
    yield* remove(key);
  }
}
