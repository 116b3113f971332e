/** A published slot run again: what the published attempt fixes, which sources are not read again, and what may replace it. */

import type { Facts, SourceFacts } from '../core/facts/facts.ts';
import type { Night } from '../core/facts/judged.ts';
import { soundnesses } from '../core/facts/vocabulary.ts';
import { isSameSource } from '../core/source/source-input.ts';
import type { Source } from '../sources/source.ts';
import type { CurrentRun } from '../storage/commits/commit.ts';
import type { StateHead } from '../storage/runs/state-files.ts';

/**
 * The slot's moment, what a person accepted, what the instruments were seen to be, and the open alerts: they are not
 * reported again, and can be resolved.
 */
export function pickFixedFacts(
  earlier: Facts | undefined,
  state: Pick<StateHead, 'sources' | 'told'> | undefined,
): Partial<Pick<Facts, 'moment' | 'accepted' | 'told' | 'earlierReadings'>> {
  if (earlier === undefined) {
    return {};
  }
  return {
    moment: earlier.moment,
    ...(earlier.accepted === undefined ? {} : { accepted: earlier.accepted }),
    earlierReadings: (state?.sources ?? []).map(({ name, kind, instrumentMemory }) => ({
      name,
      kind,
      instrumentMemory,
    })),
    told: state?.told ?? [],
  };
}

/** Facts of sources whose published answer was complete; the others are read again. */
export function selectCompleteFacts(
  earlier: Facts | undefined,
  currentRun: CurrentRun | undefined,
  wanted: readonly Source[],
): SourceFacts[] {
  const published = currentRun?.commit.sources ?? [];
  const complete = new Set(published.filter(({ soundness }) => soundness === 'complete').map(({ name }) => name));
  return selectWantedFacts(earlier, wanted).filter(({ name }) => complete.has(name));
}

/** Facts of the sources that the settings still have. */
export function selectWantedFacts(
  earlier: Facts | undefined,
  wanted: readonly Pick<Source, 'name' | 'kind'>[],
): SourceFacts[] {
  return earlier?.sources.filter((facts) => wanted.some((source) => isSameSource(source, facts))) ?? [];
}

/** Better for at least one source, worse for none. */
export function isMoreComplete(night: Night, currentRun: CurrentRun): boolean {
  const before = new Map(
    currentRun.commit.sources.map(({ name, soundness }) => [name, soundnesses.indexOf(soundness)]),
  );
  let isBetter = false;
  for (const { name, soundness } of night.sources) {
    const difference = soundnesses.indexOf(soundness) - (before.get(name) ?? -1);
    if (difference < 0) {
      return false;
    }
    if (difference > 0) {
      isBetter = true;
    }
  }
  return isBetter;
}
