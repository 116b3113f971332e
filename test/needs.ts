/**
 * What some tests need and the repository does not hold. A test that lacks it calls `skip(condition, reason)` of its
 * context; the end of the run then prints one line for each reason.
 */
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

export type Skip = TestContext['skip'];

/** Skips the test where the program is not on the PATH. One that is there and does not work fails the test. */
export function needProgram(skip: Skip, program: string): void {
  skip(!isOnPath(program), `${program} is not on the PATH`);
}

export function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The browser comes from npm, built for one kind of machine. */
export const hasBrowser = process.platform === 'linux' && process.arch === 'x64';

export function needBrowser(skip: Skip): void {
  skip(!hasBrowser, 'the browser from npm runs on Linux x64 only');
}

const shared = join(import.meta.dirname, '..', '..', 'shared');

/** Text that is not ours to publish: answers of real servers, and the deployment interface. */
export function needSharedText(skip: Skip, file: string): string {
  skip(!existsSync(shared), 'there is no folder ../shared beside the repository');
  return readFileSync(join(shared, file), 'utf8');
}

export const skippedTests: Reporter = {
  onTestRunEnd(modules) {
    for (const line of describeSkippedTests(modules)) {
      process.stdout.write(`${line}\n`);
    }
  },
};

/** One line for each reason, with how many tests of which file. Tests that the command line left out have none. */
function describeSkippedTests(modules: readonly TestModule[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const module of modules) {
    for (const test of module.children.allTests('skipped')) {
      const result = test.result();
      if (result.state !== 'skipped' || result.note === undefined) {
        continue;
      }
      byReason.set(result.note, [...(byReason.get(result.note) ?? []), module.relativeModuleId]);
    }
  }
  return [...byReason].map(([reason, files]) => {
    const counted = [...new Set(files)].map((file) => `${file} (${files.filter((one) => one === file).length})`);
    return `Not run, because ${reason}: ${counted.join(', ')}`;
  });
}
