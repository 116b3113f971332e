/** Which runs are kept. Pure, so that a rebuilt run keeps the same; removing them is the store's work. */
import { addDays, countDaysBetween } from '../../core/facts/calendar.ts';
import type { PlatformFacts } from '../../core/facts/facts.ts';
import type { OperationsFacts } from '../../core/facts/operations.ts';
import type { HeldBack, State } from '../../core/facts/state.ts';
import { pluralize } from '../../core/text/pluralize.ts';

/** A person has so many days to notice that a limit was a mistake. */
const daysHeldBack = 7;

/**
 * One run goes when one is added. More at once come from a changed limit, which may be a mistake: they are held back
 * until a person confirms it, or for a week.
 */
export function decideKeptRuns(
  previous: State | undefined,
  { slot }: Pick<PlatformFacts, 'slot'>,
  { keptNights, keptFrom = '', pruned }: Pick<OperationsFacts, 'keptNights' | 'keptFrom' | 'pruned'>,
): Pick<State, 'published' | 'heldBack'> {
  const published = [...(previous?.published ?? []).filter((earlier) => earlier >= keptFrom), slot];
  const kept = { published: published.slice(-keptNights) };
  const nights = published.length - keptNights;
  if (nights <= 1 || pruned !== undefined) {
    return kept;
  }
  const before = previous?.heldBack;
  const since = before === undefined || keptNights < before.limit ? slot : before.since;
  return countDaysBetween(since, slot) < daysHeldBack
    ? { published, heldBack: { since, nights, limit: keptNights } }
    : kept;
}

/** One sentence, for people. */
export function describeHeldBack({ since, nights, limit }: HeldBack): string {
  const until = addDays(since, daysHeldBack);
  const are = `${nights} ${pluralize(nights, 'run is', 'runs are')} older than retention.nights (${limit}) allows`;
  return `${are}. They are kept until the run of ${until}, which removes them; \`muster prune --confirm\` removes them now. If the limit is a mistake, raise it.`;
}
