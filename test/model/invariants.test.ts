/** The rules of the design hold together: what must be true after each run, on the plain model alone. */
import { describe, expect, it } from 'vitest';
import { isDeep } from '../sampling.ts';
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
  it.each(longRuns)('in 150 runs in a row, seed %i', (seed) => {
    expect(listViolations(seed, 150)).toEqual([]);
  });

  it.runIf(isDeep).each(longRuns)('in 400 runs in a row, seed %i', (seed) => {
    expect(listViolations(seed, 400)).toEqual([]);
  });
});
