/** Core and model on a few histories: what mutation testing takes for the thousands of `test/model/`. */
import { expect, it } from 'vitest';
import { compareHistory } from '../model/compare.ts';
import { generateHistory } from '../model/generate.ts';

it('core and model agree on every cell of sixty histories', () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    expect(compareHistory(generateHistory(seed)).differences, `seed ${seed}`).toEqual([]);
  }
});
