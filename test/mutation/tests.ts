/**
 * What test files of this project take from Vitest, to run them many times over in one process: a start of Vitest for
 * each changed line of the program takes a second, the tests of a rule take milliseconds. Files are told to import this
 * module in place of `vitest` by the runner beside it. Matchers are Vitest's own.
 */
import { format } from 'node:util';
import * as vitest from 'vitest';

interface Context {
  readonly skip: (condition?: boolean | string) => void;
  readonly onTestFinished: (work: Work) => void;
}

type Work = () => unknown;

export interface Test {
  readonly name: string;
  readonly run: (context: Context) => unknown;
}

export interface Suite {
  readonly name: string;
  readonly entries: (Suite | Test)[];
  readonly beforeAll: Work[];
  readonly beforeEach: Work[];
  readonly afterEach: Work[];
  readonly afterAll: Work[];
}

export function createSuite(name: string): Suite {
  return { name, entries: [], beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] };
}

let suite = createSuite('');

/** Everything that a file declares while it is loaded. */
export async function collect(load: () => Promise<unknown>): Promise<Suite> {
  suite = createSuite('');
  const root = suite;
  await load();
  return root;
}

function declareSuite(name: string, ...rest: readonly unknown[]): void {
  const outer = suite;
  const inner = createSuite(name);
  outer.entries.push(inner);
  suite = inner;
  try {
    findBody(rest)();
  } finally {
    suite = outer;
  }
}

function declareTest(name: string, ...rest: readonly unknown[]): void {
  const body = findBody(rest) as (context: Context) => unknown;
  suite.entries.push({ name, run: (context) => body(context) });
}

function findBody(values: readonly unknown[]): (...values: unknown[]) => unknown {
  const body = values.find((value) => typeof value === 'function');
  if (body === undefined) {
    throw new Error('a test or a suite without a function');
  }
  return body as (...values: unknown[]) => unknown;
}

type Declare = (name: string, ...rest: readonly unknown[]) => void;

/** `it.each(rows)(name, body)`: a row that is a list is spread. */
function declareEach(declare: Declare) {
  return (rows: readonly unknown[]) =>
    (name: string, ...rest: readonly unknown[]): void => {
      const body = findBody(rest);
      for (const row of rows) {
        const values = Array.isArray(row) ? row : [row];
        declare(nameRow(name, values), () => body(...values));
      }
    };
}

/** `it.for(rows)(name, body)`: a row is one argument, the context the second. */
function declareFor(rows: readonly unknown[]) {
  return (name: string, ...rest: readonly unknown[]): void => {
    const body = findBody(rest);
    for (const row of rows) {
      declareTest(nameRow(name, Array.isArray(row) ? row : [row]), (context: Context) => body(row, context));
    }
  };
}

function nameRow(name: string, values: readonly unknown[]): string {
  return format(name, ...values.slice(0, name.match(/%[a-z]/g)?.length ?? 0));
}

export const describe = Object.assign(declareSuite, { each: declareEach(declareSuite) });
const variants = { each: declareEach(declareTest), for: declareFor };
export const test = Object.assign(declareTest, variants);
export const it = Object.assign(declareTest, variants);

export const beforeAll = (work: Work) => suite.beforeAll.push(work);
export const beforeEach = (work: Work) => suite.beforeEach.push(work);
export const afterEach = (work: Work) => suite.afterEach.push(work);
export const afterAll = (work: Work) => suite.afterAll.push(work);
export const { expect, vi } = vitest;
