/** OData's $filter as far as clients write it: one property that equals a text. */
import type { PlatformRequest } from '../request.ts';
import { Refusal } from '../response.ts';
import { respondBadRequest } from './graph-errors.ts';

/** The rows that the request's filter keeps; all of them without one. */
export function filterRows<Row>(
  { query }: PlatformRequest,
  rows: readonly Row[],
  properties: Readonly<Record<string, (row: Row) => string>>,
): readonly Row[] {
  const filter = query.get('$filter');
  if (filter === null) {
    return rows;
  }
  const [, name = '', wanted = ''] = /^(\w+) eq '((?:[^']|'')*)'$/.exec(filter) ?? [];
  const read = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (read === undefined) {
    throw new Refusal(respondBadRequest(`Invalid filter clause: ${filter}`));
  }
  const text = wanted.replaceAll("''", "'").toLowerCase();
  return rows.filter((row) => read(row).toLowerCase() === text);
}
