/** The sum of each row of coverage, counted from the ledger before a run and after it. */
import type { Night } from '../../src/core/facts/judged.ts';
import type { Entry } from '../../src/core/facts/ledger.ts';
import { isWhole } from '../../src/core/facts/vocabulary.ts';
import { findFigures } from './make-facts.ts';

/** Names of the counted entries whose record stands in one of the sources. */
export function listCounted(ledger: readonly Entry[], sources: readonly string[]): ReadonlySet<string> {
  const counted = ledger.filter(
    ({ isGone, standing, ...one }) => one.counted && !isGone && sources.includes(standing.source),
  );
  return new Set(counted.map(({ name }) => name));
}

/** Before, joined, left and after of each row that the sum holds for. */
export function listSums(old: readonly Entry[], night: Night): Record<string, number[]> {
  const now = night.state.ledger;
  const names = night.sources.map(({ name }) => name);
  const whole = night.sources.filter(({ soundness }) => isWhole(soundness)).map(({ name }) => name);
  const firsts = night.sources.filter(({ first }) => first).map(({ name }) => name);
  const rows = [...whole.map((name) => [name, [name]] as const), ['all', names] as const];
  const sums = rows.map(([row, sources]): [string, number[]] => {
    // What a source counts on its first night is its before.
    const [known, first] = [
      sources.filter((one) => !firsts.includes(one)),
      sources.filter((one) => firsts.includes(one)),
    ];
    const was = new Set([...listCounted(old, known), ...listCounted(now, first)]);
    const { joined, left } = findFigures(night, row);
    return [row, [was.size, joined, left, listCounted(now, sources).size]];
  });
  return Object.fromEntries(sums);
}
