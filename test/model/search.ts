/** Looks through seeds for histories in which core and model differ, and makes the first of them small. */
import { compareHistory, type Difference, formatDifference, type Side } from './compare.ts';
import { startCore } from './core-cells.ts';
import { generateHistory, type History } from './generate.ts';
import { judgeByModel } from './model.ts';
import type { Judge } from './play.ts';
import { shrinkHistory } from './shrink.ts';

/** How many differing histories a report names. */
const reported = 5;

export interface Search {
  cells: number;
  /** Empty when core and model agree. */
  report: string;
}

export function searchDifferences(
  firstSeed: number,
  count: number,
  { judge = judgeByModel, nights, start = startCore }: { judge?: Judge; nights?: number; start?: () => Side } = {},
): Search {
  let cells = 0;
  const lines: string[] = [];
  let example = '';
  for (let seed = firstSeed; seed < firstSeed + count && lines.length < reported; seed += 1) {
    const history = generateHistory(seed, nights);
    const comparison = compareHistory(history, judge, start);
    cells += comparison.cells;
    const difference = comparison.differences[0];
    if (difference !== undefined) {
      lines.push(formatDifference(seed, difference));
      example ||= describeSmallest(seed, history, difference, (one) => compareHistory(one, judge, start).differences);
    }
  }
  return { cells, report: [...lines, example].filter((line) => line !== '').join('\n') };
}

/** The smallest history that shows a difference in the same column, with all its cells that differ. */
function describeSmallest(
  seed: number,
  history: History,
  { column }: Difference,
  listDifferences: (candidate: History) => readonly Difference[],
): string {
  const smallest = shrinkHistory(history, (one) => listDifferences(one).some((other) => other.column === column));
  const lines = listDifferences(smallest).map((difference) => formatDifference(seed, difference));
  return ['', `Smallest of seed ${seed}:`, ...lines, ...smallest.map((step) => JSON.stringify(step))].join('\n');
}
