/** Jamf's paging: page and page-size (clamped without a word), sort and filter, totalCount and results. */

import type { World } from '../platform-context.ts';
import { type Answer, type Exchange, json, whole } from '../request.ts';
import { apiError } from './jamf-errors.ts';
import { type Fields, type FieldValue, FilterError, parseFilter } from './rsql-filter.ts';

interface PageQuestion {
  readonly page: number;
  readonly size: number;
}

/** The server's cap is never mentioned in an answer (jamf-cli, "all ignored page size"). */
export function pageQuestion(world: World, exchange: Exchange): PageQuestion {
  const asked = whole(exchange.query.get('page-size'), 100);
  return {
    page: whole(exchange.query.get('page'), 0),
    size: Math.min(asked === 0 ? 100 : asked, world.jamfOptions.pageCap),
  };
}

/** The keys to sort by, in order. */
export function sortKeys(exchange: Exchange, otherwise: string): string[] {
  const keys = exchange.query.getAll('sort').flatMap((value) => value.split(','));
  return keys.length === 0 ? [otherwise] : keys;
}

function order(one: FieldValue, other: FieldValue): number {
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

/** Sorts a copy; throws FilterError where a key cannot be sorted by. */
export function sorted<Row>(rows: readonly Row[], keys: readonly string[], fields: Fields<Row>): Row[] {
  const steps = keys.map((key) => {
    const [name = '', direction = 'asc'] = key.split(/[:.](?=asc$|desc$)/);
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) {
      throw new FilterError(`the field "${name}" cannot be sorted by`);
    }
    return { field, sign: direction === 'desc' ? -1 : 1 };
  });
  return [...rows].sort((one, other) => {
    for (const step of steps) {
      const difference = order(step.field(one), step.field(other)) * step.sign;
      if (difference !== 0) {
        return difference;
      }
    }
    return 0;
  });
}

export function badFilter(error: unknown): Answer {
  if (error instanceof FilterError) {
    return apiError(400, 'INVALID_FIELD', error.message, 'filter');
  }
  throw error;
}

/** One page of a short list. */
export function pageOf<Row>(
  world: World,
  exchange: Exchange,
  rows: readonly Row[],
  body: (row: Row) => unknown,
  fields: Fields<Row>,
): Answer {
  try {
    const filter = exchange.query.get('filter') ?? '';
    const kept = filter === '' ? rows : rows.filter(parseFilter(filter, fields));
    const ordered = sorted(kept, sortKeys(exchange, 'id:asc'), fields);
    const { page, size } = pageQuestion(world, exchange);
    const results = ordered.slice(page * size, (page + 1) * size).map(body);
    return json(200, { totalCount: ordered.length, results });
  } catch (error) {
    return badFilter(error);
  }
}
