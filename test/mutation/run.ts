/**
 * `npm run mutation [-- [N | again] GROUP… | FILE…]`: changes the program in one place at a time and sees whether a test
 * notices. With a number, every N-th change only. With `again`, only what survived in the group the last time, for when
 * tests were added and the program is the same.
 * A whole group renews its figures, from which docs/mutation.md and a row of docs/reliability.md are made.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { LogLevel, MutantResult, PartialStrykerOptions } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { createCompiler } from './compiler.ts';
import {
  addKilled,
  computeScore,
  countMutants,
  type Figures,
  readFigures,
  type Survivor,
  writeFigures,
} from './figures.ts';
import { findGroup, type GroupName, groups, isGroup, listFiles, listTests } from './groups.ts';
import { isInSample } from './sample.ts';

const root = join(import.meta.dirname, '../..');

const words = process.argv.slice(2);
const oneIn = /^\d+$/.test(words[0] ?? '') ? Number(words.shift()) : 1;
const isAgain = words[0] === 'again' && words.shift() !== undefined;

interface Request {
  readonly group: GroupName;
  readonly files: readonly string[];
  readonly isWhole: boolean;
}

function readRequests(): Request[] {
  const names = words.length === 0 ? Object.keys(groups) : words;
  return names.map((name) => {
    if (isGroup(name)) {
      return { group: name, files: listFiles(groups[name].files), isWhole: true };
    }
    const group = findGroup(name);
    if (group === undefined) {
      throw new Error(`${name} is neither a group (${Object.keys(groups).join(', ')}) nor a file of one`);
    }
    return { group, files: [name], isWhole: false };
  });
}

/** For `test-runner.ts`. */
interface RunnerOptions {
  readonly groupTests: readonly string[];
  readonly oneIn: number;
  /** The only mutants to try. */
  readonly ids: readonly string[] | undefined;
  readonly slowestTest: number;
}

async function mutate({ group, files }: Request, before: Figures | undefined): Promise<MutantResult[]> {
  const options: PartialStrykerOptions & RunnerOptions = {
    mutate: [...files],
    testRunner: 'in-process',
    plugins: [join(import.meta.dirname, 'test-runner.ts')],
    groupTests: listTests(groups[group]),
    oneIn: before?.oneIn ?? oneIn,
    ids: before?.survivors.map(({ id }) => id),
    slowestTest: groups[group].slowestTest,
    coverageAnalysis: 'perTest',
    // What runs once, when a file is loaded, is read by all tests: the process would start anew for each such mutant.
    ignoreStatic: true,
    concurrency: 2,
    timeoutMS: 5_000,
    timeoutFactor: 3,
    // All tests of a group run twice before the first mutant.
    dryRunTimeoutMinutes: 20,
    // A mutant may leave a timer or a server behind.
    maxTestRunnerReuse: 400,
    reporters: ['progress-append-only'],
    tempDirName: '.cache/mutation',
    ignorePatterns: ['/bench', '/coverage'],
    allowConsoleColors: false,
    warnings: false,
    logLevel: 'warn' as LogLevel,
  };
  const results = await new Stryker(options as PartialStrykerOptions).runMutationTest();
  return results.filter((result) => isInSample(result, options));
}

/** Those that no test noticed, without those that do not compile: `npm run check` stops them. */
function listSurvivors(results: readonly MutantResult[]): Survivor[] {
  const compiler = createCompiler(root);
  const survivors: Survivor[] = [];
  for (const result of results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')) {
    const { fileName, location, replacement = '' } = result;
    const text = readFileSync(fileName, 'utf8');
    const [start, end] = [findOffset(text, location.start), findOffset(text, location.end)];
    if (!compiler.compiles(fileName, text.slice(0, start) + replacement + text.slice(end))) {
      continue;
    }
    survivors.push({
      id: result.id,
      file: relative(root, fileName),
      line: location.start.line,
      code: shorten(text.slice(start, end)),
      instead: shorten(replacement),
      ...(result.status === 'NoCoverage' ? { reached: false } : {}),
    });
  }
  return survivors.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
}

function findOffset(text: string, { line, column }: { readonly line: number; readonly column: number }): number {
  const before = text.split('\n').slice(0, line);
  return before.slice(0, -1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
}

function shorten(code: string): string {
  const one = code.replace(/\s+/g, ' ');
  return one.length > 100 ? `${one.slice(0, 99)}…` : one;
}

for (const request of readRequests()) {
  const before = isAgain ? readFigures()[request.group] : undefined;
  const results = await mutate(request, before);
  for (const { id, file, line } of before?.survivors ?? []) {
    const now = results.find((one) => one.id === id);
    if (now === undefined || relative(root, now.fileName) !== file || now.location.start.line !== line) {
      throw new Error(`${file} has changed since the last time: run the whole group`);
    }
  }
  const survivors = listSurvivors(results);
  const { files, tests } = groups[request.group];
  const counts = countMutants(results, survivors);
  const figures: Figures = {
    ...(before === undefined ? counts : addKilled(before, counts)),
    date: new Date().toISOString().slice(0, 10),
    files,
    tests,
    oneIn: before?.oneIn ?? oneIn,
    survivors,
  };
  for (const { file, line, code, instead, reached } of survivors) {
    process.stdout.write(`${file}:${line}  ${code}  →  ${instead}${reached === false ? '  (not reached)' : ''}\n`);
  }
  process.stdout.write(
    `${request.group}: ${computeScore(figures).toFixed(1)} ${JSON.stringify({ ...figures, survivors: [] })}\n`,
  );
  if (request.isWhole) {
    writeFigures(request.group, figures);
  }
}
