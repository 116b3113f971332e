/** Decides which runs are kept, and which work the store owes for others. Pure, so that a rebuilt run decides the same. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { PlatformFacts } from '../../core/facts/facts.ts';
import type { HeldBack, OperationsFacts, OwedWork, RunsLeft } from '../../core/facts/operations.ts';
import { pluralize } from '../../core/text/pluralize.ts';

/**
 * Releases one run when one is added. More at once come from a changed limit, which may be a mistake: they are held
 * back until a person confirms. A run that adds no slot releases none.
 */
export function decideKeptRuns(
  { slot }: Pick<PlatformFacts, 'slot'>,
  {
    keptNights,
    runsBefore,
    pruned,
    retracts,
  }: Pick<OperationsFacts, 'keptNights' | 'runsBefore' | 'pruned' | 'retracts'>,
): RunsLeft {
  const before = runsBefore?.kept ?? [];
  const taken = before.filter((run) => run.slot === retracts?.slot);
  const others = before.filter((run) => run.slot !== slot && run.slot !== retracts?.slot);
  const nights = Math.max(0, others.length + 1 - keptNights);
  const addsSlot = before.every((run) => run.slot !== slot);
  const going = pruned !== undefined || (addsSlot && nights === 1) ? others.slice(0, nights) : [];
  const kept = others.slice(going.length);
  const owed = [
    ...(runsBefore?.owed ?? []).filter((one) => isStillOwed(one, slot, kept)),
    ...taken.map((run): OwedWork => ({ work: 'retract', run })),
    ...going.map((run): OwedWork => ({ work: 'remove', run })),
  ];
  const retracted = [...(runsBefore?.retracted ?? []), ...taken.map((run) => run.slot)]
    .filter((one) => one !== slot && one >= (kept[0]?.slot ?? slot))
    .sort();
  const isHeldBack = going.length === 0 && nights > 1;
  return {
    kept,
    ...(retracted.length > 0 && { retracted }),
    ...(owed.length > 0 && { owed }),
    ...omitUndefined({ heldBack: isHeldBack ? holdBack(runsBefore?.heldBack, slot, nights, keptNights) : undefined }),
  };
}

/** Whether earlier work is still to be done. A retracted slot that is run again writes its copies over the retracted ones. */
function isStillOwed({ work, run }: OwedWork, slot: string, kept: RunsLeft['kept']): boolean {
  switch (work) {
    case 'copy':
      return kept.some(({ number }) => number === run.number);
    case 'retract':
      return run.slot !== slot;
    case 'remove':
      return true;
  }
}

function holdBack(before: HeldBack | undefined, slot: string, nights: number, limit: number): HeldBack {
  return { since: before === undefined || limit < before.limit ? slot : before.since, nights, limit };
}

/** A sentence for people. */
export function describeHeldBack({ nights, limit }: HeldBack): string {
  const are = `${nights} ${pluralize(nights, 'run is', 'runs are')} older than retention.nights (${limit}) allows`;
  return `${are}. They are kept until a person lets them go with \`muster prune --confirm\`. If the limit is a mistake, raise it.`;
}
