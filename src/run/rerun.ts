/** A published slot run again: what its standing attempt fixed, what is not asked again, and what may replace it. */

import type { Facts, SourceFacts } from '../core/facts.ts';
import type { Night } from '../core/judged.ts';
import type { State } from '../core/state.ts';
import { soundnesses } from '../core/vocabulary.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { Source } from '../sources/source.ts';
import type { CurrentRun } from '../storage/runs/published-runs.ts';

/**
 * The slot's moment, what a person accepted, what was told (it is not told again, and can be resolved), and how far
 * back runs are kept.
 */
export function pickFixedFacts(
  earlier: Facts | undefined,
  left: State | undefined,
): Partial<Pick<Facts, 'moment' | 'accepted' | 'told' | 'keptFrom'>> {
  if (earlier === undefined) {
    return {};
  }
  return {
    moment: earlier.moment,
    ...(earlier.accepted === undefined ? {} : { accepted: earlier.accepted }),
    told: left?.told ?? [],
    ...omitUndefined({ keptFrom: left?.published[0] }),
  };
}

/** Facts of sources whose published answer was complete; the others are asked again. */
export function selectCompleteFacts(
  earlier: Facts | undefined,
  standing: CurrentRun | undefined,
  wanted: readonly Source[],
): SourceFacts[] {
  const published = standing?.manifest.sources ?? [];
  const complete = new Set(published.filter(({ soundness }) => soundness === 'complete').map(({ name }) => name));
  const isWanted = (facts: SourceFacts) => wanted.some(({ name, kind }) => name === facts.name && kind === facts.kind);
  return earlier?.sources.filter((facts) => complete.has(facts.name) && isWanted(facts)) ?? [];
}

/** Better for at least one source, worse for none. */
export function isMoreComplete(night: Night, standing: CurrentRun): boolean {
  const before = new Map(
    standing.manifest.sources.map(({ name, soundness }) => [name, soundnesses.indexOf(soundness)]),
  );
  let better = false;
  for (const { name, soundness } of night.sources) {
    const difference = soundnesses.indexOf(soundness) - (before.get(name) ?? -1);
    if (difference < 0) {
      return false;
    }
    if (difference > 0) {
      better = true;
    }
  }
  return better;
}
