import { globSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { deepSummary } from './deep-summary.ts';
import { findIsolatedFiles, listTestFiles } from './isolated-files.ts';
import { hangLimit, waitLimit } from './limits.ts';
import { skippedTests } from './needs.ts';

const root = join(import.meta.dirname, '..');

// Only `npm run coverage:raise` writes new thresholds, so that `npm test` changes no file.
const isRaising = process.env.npm_lifecycle_event === 'coverage:raise';

/**
 * Sweeps, walks, contracts and compilers run the same lines thousands of times. Counting each call would make them
 * take up to twice as long, and show hardly a line that the other tests do not.
 */
const uncounted = globSync(
  [
    'test/{parsers,house}.test.ts',
    'test/{docs,example-kind,log-model,model}/*.test.ts',
    'test/cli/{clock,command-line,completion,kill,memory,schedule,stop,store,task}.test.ts',
    'test/infra/{deploy,package,stack,task,tenants-machine}.test.ts',
    'test/alerts/delivery.test.ts',
    'test/core/*.properties.test.ts',
    'test/night/{interleavings,kills,large,retention,retract}.test.ts',
    'test/reports/{accessibility,device-card,needs-action-page,page-figures,page-links,page-media,page-tables,page-trend,safety}.test.ts',
    'test/settings/unread-settings.test.ts',
    'test/sources/*/{contract,sign-in-contract}.test.ts',
    'test/storage/{attacks,interleavings,kills,s3-housekeeping,s3-moto,s3-pairs,s3-sweep,walks}.test.ts',
    'test/whole-runs/sentences/*.test.ts',
    'test/whole-runs/{consecutive-runs,faults-that-pass,faults-that-stay,processes,random-faults,real-servers,unsound-sources}.test.ts',
  ],
  { cwd: root },
);

/** Vitest takes the settings of coverage for all projects from the top; only a plugin can change them for one. */
const withoutCoverage: Plugin = {
  name: 'without-coverage',
  configureVitest({ project }) {
    project.config.coverage = { ...project.config.coverage, enabled: false };
  },
};

const files = listTestFiles();
const isolated = findIsolatedFiles(files);

interface Kind {
  readonly isCounted: boolean;
  readonly isIsolated: boolean;
}

/**
 * Files that are not isolated share four processes: to start one, and to load the program into it, costs as much as
 * many a file's tests. Only files of one project do, so that each such project has its turn, also in a shuffled order.
 */
function defineTests({ isCounted, isIsolated }: Kind, groupOrder: number) {
  return {
    extends: true as const,
    plugins: isCounted ? [] : [withoutCoverage],
    test: {
      name: `${isCounted ? 'counted' : 'uncounted'}, ${isIsolated ? 'isolated' : 'shared'}`,
      include: files.filter((file) => uncounted.includes(file) !== isCounted && isolated.includes(file) === isIsolated),
      isolate: isIsolated,
      setupFiles: isIsolated ? [] : [join(import.meta.dirname, 'expect-unchanged.ts')],
      sequence: { groupOrder },
    },
  };
}

export default defineConfig({
  root,
  test: {
    projects: [
      defineTests({ isCounted: true, isIsolated: true }, 0),
      defineTests({ isCounted: false, isIsolated: true }, 0),
      defineTests({ isCounted: true, isIsolated: false }, 1),
      defineTests({ isCounted: false, isIsolated: false }, 2),
    ],
    globalSetup: [join(import.meta.dirname, 'global-setup.ts')],
    testTimeout: hangLimit,
    hookTimeout: hangLimit,
    teardownTimeout: hangLimit,
    // A test that asserts nothing cannot fail.
    expect: { requireAssertions: true, poll: { timeout: waitLimit } },
    // Two more than two cores: many tests wait for a child, a server or a silence.
    maxWorkers: 4,
    // Helper threads of the collector would only compete with the workers: up to a fifth of the processor time of a file.
    execArgv: ['--single-threaded-gc', '--min-semi-space-size=32', '--max-semi-space-size=64'],
    reporters: ['default', skippedTests, deepSummary],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'simulator/**/*.ts'],
      // Runs in a browser, where tests drive it.
      exclude: ['src/reports/page/browser/**'],
      reporter: ['text-summary', 'json-summary'],
      // May only rise.
      thresholds: {
        // Half a point is left for what a machine may lack, such as a second opinion that is not installed.
        autoUpdate: isRaising && ((measured, threshold) => Math.max(threshold, Math.floor(measured - 0.5))),
        statements: 91,
        branches: 88,
        functions: 92,
        lines: 91,
      },
    },
  },
});
