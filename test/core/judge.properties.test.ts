/** Random fleets over random histories, held to an independent reading of the design. */

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sourceRules } from '../../src/compose/source-kinds.ts';
import type { Facts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { judge } from '../../src/core/judge.ts';
import { renderCsv } from '../../src/reports/csv.ts';

import { tables } from '../../src/reports/tables.ts';
import { history, shuffled, sketch } from './fleets.ts';
import { stored } from './world.ts';

const seed = Number(process.env.FC_SEED ?? 20_260_601);

/** A failure shows its seed and the smallest history; FC_SEED repeats it, or tries others. */
async function hold(runs: number, maximumNights: number, property: (nights: Facts[]) => void | Promise<void>) {
  const checked = fc.asyncProperty(history(maximumNights), async (nights) => property(nights));
  const { failed, counterexample, errorInstance } = await fc.check(checked, { seed, numRuns: runs });
  const [nights = []] = counterexample ?? [];
  if (failed) {
    throw new Error(`seed ${seed}\n${sketch(nights)}`, { cause: errorInstance });
  }
}

function judgeAll(nights: readonly Facts[]): Night[] {
  const all: Night[] = [];
  for (const facts of nights) {
    const before = all.at(-1)?.state;
    all.push(judge(facts, before && stored(before), sourceRules));
  }
  return all;
}

async function bytesOf(night: Night): Promise<string> {
  const files: string[] = [];
  for (const table of tables) {
    for await (const piece of renderCsv(table, night)) {
      files.push(piece.toString('utf8'));
    }
    files.push('\f');
  }
  return files.join('');
}

describe(`over random histories (seed ${seed})`, () => {
  it('counted tonight = counted in the baseline + joined − left, for every source that is compared', () =>
    hold(80, 30, (nights) => {
      const all = judgeAll(nights);
      for (const [index, night] of all.entries()) {
        const before = all[index - 1]?.state.sources ?? [];
        for (const row of night.coverage.filter(({ source }) => source !== 'all')) {
          const past = before.find(({ name }) => name === row.source)?.baseline?.devices;
          const isCompared = row.soundness !== 'missing' && row.soundness !== 'carried' && past !== undefined;
          const counted = past?.filter((known) => known.counted).length ?? 0;
          if (isCompared) {
            expect(row.counted).toBe(counted + row.joined - row.left);
          } else {
            expect([row.joined, row.left, row.lost, row.recovered]).toEqual([0, 0, 0, 0]);
          }
        }
      }
    }));

  it('the order of the facts never matters, and judging twice gives the same bytes (G13)', () =>
    hold(60, 6, async (nights) => {
      const once = judgeAll(nights);
      const again = judgeAll(nights);
      const mixed = judgeAll(nights.map((facts, index) => shuffled(facts, seed + index)));
      for (const [index, night] of once.entries()) {
        const bytes = await bytesOf(night);
        expect(await bytesOf(again[index] as Night)).toBe(bytes);
        expect(await bytesOf(mixed[index] as Night)).toBe(bytes);
        expect(JSON.stringify(again[index]?.state)).toBe(JSON.stringify(night.state));
      }
    }));
});
