/** Ten lines at the end of a deep run: how much ran, and each failure with its first line. */
import type { Reporter, TestModule } from 'vitest/node';
import { isDeep } from './sampling.ts';

const mostLines = 10;

export const deepSummary: Reporter = {
  onTestRunEnd(modules) {
    for (const line of isDeep ? summarizeRun(modules) : []) {
      process.stdout.write(`${line}\n`);
    }
  },
};

function summarizeRun(modules: readonly TestModule[]): readonly string[] {
  const tests = modules.flatMap((module) => [...module.children.allTests()].map((test) => ({ module, test })));
  const failures = [
    ...modules.flatMap((module) =>
      module.errors().map(({ message }) => `${module.relativeModuleId}: ${takeFirstLine(message)}`),
    ),
    ...tests.flatMap(({ module, test }) =>
      (test.result().errors ?? [])
        .slice(0, 1)
        .map(({ message }) => `${module.relativeModuleId} › ${test.name}: ${takeFirstLine(message)}`),
    ),
  ];
  const shown = failures.slice(0, mostLines - 2);
  return [
    `Deep run: ${tests.length} tests in ${modules.length} files, ${failures.length} failures`,
    ...shown,
    ...(failures.length > shown.length ? [`and ${failures.length - shown.length} more`] : []),
  ];
}

function takeFirstLine(text: string): string {
  return text.split('\n', 1).join('');
}
