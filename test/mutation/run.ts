/**
 * `npm run mutation [-- [N] GROUP… | FILE…]`: changes the program in one place at a time and sees whether a test
 * notices. With a number, every N-th file only. It names what survived, and fails where a group is below its score.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { LogLevel, MutantResult, PartialStrykerOptions } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { createCompiler } from './compiler.ts';
import { findGroup, type Group, type GroupName, groups, isGroup, listFiles, listTests } from './groups.ts';

const root = join(import.meta.dirname, '../..');

const words = process.argv.slice(2);
const oneIn = /^\d+$/.test(words[0] ?? '') ? Number(words.shift()) : 1;

interface Request {
  readonly group: GroupName;
  readonly files: readonly string[];
  readonly isWhole: boolean;
}

/** Files of one group are measured together, since the tests of a group run once before. */
function readRequests(): Request[] {
  const names = words.length === 0 ? Object.keys(groups) : words;
  const whole = names.filter(isGroup).map((group): Request => {
    const files = listFiles(groups[group].files).filter((_file, index) => index % oneIn === 0);
    return { group, files, isWhole: oneIn === 1 };
  });
  const single = Map.groupBy(
    names.filter((name) => !isGroup(name)),
    (name) => {
      const group = findGroup(name);
      if (group === undefined) {
        throw new Error(`${name} is neither a group (${Object.keys(groups).join(', ')}) nor a file of one`);
      }
      return group;
    },
  );
  return [...whole, ...[...single].map(([group, files]): Request => ({ group, files, isWhole: false }))];
}

async function mutate({ group, files }: Request): Promise<MutantResult[]> {
  process.env.MUTATION_TESTS = listTests(groups[group]).join(',');
  const options: PartialStrykerOptions = {
    mutate: [...files],
    testRunner: 'vitest',
    plugins: [import.meta.resolve('@stryker-mutator/vitest-runner')],
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    // What runs once, when a file is loaded, is read by all tests: each such mutant would need all of them.
    ignoreStatic: true,
    concurrency: 2,
    // Long, so that on a busy machine only an endless loop runs out of it.
    timeoutMS: 30_000,
    timeoutFactor: 3,
    dryRunTimeoutMinutes: 20,
    reporters: ['progress-append-only'],
    tempDirName: '.cache/mutation',
    ignorePatterns: ['/bench', '/coverage'],
    allowConsoleColors: false,
    warnings: false,
    logLevel: 'warn' as LogLevel,
  };
  return new Stryker(options).runMutationTest();
}

interface Survivor {
  readonly file: string;
  readonly line: number;
  readonly code: string;
  readonly instead: string;
  /** Whether a test of the group comes by the line. */
  readonly reached: boolean;
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
      file: relative(root, fileName),
      line: location.start.line,
      code: shorten(text.slice(start, end)),
      instead: shorten(replacement),
      reached: result.status === 'Survived',
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
  const results = await mutate(request);
  const survivors = listSurvivors(results);
  for (const { file, line, code, instead, reached } of survivors) {
    process.stdout.write(`${file}:${line}  ${code}  →  ${instead}${reached ? '' : '  (not reached)'}\n`);
  }
  const killed = results.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  const score = (100 * killed) / (killed + survivors.length);
  const { minimumScore }: Group = groups[request.group];
  process.stdout.write(
    `${request.group}: ${score.toFixed(1)} per cent (${killed} killed, ${survivors.length} survived)\n`,
  );
  if (request.isWhole && minimumScore !== undefined && score < minimumScore) {
    process.stdout.write(`${request.group} must have ${minimumScore} per cent\n`);
    process.exitCode = 1;
  }
}
