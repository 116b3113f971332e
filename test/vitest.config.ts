import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { hangLimit, waitLimit } from './limits.ts';
import { skippedTests } from './needs.ts';

// Only `npm run coverage:raise` writes new thresholds, so that `npm test` changes no file.
const isRaising = process.env.npm_lifecycle_event === 'coverage:raise';

const pure = ['compose', 'core', 'deployment', 'http', 'run', 'settings', 'simulator', 'sources'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    projects: [
      // What leaves nothing open and nothing changed outside itself shares one process: loading the program is most of its cost.
      { extends: true, test: { name: 'pure', include: pure, isolate: false } },
      { extends: true, test: { name: 'whole', include: ['test/**/*.test.ts'], exclude: pure } },
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
    execArgv: ['--single-threaded-gc'],
    reporters: ['default', skippedTests],
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
        statements: 90,
        branches: 86,
        functions: 92,
        lines: 91,
      },
    },
  },
});
