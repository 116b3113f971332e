/**
 * Runs the tests of a group again and again in one process, as a test runner of Stryker. Files are loaded once; for each
 * mutant, the tests that came by its line run, the cheapest file first, until one fails. What a file computes while it
 * declares its tests, or in `beforeAll`, belongs to all its tests: where a mutant lies there, the file is loaded anew.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { InstrumenterContext, MutantCoverage, StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, PluginKind } from '@stryker-mutator/api/plugin';
import {
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
} from '@stryker-mutator/api/test-runner';
import { isInSample } from './sample.ts';
import { collect, type Suite, type Test } from './tests.ts';

const declarations = pathToFileURL(resolve('test/mutation/tests.ts')).href;

registerHooks({
  resolve(specifier, context, next) {
    return specifier === 'vitest' && context.parentURL !== declarations
      ? { url: declarations, shortCircuit: true }
      : next(specifier, context);
  },
});

/** Where the other worker learns what the first has found out. */
const timesFile = 'test-times.json';

/** What the changed program reads and writes while it runs. */
type Switchboard = { -readonly [Key in keyof InstrumenterContext]: InstrumenterContext[Key] | undefined };
const stryker: Switchboard = {};
Object.assign(globalThis, { __stryker__: stryker });

interface Failure {
  readonly id: string;
  readonly message: string;
}

interface Outcome {
  readonly id: string;
  readonly milliseconds: number;
  readonly error?: unknown;
}

class Skipped extends Error {}

let unhandled: unknown;
process.on('unhandledRejection', (error) => {
  unhandled ??= error;
});
process.on('uncaughtException', (error) => {
  unhandled ??= error;
});

class InProcessRunner implements TestRunner {
  static readonly inject = [commonTokens.options] as const;
  readonly #files: readonly string[];
  readonly #oneIn: number;
  readonly #slowest: number;
  readonly #suites = new Map<string, Suite>();
  #times: Readonly<Record<string, number>> = {};
  #loads = 0;

  constructor(options: StrykerOptions) {
    this.#files = options.groupTests as string[];
    this.#oneIn = (options.oneIn as number | undefined) ?? 1;
    this.#slowest = (options.slowestTest as number | undefined) ?? 500;
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async dryRun(): Promise<DryRunResult> {
    const times: Record<string, number> = {};
    for (const file of this.#files) {
      // The first time, the program is loaded as well: what runs then runs once for all tests.
      await this.#load(file);
      stryker.currentTestId = file;
      const started = performance.now();
      const suite = await this.#load(file);
      times[file] = performance.now() - started;
      stryker.currentTestId = undefined;
      this.#suites.set(file, suite);
      for await (const { id, milliseconds, error } of runSuite(file, suite, () => true)) {
        if (error === undefined && milliseconds <= this.#slowest) {
          times[id] = milliseconds;
        } else if (!(error instanceof Skipped)) {
          reportLeftOut(id, error);
        }
      }
      // Once more: a test that cannot run twice would seem to notice every mutant.
      for await (const { id, error } of runSuite(file, suite, (one) => times[one] !== undefined)) {
        if (error !== undefined) {
          delete times[id];
          reportLeftOut(id, error);
        }
      }
      stryker.currentTestId = undefined;
    }
    stryker.currentTestId = undefined;
    writeFileSync(timesFile, JSON.stringify(times));
    this.#times = times;
    const tests = Object.entries(times).map(
      ([id, milliseconds]): TestResult => ({
        id,
        name: id,
        timeSpentMs: milliseconds,
        status: TestStatus.Success,
      }),
    );
    return { status: DryRunStatus.Complete, tests, mutantCoverage: keepTests(stryker.mutantCoverage, times) };
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    if (!isInSample(options.activeMutant, this.#oneIn)) {
      return { status: MutantRunStatus.Error, errorMessage: 'not in the sample' };
    }
    if (Object.keys(this.#times).length === 0 && existsSync(timesFile)) {
      this.#times = JSON.parse(readFileSync(timesFile, 'utf8')) as Record<string, number>;
    }
    const wanted = new Set(options.testFilter ?? Object.keys(this.#times));
    const files = this.#files
      .map((file) => ({ file, cost: this.#estimate(file, wanted) }))
      .filter(({ cost }) => cost > 0)
      .sort((a, b) => a.cost - b.cost);
    for (const { file } of files) {
      if (!this.#suites.has(file)) {
        this.#suites.set(file, await this.#load(file));
      }
    }
    stryker.hitCount = 0;
    if (options.hitLimit !== undefined) {
      stryker.hitLimit = options.hitLimit;
    }
    stryker.activeMutant = options.activeMutant.id;
    try {
      let failure: Failure | undefined;
      for (const { file } of files) {
        failure ??= await this.#findFailure(file, wanted);
      }
      const timeout = determineHitLimitReached(stryker.hitCount, options.hitLimit);
      if (timeout !== undefined) {
        return { status: MutantRunStatus.Timeout };
      }
      return failure === undefined
        ? { status: MutantRunStatus.Survived, nrOfTests: wanted.size }
        : {
            status: MutantRunStatus.Killed,
            killedBy: [failure.id],
            failureMessage: failure.message,
            nrOfTests: wanted.size,
          };
    } finally {
      stryker.activeMutant = undefined;
    }
  }

  #estimate(file: string, wanted: ReadonlySet<string>): number {
    return Object.entries(this.#times)
      .filter(([id]) => id.startsWith(file) && (wanted.has(id) || wanted.has(file)))
      .reduce((sum, [, milliseconds]) => sum + milliseconds + 0.001, 0);
  }

  async #findFailure(file: string, wanted: ReadonlySet<string>): Promise<Failure | undefined> {
    const isWhole = wanted.has(file);
    try {
      const suite = isWhole ? await this.#load(file) : this.#suites.get(file);
      const runs = runSuite(file, suite as Suite, (id) => this.#times[id] !== undefined && (isWhole || wanted.has(id)));
      for await (const { id, error } of runs) {
        if (error !== undefined) {
          return { id: this.#times[id] === undefined ? file : id, message: String(error) };
        }
      }
      return undefined;
    } catch (error) {
      return { id: file, message: String(error) };
    }
  }

  /** A query makes it another module; what it imports stays loaded. */
  async #load(file: string): Promise<Suite> {
    this.#loads += 1;
    return collect(() => import(`${pathToFileURL(resolve(file)).href}?load=${this.#loads}`));
  }
}

/** The tests that are wanted, with the hooks of the suites around them; hooks count as a test of the file's name. */
async function* runSuite(
  file: string,
  suite: Suite,
  isWanted: (id: string) => boolean,
  path: readonly number[] = [],
  outer: readonly Suite[] = [],
): AsyncGenerator<Outcome> {
  const suites = [...outer, suite];
  const entries = suite.entries.map((entry, index) => ({ entry, place: [...path, index] }));
  const chosen = entries.filter(({ entry, place }) => hasWanted(file, entry, place, isWanted));
  if (chosen.length === 0) {
    return;
  }
  yield* runHooks(file, suite.beforeAll);
  for (const { entry, place } of chosen) {
    if ('run' in entry) {
      yield await runTest(nameTest(file, place), entry, suites);
    } else {
      yield* runSuite(file, entry, isWanted, place, suites);
    }
  }
  yield* runHooks(file, suite.afterAll);
}

function hasWanted(
  file: string,
  entry: Suite | Test,
  place: readonly number[],
  isWanted: (id: string) => boolean,
): boolean {
  return 'run' in entry
    ? isWanted(nameTest(file, place))
    : entry.entries.some((inner, index) => hasWanted(file, inner, [...place, index], isWanted));
}

function nameTest(file: string, place: readonly number[]): string {
  return `${file}#${place.join('.')}`;
}

async function* runHooks(file: string, hooks: readonly (() => unknown)[]): AsyncGenerator<Outcome> {
  for (const hook of hooks) {
    stryker.currentTestId = file;
    try {
      await hook();
    } catch (error) {
      yield { id: `${file}#hook`, milliseconds: 0, error };
    }
  }
}

async function runTest(id: string, test: Test, suites: readonly Suite[]): Promise<Outcome> {
  const finished: (() => unknown)[] = [];
  const started = performance.now();
  let outcome: { readonly error?: unknown } = {};
  stryker.currentTestId = id;
  unhandled = undefined;
  try {
    for (const hook of suites.flatMap((suite) => suite.beforeEach)) {
      await hook();
    }
    await test.run({
      skip: (condition = true) => {
        if (condition !== false) {
          throw new Skipped();
        }
      },
      onTestFinished: (work) => finished.push(work),
    });
  } catch (error) {
    outcome = { error: error ?? new Error('nothing was thrown') };
  }
  for (const hook of [...suites.toReversed().flatMap((suite) => suite.afterEach), ...finished]) {
    try {
      await hook();
    } catch (error) {
      outcome = { error, ...outcome };
    }
  }
  if (unhandled !== undefined) {
    outcome = { error: unhandled, ...outcome };
  }
  return { id, milliseconds: performance.now() - started, ...outcome };
}

/** Without the tests that were left out. */
function keepTests(coverage: MutantCoverage | undefined, times: Readonly<Record<string, number>>): MutantCoverage {
  const { static: once = {}, perTest = {} } = coverage ?? {};
  return {
    static: once,
    perTest: Object.fromEntries(Object.entries(perTest).filter(([id]) => times[id] !== undefined)),
  };
}

function reportLeftOut(id: string, error: unknown): void {
  const reason = error === undefined ? 'too slow' : String(error).split('\n')[0];
  process.stderr.write(`left out: ${id}: ${reason}\n`);
}

export const strykerPlugins = [{ kind: PluginKind.TestRunner, name: 'in-process', injectableClass: InProcessRunner }];
