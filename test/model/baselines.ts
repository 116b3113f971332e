/** Looking back: a source's last whole run, and what it showed. */
import type { Receipt } from '../../src/core/facts/facts.ts';
import { findSource, isWhole, listPublished, type ModelNight, type Past, type Row } from './rows.ts';

/**
 * "Each source has a baseline, its last whole run." "A source that was taken out has no baseline any more": only runs
 * since it was last missing in the settings count, and where it is asked for, only those whose receipt `says` a thing.
 */
export function findBaseline(past: Past, name: string, says = (_: Receipt) => true): ModelNight | undefined {
  const runs = listPublished(past);
  const since = runs.findLastIndex(({ sources }) => findSource(sources, name) === undefined);
  return runs.slice(since + 1).findLast(({ sources }) => {
    const source = findSource(sources, name);
    return source !== undefined && isWhole(source) && says(source.facts.receipt);
  });
}

/** All that it showed of the source, also devices of which it knew the id alone. */
export function listBaselineRows(baseline: ModelNight | undefined, name: string): Row[] {
  return baseline?.rows.filter((row) => row.source === name) ?? [];
}
