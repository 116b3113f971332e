/** The tests of one group, as mutation testing runs them: `run.ts` says which. */
import { defineConfig } from 'vitest/config';
import { hangLimit, waitLimit } from '../limits.ts';

export default defineConfig({
  test: {
    include: (process.env.MUTATION_TESTS ?? '').split(','),
    testTimeout: hangLimit,
    hookTimeout: hangLimit,
    expect: { poll: { timeout: waitLimit } },
  },
});
