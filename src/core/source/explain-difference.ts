/** Explains why the figures of a run differ from the baselines, where every source has one and can be compared. */
import type { Night } from '../facts/judged.ts';
import type { Coverage, HistoryEntry } from '../facts/state.ts';
import { isWhole } from '../facts/vocabulary.ts';
import { toSourceKey } from '../record/references.ts';
import type { ComparedSource } from './compare-sources.ts';
import { computeTotalCoverage } from './coverage.ts';
import { computeDifference } from './difference.ts';

export function explainDifference(
  after: Coverage & { readonly slot: string },
  sources: readonly ComparedSource[],
  history: readonly HistoryEntry[],
): Night['difference'] {
  const baselines = sources.map(({ source, isCompared }) =>
    isWhole(source.soundness) && isCompared ? source.baseline : undefined,
  );
  const rows = sources.flatMap(
    ({ source }, at) =>
      history.findLast(({ slot }) => slot === baselines[at])?.coverage.find((row) => row.source === source.name) ?? [],
  );
  const [slot] = baselines.toSorted();
  if (slot === undefined || rows.length < sources.length) {
    return undefined;
  }
  // The earlier figures are summed over today's sources, so they lack machines of sources that have left the settings.
  const keys = new Set(sources.map(({ key }) => key));
  const pairs = sources
    .flatMap((one) => one.pairs)
    .map((pair) =>
      pair.before && !keys.has(toSourceKey(pair.before.standing)) ? { ...pair, isNewToFigures: true } : pair,
    );
  return computeDifference({ ...computeTotalCoverage(rows), slot }, after, pairs);
}
