/** Jamf's lists: filter, sort, page and page-size (silently limited), then totalCount and results. */
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, toWholeNumber } from '../request.ts';
import { type PlatformResponse, Refusal, respondJson } from '../response.ts';
import { respondApiError } from './jamf-errors.ts';

type FieldValue = string | number | null;

/** The fields by which rows can be filtered and sorted. */
export type Fields<Row> = Readonly<Record<string, (row: Row) => FieldValue>>;

const defaultPageSize = 100;

/** One page of a short list. */
export function respondPage<Row>(
  context: PlatformContext,
  { query }: PlatformRequest,
  rows: readonly Row[],
  toBody: (row: Row) => unknown,
  fields: Fields<Row>,
): PlatformResponse {
  const selected = selectRows(query, rows, fields, 'id:asc');
  return respondJson(200, { totalCount: selected.length, results: cutPage(context, query, selected).map(toBody) });
}

/** The rows that pass the filter, in the requested order. */
export function selectRows<Row>(
  query: URLSearchParams,
  rows: readonly Row[],
  fields: Fields<Row>,
  usualSort: string,
): Row[] {
  const filter = query.get('filter');
  const kept = filter === null ? rows : rows.filter(parseFilter(filter, fields));
  const [name = '', direction] = (query.get('sort') ?? usualSort).split(':');
  const read = requireField(fields, name);
  const sign = direction === 'desc' ? -1 : 1;
  return [...kept].sort((one, other) => sign * compareValues(read(one), read(other)));
}

/** Parses RSQL as far as clients use it: one comparison with a text, in which a star matches anything, or with ids. */
function parseFilter<Row>(filter: string, fields: Fields<Row>): (row: Row) => boolean {
  const [, name = '', text, ids] = /^([\w.]+)=(?:="((?:[^"\\]|\\.)*)"|in=\(([\d,]+)\))$/.exec(filter) ?? [];
  const read = requireField(fields, name);
  if (ids !== undefined) {
    const wanted = new Set(ids.split(','));
    return (row) => wanted.has(String(read(row)));
  }
  const literal = (text ?? '').replace(/\\(.)/g, '$1').replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  const matcher = new RegExp(`^${literal.replaceAll('*', '.*')}$`, 'is');
  return (row) => matcher.test(String(read(row)));
}

function requireField<Row>(fields: Fields<Row>, name: string): (row: Row) => FieldValue {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field === undefined) {
    throw new Refusal(respondApiError(400, 'INVALID_FIELD', `the field "${name}" cannot be used`, 'filter'));
  }
  return field;
}

function compareValues(one: FieldValue, other: FieldValue): number {
  if (typeof one === 'number' && typeof other === 'number') {
    return one - other;
  }
  const [left, right] = [String(one ?? '').toLowerCase(), String(other ?? '').toLowerCase()];
  return left < right ? -1 : left > right ? 1 : 0;
}

export function cutPage<Row>(context: PlatformContext, query: URLSearchParams, rows: readonly Row[]): readonly Row[] {
  const page = toWholeNumber(query.get('page'), 0);
  const size = readPageSize(context, query);
  return rows.slice(page * size, (page + 1) * size);
}

/** The page size, which the server limits silently (jamf-cli, "all ignored page size"). */
export function readPageSize({ jamfOptions }: PlatformContext, query: URLSearchParams): number {
  return Math.min(toWholeNumber(query.get('page-size'), 0) || defaultPageSize, jamfOptions.pageCap);
}
