/** RSQL in Jamf's filter parameter: comparisons joined by and/or, `;` or `,`, with brackets and wildcards. */

export type FieldValue = string | number | boolean | null;
export type FilterFields<Row> = Readonly<Record<string, (row: Row) => FieldValue>>;
type Predicate<Row> = (row: Row) => boolean;

export class RsqlError extends Error {}

type Operator = '=in=' | '=out=' | '=gt=' | '=ge=' | '=lt=' | '=le=' | '==' | '!=' | '>=' | '<=' | '>' | '<';

interface FilterText {
  rest: string;
}

export function parseRsqlFilter<Row>(text: string, fields: FilterFields<Row>): Predicate<Row> {
  const reader = { rest: text };
  const predicate = parseDisjunction(reader, fields);
  if (reader.rest.trim() !== '') {
    throw new RsqlError(`"${reader.rest}" is left over`);
  }
  return predicate;
}

function parseDisjunction<Row>(reader: FilterText, fields: FilterFields<Row>): Predicate<Row> {
  const parts = parseParts(reader, /^\s*(?:,|or\b)/i, () => parseConjunction(reader, fields));
  return (row) => parts.some((part) => part(row));
}

function parseConjunction<Row>(reader: FilterText, fields: FilterFields<Row>): Predicate<Row> {
  const parts = parseParts(reader, /^\s*(?:;|and\b)/i, () => parseComparison(reader, fields));
  return (row) => parts.every((part) => part(row));
}

function parseParts<Part>(reader: FilterText, joint: RegExp, parse: () => Part): Part[] {
  const parts = [parse()];
  while (consumePattern(reader, joint) !== undefined) {
    parts.push(parse());
  }
  return parts;
}

function parseComparison<Row>(reader: FilterText, fields: FilterFields<Row>): Predicate<Row> {
  if (consumePattern(reader, /^\s*\(/) !== undefined) {
    const inner = parseDisjunction(reader, fields);
    if (consumePattern(reader, /^\s*\)/) === undefined) {
      throw new RsqlError('a bracket is not closed');
    }
    return inner;
  }
  const name = consumePattern(reader, /^\s*([\w.]+)/) ?? '';
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field === undefined) {
    throw new RsqlError(`the field "${name}" cannot be filtered`);
  }
  const operator = consumePattern(reader, /^\s*(=in=|=out=|=gt=|=ge=|=lt=|=le=|==|!=|>=|<=|>|<)/) as
    | Operator
    | undefined;
  if (operator === undefined) {
    throw new RsqlError(`an operator is missing after "${name}"`);
  }
  const values = readValues(reader);
  return (row) => matchesComparison(operator, field(row), values);
}

function readValues(reader: FilterText): string[] {
  if (consumePattern(reader, /^\s*\(/) === undefined) {
    return [readValue(reader)];
  }
  const values = parseParts(reader, /^\s*,/, () => readValue(reader));
  if (consumePattern(reader, /^\s*\)/) === undefined) {
    throw new RsqlError('a bracket is not closed');
  }
  return values;
}

function readValue(reader: FilterText): string {
  const quoted = consumePattern(reader, /^\s*"((?:[^"\\]|\\.)*)"/) ?? consumePattern(reader, /^\s*'((?:[^'\\]|\\.)*)'/);
  if (quoted !== undefined) {
    return quoted.replace(/\\(.)/g, '$1');
  }
  const bare = consumePattern(reader, /^\s*([^\s"'(),;]+)/);
  if (bare === undefined) {
    throw new RsqlError(`a value is missing before "${reader.rest}"`);
  }
  return bare;
}

function matchesComparison(operator: Operator, actual: FieldValue, wanted: readonly string[]): boolean {
  const first = wanted[0] ?? '';
  const isEqual = (value: string) =>
    actual !== null && (typeof actual === 'number' ? actual === Number(value) : matchesText(String(actual), value));
  switch (operator) {
    case '==':
      return isEqual(first);
    case '!=':
      return !isEqual(first);
    case '=in=':
      return wanted.some(isEqual);
    case '=out=':
      return !wanted.some(isEqual);
    default: {
      const difference = actual === null ? Number.NaN : compareWithText(actual, first);
      const larger = operator === '>' || operator === '=gt=' || operator === '>=' || operator === '=ge=';
      const orEqual = operator === '>=' || operator === '<=' || operator === '=ge=' || operator === '=le=';
      return (larger ? difference > 0 : difference < 0) || (orEqual && difference === 0);
    }
  }
}

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

function compareWithText(actual: FieldValue, wanted: string): number {
  if (typeof actual === 'number') {
    return actual - Number(wanted);
  }
  const date = Date.parse(String(actual)) - Date.parse(wanted);
  return Number.isNaN(date) ? (String(actual) < wanted ? -1 : String(actual) > wanted ? 1 : 0) : date;
}

function consumePattern(reader: FilterText, pattern: RegExp): string | undefined {
  const match = pattern.exec(reader.rest);
  if (match === null || match.index !== 0) {
    return undefined;
  }
  reader.rest = reader.rest.slice(match[0].length);
  return match[1] ?? match[0];
}
