/** The rules of the design hold together: what must be true after each run, on the plain model alone. */
import { describe, expect, it } from 'vitest';
import { coverageFigures, listFigures } from '../../src/core/facts/state.ts';
import { isDeep } from '../sampling.ts';
import { cellColumns, listModelCells } from './cells.ts';
import { generateHistory } from './generate.ts';
import { findViolations } from './invariants.ts';
import { playHistory } from './play.ts';

const histories = Number(process.env.HISTORIES ?? 400);
const firstSeed = Number(process.env.FIRST_SEED ?? 1);

function listViolations(seed: number, nights?: number): string[] {
  const violations: string[] = [];
  playHistory(generateHistory(seed, nights), undefined, (night, past, earlier) => {
    violations.push(...findViolations(night, past, earlier).map((line) => `seed ${seed}, ${line}`));
    return violations.length > 0 ? 'stop' : undefined;
  });
  return violations;
}

describe('the rules hold together', () => {
  it(`in ${histories} histories from seed ${firstSeed}`, () => {
    const violations = Array.from({ length: histories }, (_, index) => listViolations(firstSeed + index)).flat();
    expect(violations.slice(0, 20)).toEqual([]);
  });

  const longRuns = Array.from({ length: isDeep ? 20 : 1 }, (_, index) => firstSeed + index);
  const lengths = isDeep ? [150, 400] : [80];
  it.each(longRuns.flatMap((seed) => lengths.map((nights) => ({ seed, nights }))))(
    'in $nights runs in a row, seed $seed',
    ({ seed, nights }) => {
      expect(listViolations(seed, nights)).toEqual([]);
    },
  );
});

it('the columns of all cells are known', () => {
  const known = new Set<string>([...Object.values(cellColumns).flat(), ...coverageFigures, ...listFigures]);
  const unknown = new Set<string>();
  for (let seed = 1; seed <= 20; seed += 1) {
    playHistory(generateHistory(seed), undefined, (night) => {
      for (const { column } of listModelCells(night).values()) {
        const name = column
          .replace(/^exemption \d+$/, 'exemption NUMBER')
          .replace(/^change .*/, 'change KIND')
          .replace(/^group .*/, 'group GROUP');
        if (!known.has(name)) {
          unknown.add(name);
        }
      }
      return undefined;
    });
  }
  expect([...unknown]).toEqual([]);
});
