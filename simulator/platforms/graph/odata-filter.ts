/** The small part of OData's $filter that the simulated endpoints accept. */
import type { PlatformResponse } from '../response.ts';
import { respondBadRequest } from './graph-errors.ts';

type Property<Row> = (row: Row) => string;
type Properties<Row> = Readonly<Record<string, Property<Row>>>;

class ODataError extends Error {}

interface Clause {
  readonly property: string;
  readonly operator: string;
  readonly value: string;
}

const clausePattern = /^\s*\(?\s*(\w+)\s+(eq|ne|gt|ge|lt|le)\s+(?:'((?:[^']|'')*)'|([^\s'()]+))\s*\)?\s*/;

/** Answers a filter that cannot be parsed as Graph does. */
export function respondFiltered(respond: () => PlatformResponse): PlatformResponse {
  try {
    return respond();
  } catch (error) {
    if (error instanceof ODataError) {
      return respondBadRequest(error.message);
    }
    throw error;
  }
}

/** An empty filter keeps every row. */
export function parseODataFilter<Row>(text: string, properties: Properties<Row>): (row: Row) => boolean {
  if (text === '') {
    return () => true;
  }
  const alternatives: ((row: Row) => boolean)[][] = [[]];
  let rest = text;
  for (;;) {
    const { clause, rest: left } = parseClause(rest);
    const property = Object.hasOwn(properties, clause.property) ? properties[clause.property] : undefined;
    if (property === undefined) {
      throw new ODataError(`Could not find a property named '${clause.property}'.`);
    }
    alternatives.at(-1)?.push((row) => comparisons[clause.operator]?.(property(row), clause.value) === true);
    const joined = /^(and|or)\s+/.exec(left);
    if (joined === null) {
      if (left.trim() !== '') {
        throw new ODataError(`Invalid filter clause: ${left}`);
      }
      return (row) => alternatives.some((all) => all.every((test) => test(row)));
    }
    if (joined[1] === 'or') {
      alternatives.push([]);
    }
    rest = left.slice(joined[0].length);
  }
}

function parseClause(text: string): { clause: Clause; rest: string } {
  const match = clausePattern.exec(text);
  if (match === null) {
    throw new ODataError(`Invalid filter clause: ${text}`);
  }
  const value = match[3]?.replaceAll("''", "'") ?? match[4] ?? '';
  return {
    clause: { property: match[1] ?? '', operator: match[2] ?? '', value },
    rest: text.slice(match[0].length),
  };
}

const isEqual = (actual: string, wanted: string) => actual.toLowerCase() === wanted.toLowerCase();

const comparisons: Readonly<Record<string, (actual: string, wanted: string) => boolean>> = {
  eq: isEqual,
  // Intune accepts `ne` and returns what `eq` would (microsoft-graph-docs#15693).
  ne: isEqual,
  gt: (actual, wanted) => actual > wanted,
  ge: (actual, wanted) => actual >= wanted,
  lt: (actual, wanted) => actual < wanted,
  le: (actual, wanted) => actual <= wanted,
};
