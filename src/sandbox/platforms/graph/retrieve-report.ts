/** The synchronous action for the same report: rows in arrays, 50 unless asked for more, as an octet stream. */

import { serverError } from '../../control/inject-faults.ts';
import type { World } from '../platform-context.ts';
import { type Answer, type Exchange, jsonBody, text, whole } from '../request.ts';
import { badRequest, withoutPermission } from './graph-errors.ts';
import { appRows, columns, filteredApp, hideRows, numeric, type ReportRow } from './report-rows.ts';

const path = /^\/v1\.0\/deviceManagement\/reports\/(?:microsoft\.graph\.)?retrieveDeviceAppInstallationStatusReport$/;
/** The real largest page is not documented; 999 is known to work. */
const largestPage = 1000;

function ordered(rows: ReportRow[], orderBy: unknown): ReportRow[] {
  const first = Array.isArray(orderBy) ? text(orderBy[0]) : '';
  const [column = '', direction = 'asc'] = first.split(' ');
  if (column === '') {
    return rows;
  }
  const sign = direction === 'desc' ? -1 : 1;
  const key = (row: ReportRow) => String(row[column] ?? '');
  return [...rows].sort((one, other) => (key(one) < key(other) ? -sign : key(one) > key(other) ? sign : 0));
}

export function retrieveRoute(world: World, exchange: Exchange): Answer | undefined {
  if (!path.test(exchange.path) || exchange.method !== 'POST') {
    return undefined;
  }
  const refusal = withoutPermission(world, 'DeviceManagementApps.Read.All');
  if (refusal !== undefined) {
    return refusal;
  }
  const request = jsonBody(exchange);
  const app = filteredApp(request.filter);
  if (app === undefined) {
    return badRequest('Required filter ApplicationId is missing.');
  }
  const asked: unknown = request.select;
  const select = Array.isArray(asked) && asked.length > 0 ? asked.map(String) : [...columns];
  if (!select.every((name) => (columns as readonly string[]).includes(name))) {
    return badRequest('UnknownError');
  }
  const all = ordered(appRows(world, app), request.orderBy);
  const shown = world.faults.find('graph', 'rows-hidden')?.lasting ? hideRows(all) : all;
  const skip = whole(request.skip, 0);
  const top = Math.min(whole(request.top, 50) || 50, largestPage);
  const rows = shown.slice(skip, skip + top);
  const slow = world.faults.find('graph', 'slow-pages');
  if (
    slow !== undefined &&
    rows.length > (slow.number ?? 100) &&
    world.faults.strike('graph', 'slow-pages', 'report') !== undefined
  ) {
    return serverError('graph', 504);
  }
  const body = {
    TotalRowCount: all.length,
    Schema: select.map((column) => ({ Column: column, PropertyType: numeric.has(column) ? 'Int64' : 'String' })),
    Values: rows.map((row) => select.map((column) => row[column] ?? null)),
    SessionId: '',
  };
  return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: JSON.stringify(body) };
}
