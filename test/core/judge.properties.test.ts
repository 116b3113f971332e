/** Random fleets over random histories, held to an independent reading of the design. */

import { describe, expect, it } from 'vitest';
import type { Facts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { renderCsv } from '../../src/reports/csv.ts';
import { tables } from '../../src/reports/tables.ts';
import { isDeep } from '../sampling.ts';
import { history, holdOver, shuffled } from './fleets.ts';
import { judgeRuns } from './make-facts.ts';
import { listSums } from './sums.ts';

const seed = 20_260_601;

const hold = (numRuns: number, maximumNights: number, property: (facts: Facts[]) => void | Promise<void>) =>
  holdOver(history(maximumNights), (facts) => facts, property, { seed, numRuns });

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

describe('over random histories', () => {
  it('before + joined − left = after, in each whole source and in all', () =>
    hold(isDeep ? 80 : 12, 30, (facts) => {
      const all = judgeRuns(...facts);
      for (const [index, night] of all.entries()) {
        const sums = listSums(all[index - 1]?.state.ledger ?? [], night);
        for (const [row, [before = 0, joined = 0, left = 0, after]] of Object.entries(sums)) {
          expect(before + joined - left, `${night.slot} ${row}`).toBe(after);
        }
        if (night.coverage.every(({ soundness }) => soundness === 'complete')) {
          for (const { source, counted } of night.coverage) {
            expect(sums[source]?.at(-1), `${night.slot} ${source}`).toBe(counted);
          }
        }
      }
    }));

  it('the order of the facts never matters, and judging twice gives the same bytes (G13)', () =>
    hold(60, 6, async (facts) => {
      const once = judgeRuns(...facts);
      const again = judgeRuns(...facts);
      const mixed = judgeRuns(...facts.map((one, index) => shuffled(one, seed + index)));
      for (const [index, night] of once.entries()) {
        const bytes = await bytesOf(night);
        expect(await bytesOf(again[index] as Night)).toBe(bytes);
        expect(await bytesOf(mixed[index] as Night)).toBe(bytes);
        expect(JSON.stringify(again[index]?.state)).toBe(JSON.stringify(night.state));
      }
    }));
});
