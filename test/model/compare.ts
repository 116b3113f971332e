/** Compares what two sides say about a history, a line a cell. */
import type { Facts } from '../../src/core/facts/facts.ts';
import { type Cells, listModelCells } from './cells.ts';
import { startCore } from './core-cells.ts';
import type { History } from './generate.ts';
import { judgeByModel } from './model.ts';
import { type Judge, playHistory } from './play.ts';
import type { ModelNight } from './rows.ts';

export interface Difference {
  night: string;
  attempt: number;
  source: string;
  device: string;
  column: string;
  core: string;
  model: string;
}

export interface Comparison {
  cells: number;
  differences: Difference[];
}

/** Judges the attempts of a history in order, and remembers what it needs. */
export type Side = (attempt: Facts, isPublished: boolean) => Cells;

/** The model as a side, such as one with a wrong rule. */
export function startModel(judge: Judge = judgeByModel): Side {
  const past: ModelNight[][] = [];
  return (facts, isPublished) => {
    if (past.at(-1)?.[0]?.facts.slot !== facts.slot) {
      past.push([]);
    }
    const earlier = past.at(-1) as ModelNight[];
    const night = { ...judge(past.slice(0, -1), [...earlier], facts), isPublished };
    earlier.push(night);
    return listModelCells(night);
  };
}

/** Stops at the first attempt in which they differ: what follows would only repeat it. */
export function compareHistory(
  history: History,
  judge: Judge = judgeByModel,
  start: () => Side = startCore,
): Comparison {
  const comparison: Comparison = { cells: 0, differences: [] };
  const judgeOther = start();
  playHistory(history, judge, (night, _past, earlier) => {
    const other = judgeOther(night.facts, night.isPublished);
    comparison.cells += other.size;
    comparison.differences = listDifferences(other, listModelCells(night), night.facts.slot, earlier.length + 1);
    return comparison.differences.length > 0 ? 'stop' : undefined;
  });
  return comparison;
}

function listDifferences(core: Cells, model: Cells, night: string, attempt: number): Difference[] {
  const differences: Difference[] = [];
  for (const key of new Set([...core.keys(), ...model.keys()])) {
    const left = core.get(key);
    const right = model.get(key);
    const place = left ?? right;
    if (place !== undefined && left?.value !== right?.value) {
      const { source, device, column } = place;
      const says = { core: left?.value ?? '(no row)', model: right?.value ?? '(no row)' };
      differences.push({ night, attempt, source, device, column, ...says });
    }
  }
  return differences;
}

/** One plain line a cell. */
export function formatDifference(seed: number, difference: Difference): string {
  const { night, attempt, source, device, column, core, model } = difference;
  const place = `seed ${seed}, night ${night}, attempt ${attempt}, source ${source}, device ${device || '-'}`;
  return `${place}, ${column}: core says ${quote(core)}, model says ${quote(model)}`;
}

function quote(text: string): string {
  return text === '' ? 'nothing' : `"${text}"`;
}
