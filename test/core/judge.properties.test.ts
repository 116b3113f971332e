/** Random fleets over random histories, held to an independent reading of the design. */

import { describe, expect, it } from 'vitest';
import type { Facts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { renderCsv } from '../../src/reports/csv.ts';
import { tables } from '../../src/reports/tables.ts';
import { isDeep } from '../sampling.ts';
import { history, holdOver, shuffled } from './fleets.ts';
import { nights } from './world.ts';

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
  it('counted tonight = counted in the baseline + joined − left, for every source that is compared', () =>
    hold(isDeep ? 80 : 25, 30, (facts) => {
      const all = nights(...facts);
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
    hold(60, 6, async (facts) => {
      const once = nights(...facts);
      const again = nights(...facts);
      const mixed = nights(...facts.map((one, index) => shuffled(one, seed + index)));
      for (const [index, night] of once.entries()) {
        const bytes = await bytesOf(night);
        expect(await bytesOf(again[index] as Night)).toBe(bytes);
        expect(await bytesOf(mixed[index] as Night)).toBe(bytes);
        expect(JSON.stringify(again[index]?.state)).toBe(JSON.stringify(night.state));
      }
    }));
});
