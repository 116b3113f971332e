/** Jamf's paging: page and page-size (silently limited), sort and filter, totalCount and results. */
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, toWholeNumber } from '../request.ts';
import { type PlatformResponse, respondJson } from '../response.ts';
import { respondApiError } from './jamf-errors.ts';
import { type FieldValue, type FilterFields, parseRsqlFilter, RsqlError } from './rsql-filter.ts';

const defaultJamfPageSize = 100;

/** One page of a short list. */
export function respondPage<Row>(
  context: PlatformContext,
  request: PlatformRequest,
  rows: readonly Row[],
  toBody: (row: Row) => unknown,
  fields: FilterFields<Row>,
): PlatformResponse {
  try {
    const filter = request.query.get('filter') ?? '';
    const kept = filter === '' ? rows : rows.filter(parseRsqlFilter(filter, fields));
    const ordered = sortJamfRows(kept, readSortKeys(request, 'id:asc'), fields);
    const { page, size } = readPageQuery(context, request);
    const results = ordered.slice(page * size, (page + 1) * size).map(toBody);
    return respondJson(200, { totalCount: ordered.length, results });
  } catch (error) {
    return respondInvalidFilter(error);
  }
}

/** Sorts a copy; throws RsqlError for a field that cannot be sorted by. */
export function sortJamfRows<Row>(rows: readonly Row[], keys: readonly string[], fields: FilterFields<Row>): Row[] {
  const steps = keys.map((key) => {
    const [name = '', direction = 'asc'] = key.split(/[:.](?=asc$|desc$)/);
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) {
      throw new RsqlError(`the field "${name}" cannot be sorted by`);
    }
    return { field, sign: direction === 'desc' ? -1 : 1 };
  });
  return [...rows].sort((one, other) => {
    for (const step of steps) {
      const difference = compareFieldValues(step.field(one), step.field(other)) * step.sign;
      if (difference !== 0) {
        return difference;
      }
    }
    return 0;
  });
}

function compareFieldValues(one: FieldValue, other: FieldValue): number {
  if (one === null || other === null) {
    return one === other ? 0 : one === null ? -1 : 1;
  }
  if (typeof one === 'number' && typeof other === 'number') {
    return one - other;
  }
  const left = String(one).toLowerCase();
  const right = String(other).toLowerCase();
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The keys to sort by, in order. */
export function readSortKeys(request: PlatformRequest, otherwise: string): string[] {
  const keys = request.query.getAll('sort').flatMap((value) => value.split(','));
  return keys.length === 0 ? [otherwise] : keys;
}

/** The server does not report that it limits the size (jamf-cli, "all ignored page size"). */
export function readPageQuery(
  { jamfOptions }: PlatformContext,
  { query }: PlatformRequest,
): { page: number; size: number } {
  const requested = toWholeNumber(query.get('page-size'), 0) || defaultJamfPageSize;
  return { page: toWholeNumber(query.get('page'), 0), size: Math.min(requested, jamfOptions.pageCap) };
}

export function respondInvalidFilter(error: unknown): PlatformResponse {
  if (error instanceof RsqlError) {
    return respondApiError(400, 'INVALID_FIELD', error.message, 'filter');
  }
  throw error;
}
