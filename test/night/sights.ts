/** What a reader sees right after a fault: nothing yet, the run that stood before, or the new one; never anything else. */
import { isDeepStrictEqual } from 'node:util';

/** How often a reader saw each. */
export type Sights = Record<'nothing' | 'before' | 'after', number>;

interface Reports {
  readonly reports: unknown;
}

interface Sight<Seen extends Reports> {
  readonly seen: Seen | undefined;
  readonly before: Seen | undefined;
  /** The reports of the new run. */
  readonly wanted: unknown;
}

export function countSight<Seen extends Reports>(
  saw: Sights,
  { seen, before, wanted }: Sight<Seen>,
  problem: (what: string) => unknown,
): void {
  if (isDeepStrictEqual(seen, before)) {
    saw[seen === undefined ? 'nothing' : 'before'] += 1;
  } else if (isDeepStrictEqual(seen?.reports, wanted)) {
    saw.after += 1;
  } else {
    problem('a reader saw neither the old run nor the new one');
  }
}
