/** Retention: which slots a run lets go, and the removal of their folders after the commit that says so. */
import { findSlot, type Head, listDatedKeys, type OwedWork, type PublishedAttempt, type RunState } from './commit.ts';
import type { RunContext } from './context.ts';
import { list, remove, type Steps, tryOr } from './requests.ts';

/**
 * The oldest of the other kept runs where a run that adds a slot makes one too many; all that are where the run prunes.
 * Several too many stay until somebody prunes.
 */
export function chooseLetGo(
  { plan }: RunContext,
  others: readonly PublishedAttempt[],
  isAdded: boolean,
): readonly PublishedAttempt[] {
  const surplus = Math.max(0, others.length + 1 - plan.retention);
  return plan.kind === 'prune' || (isAdded && surplus === 1) ? others.slice(0, surplus) : [];
}

const maximumFailures = 3;

/** Removes owed slots, the oldest first and at most so many, and attempts that no commit names. */
export function* removeOwed(
  { commit: { slot, keptFrom = '' } }: Head,
  { kept, owed }: RunState,
  maximum: number,
): Steps<{ readonly left: readonly OwedWork[]; readonly hasFailed: boolean }> {
  const left: OwedWork[] = [];
  let removed = 0;
  let failures = 0;
  for (const one of owed.filter(({ work }) => work === 'remove')) {
    if (removed >= maximum || failures === maximumFailures) {
      left.push(one);
    } else if ((yield* tryOr(removeSlot(one.run.slot), undefined)) === true) {
      removed += 1;
    } else {
      failures += 1;
      left.push(one);
    }
  }
  const spared = new Set([slot, ...[...kept, ...left.map(({ run }) => run)].map((run) => run.slot)]);
  const isRemovingAttempts = failures === 0 && maximum > 0 && keptFrom !== '';
  const hasFailed = isRemovingAttempts && (yield* tryOr(removeAttempts(keptFrom, spared), undefined)) !== true;
  return { left, hasFailed: hasFailed || failures > 0 };
}

/** The copies that query engines read are the first to go. */
export function* removeSlot(slot: string): Steps<true> {
  for (const key of [...listDatedKeys(slot), ...(yield* list(`runs/${slot}/`))]) {
    yield* remove(key);
  }
  return true;
}

function* removeAttempts(keptFrom: string, spared: ReadonlySet<string>): Steps<true> {
  for (const key of yield* list('runs/')) {
    const slot = findSlot(key);
    if (slot < keptFrom && !spared.has(slot)) {
      yield* remove(key);
    }
  }
  return true;
}
