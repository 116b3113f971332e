/** RSQL as Jamf's filter parameter takes it: comparisons joined by and/or, `;` or `,`, with brackets and wildcards. */

export type FieldValue = string | number | boolean | null;
export type Fields<Row> = Readonly<Record<string, (row: Row) => FieldValue>>;
type Predicate<Row> = (row: Row) => boolean;

export class FilterError extends Error {}

type Operator = '=in=' | '=out=' | '=gt=' | '=ge=' | '=lt=' | '=le=' | '==' | '!=' | '>=' | '<=' | '>' | '<';

function matchesText(actual: string, wanted: string): boolean {
  if (!wanted.includes('*')) {
    return actual.toLowerCase() === wanted.toLowerCase();
  }
  const pattern = wanted
    .split('*')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${pattern}$`, 'is').test(actual);
}

function compare(actual: FieldValue, wanted: string): number {
  if (typeof actual === 'number') {
    return actual - Number(wanted);
  }
  const date = Date.parse(String(actual)) - Date.parse(wanted);
  return Number.isNaN(date) ? (String(actual) < wanted ? -1 : String(actual) > wanted ? 1 : 0) : date;
}

function test(operator: Operator, actual: FieldValue, wanted: readonly string[]): boolean {
  const first = wanted[0] ?? '';
  const equal = (value: string) =>
    actual !== null && (typeof actual === 'number' ? actual === Number(value) : matchesText(String(actual), value));
  switch (operator) {
    case '==':
      return equal(first);
    case '!=':
      return !equal(first);
    case '=in=':
      return wanted.some(equal);
    case '=out=':
      return !wanted.some(equal);
    default: {
      const difference = actual === null ? Number.NaN : compare(actual, first);
      const larger = operator === '>' || operator === '=gt=' || operator === '>=' || operator === '=ge=';
      const orEqual = operator === '>=' || operator === '<=' || operator === '=ge=' || operator === '=le=';
      return (larger ? difference > 0 : difference < 0) || (orEqual && difference === 0);
    }
  }
}

interface Reader {
  rest: string;
}

function take(reader: Reader, pattern: RegExp): string | undefined {
  const match = pattern.exec(reader.rest);
  if (match === null || match.index !== 0) {
    return undefined;
  }
  reader.rest = reader.rest.slice(match[0].length);
  return match[1] ?? match[0];
}

function takeValue(reader: Reader): string {
  const quoted = take(reader, /^\s*"((?:[^"\\]|\\.)*)"/) ?? take(reader, /^\s*'((?:[^'\\]|\\.)*)'/);
  if (quoted !== undefined) {
    return quoted.replace(/\\(.)/g, '$1');
  }
  const bare = take(reader, /^\s*([^\s"'(),;]+)/);
  if (bare === undefined) {
    throw new FilterError(`a value is missing before "${reader.rest}"`);
  }
  return bare;
}

function takeValues(reader: Reader): string[] {
  if (take(reader, /^\s*\(/) === undefined) {
    return [takeValue(reader)];
  }
  const values = [takeValue(reader)];
  while (take(reader, /^\s*,/) !== undefined) {
    values.push(takeValue(reader));
  }
  if (take(reader, /^\s*\)/) === undefined) {
    throw new FilterError('a bracket is not closed');
  }
  return values;
}

function comparison<Row>(reader: Reader, fields: Fields<Row>): Predicate<Row> {
  if (take(reader, /^\s*\(/) !== undefined) {
    const inner = disjunction(reader, fields);
    if (take(reader, /^\s*\)/) === undefined) {
      throw new FilterError('a bracket is not closed');
    }
    return inner;
  }
  const name = take(reader, /^\s*([\w.]+)/) ?? '';
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field === undefined) {
    throw new FilterError(`the field "${name}" cannot be filtered`);
  }
  const operator = take(reader, /^\s*(=in=|=out=|=gt=|=ge=|=lt=|=le=|==|!=|>=|<=|>|<)/) as Operator | undefined;
  if (operator === undefined) {
    throw new FilterError(`an operator is missing after "${name}"`);
  }
  const values = takeValues(reader);
  return (row) => test(operator, field(row), values);
}

function conjunction<Row>(reader: Reader, fields: Fields<Row>): Predicate<Row> {
  const parts = [comparison(reader, fields)];
  while (take(reader, /^\s*(?:;|and\b)/i) !== undefined) {
    parts.push(comparison(reader, fields));
  }
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : (row) => parts.every((part) => part(row));
}

function disjunction<Row>(reader: Reader, fields: Fields<Row>): Predicate<Row> {
  const parts = [conjunction(reader, fields)];
  while (take(reader, /^\s*(?:,|or\b)/i) !== undefined) {
    parts.push(conjunction(reader, fields));
  }
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : (row) => parts.some((part) => part(row));
}

export function parseFilter<Row>(text: string, fields: Fields<Row>): Predicate<Row> {
  const reader = { rest: text };
  const predicate = disjunction(reader, fields);
  if (reader.rest.trim() !== '') {
    throw new FilterError(`"${reader.rest}" is left over`);
  }
  return predicate;
}
