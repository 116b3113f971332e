/** Runs of one source of Macs, and the events of a run, a line each. */
import type { Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { at, judgeRuns, lenient, makeMac, makeSource } from './make-facts.ts';

/** Runs of one source of Macs; each lists its devices by value, or is the facts it is. */
export function judgeMacRuns(...all: readonly (Record<string, string | null> | Partial<Facts>)[]): Night[] {
  return judgeRuns(
    ...all.map((one, index) => {
      if ('sources' in one || 'policy' in one || 'exemptions' in one) {
        return one as Partial<Facts>;
      }
      return { sources: [makeMacsOf(one as Record<string, string | null>, index + 1)], policy: lenient };
    }),
  );
}

export function makeMacsOf(
  values: Record<string, string | null>,
  night: number,
  changes: Partial<SourceFacts> = {},
): SourceFacts {
  const devices = Object.entries(values).map(([id, value]) => makeMac(id, value, { reportedAt: at(night, -0.1) }));
  return makeSource('macs', devices, changes);
}

export function listEvents(night: Night | undefined): string[] {
  return (night?.events ?? []).map(({ kind, key, phase }) => `${kind} ${key} ${phase}`);
}
