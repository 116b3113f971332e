/** The tests of one group, as mutation testing runs them: `run.ts` says which. */
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { findIsolatedFiles } from '../isolated-files.ts';
import { hangLimit, waitLimit } from '../limits.ts';

// Stryker runs the tests in threads, where a test cannot change the zone of the process: here it is one that is not UTC.
process.env.TZ = 'America/New_York';

const root = join(import.meta.dirname, '../..');
const files = (process.env.MUTATION_TESTS ?? '').split(',');
const isolated = findIsolatedFiles(files);

/** Most mutants are killed by the first files, so that the slow ones, which are listed last, are seldom needed. */
class AsListed extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => files.findIndex((file) => moduleId.endsWith(`/${file}`));
    return specifications.toSorted((one, other) => place(one) - place(other));
  }
}

/** A process for each file takes longer than most files do, and each mutant would need them all. */
function defineTests(isIsolated: boolean) {
  return {
    extends: true as const,
    test: {
      name: isIsolated ? 'isolated' : 'shared',
      include: files.filter((file) => isolated.includes(file) === isIsolated),
      isolate: isIsolated,
      sequence: { groupOrder: isIsolated ? 1 : 0 },
    },
  };
}

export default defineConfig({
  root,
  test: {
    projects: [defineTests(false), defineTests(true)],
    sequence: { sequencer: AsListed },
    testTimeout: hangLimit,
    hookTimeout: hangLimit,
    expect: { poll: { timeout: waitLimit } },
  },
});
