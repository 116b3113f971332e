/** The tests of one group, as mutation testing runs them: `run.ts` says which. */
import { defineConfig } from 'vitest/config';
import { hangLimit, waitLimit } from '../limits.ts';

// Stryker runs the tests in threads, where a test cannot change the zone of the process: here it is one that is not UTC.
process.env.TZ = 'America/New_York';

export default defineConfig({
  test: {
    include: (process.env.MUTATION_TESTS ?? '').split(','),
    testTimeout: hangLimit,
    hookTimeout: hangLimit,
    expect: { poll: { timeout: waitLimit } },
  },
});
