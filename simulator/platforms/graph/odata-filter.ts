/** Parses OData's $filter as far as clients use it: equal texts, dates before or after another, joined by `and`. */
import { Refusal } from '../response.ts';
import { respondBadRequest } from './graph-errors.ts';

export interface FilterClause {
  readonly name: string;
  readonly operator: string;
  readonly value: string;
}

/** Properties of a row; null where one has no value, which no comparison matches. */
export type FilterProperties<Row> = Readonly<Record<string, (row: Row) => string | null>>;

const clausePattern = /(\w+) (?:(eq) '((?:[^']|'')*)'|(gt|lt) (\d{4}-\d\d-\d\dT[\d:.]+Z))(?: and |$)/y;

/** Parses a filter; none gives no clause. Refuses what it does not understand. */
export function parseFilter(query: URLSearchParams): FilterClause[] {
  const filter = query.get('$filter') ?? '';
  const clauses: FilterClause[] = [];
  const pattern = new RegExp(clausePattern);
  while (pattern.lastIndex < filter.length) {
    const [, name = '', equal, text = '', order = '', date = ''] = pattern.exec(filter) ?? refuseFilter(filter);
    const value = equal === undefined ? date : text.replaceAll("''", "'");
    clauses.push({ name, operator: equal ?? order, value });
  }
  return clauses;
}

export function filterRows<Row>(
  rows: readonly Row[],
  clauses: readonly FilterClause[],
  properties: FilterProperties<Row>,
): readonly Row[] {
  return clauses.reduce((kept, clause) => {
    const read = Object.hasOwn(properties, clause.name) ? properties[clause.name] : undefined;
    return read === undefined ? refuseFilter(clause.name) : kept.filter((row) => isMatch(read(row), clause));
  }, rows);
}

function isMatch(text: string | null, { operator, value }: FilterClause): boolean {
  if (text === null) {
    return false;
  }
  if (operator === 'eq') {
    return text.toLowerCase() === value.toLowerCase();
  }
  // Without the zone, which is always UTC, dates sort as texts, with any fraction.
  const [date, bound] = [text.replace('Z', ''), value.replace('Z', '')];
  return operator === 'gt' ? date > bound : date < bound;
}

function refuseFilter(what: string): never {
  throw new Refusal(respondBadRequest(`Invalid filter clause: ${what}`));
}
