/** The synchronous action for the same report: rows in arrays, 50 unless asked for more, as an octet stream. */
import { respondServerError } from '../../control/inject-faults.ts';
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, type PlatformResponse, readJsonBody, toText, toWholeNumber } from '../request.ts';
import { refuseMissingPermission, respondBadRequest } from './graph-errors.ts';
import {
  hideReportRows,
  listReportRows,
  numericColumns,
  type ReportRow,
  readApplicationFilter,
  reportColumns,
} from './report-rows.ts';

const retrievePath =
  /^\/v1\.0\/deviceManagement\/reports\/(?:microsoft\.graph\.)?retrieveDeviceAppInstallationStatusReport$/;
/** The real largest page is not documented; 999 is known to work. */
const maximumPageSize = 1000;

export function routeReportRetrieval(
  context: PlatformContext,
  exchange: PlatformRequest,
): PlatformResponse | undefined {
  if (!retrievePath.test(exchange.path) || exchange.method !== 'POST') {
    return undefined;
  }
  const refusal = refuseMissingPermission(context, 'DeviceManagementApps.Read.All');
  if (refusal !== undefined) {
    return refusal;
  }
  const request = readJsonBody(exchange);
  const app = readApplicationFilter(request.filter);
  if (app === undefined) {
    return respondBadRequest('Required filter ApplicationId is missing.');
  }
  const asked: unknown = request.select;
  const select = Array.isArray(asked) && asked.length > 0 ? asked.map(String) : [...reportColumns];
  if (!select.every((name) => (reportColumns as readonly string[]).includes(name))) {
    return respondBadRequest('UnknownError');
  }
  const all = sortReportRows(listReportRows(context, app), request.orderBy);
  const shown = context.faults.find('graph', 'rows-hidden')?.lasting ? hideReportRows(all) : all;
  const skip = toWholeNumber(request.skip, 0);
  const top = Math.min(toWholeNumber(request.top, 50) || 50, maximumPageSize);
  const rows = shown.slice(skip, skip + top);
  const slow = context.faults.find('graph', 'slow-pages');
  if (
    slow !== undefined &&
    rows.length > (slow.number ?? 100) &&
    context.faults.inject('graph', 'slow-pages', 'report') !== undefined
  ) {
    return respondServerError('graph', 504);
  }
  const body = {
    TotalRowCount: all.length,
    Schema: select.map((column) => ({ Column: column, PropertyType: numericColumns.has(column) ? 'Int64' : 'String' })),
    Values: rows.map((row) => select.map((column) => row[column] ?? null)),
    SessionId: '',
  };
  return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: JSON.stringify(body) };
}

function sortReportRows(rows: ReportRow[], orderBy: unknown): ReportRow[] {
  const first = Array.isArray(orderBy) ? toText(orderBy[0]) : '';
  const [column = '', direction = 'asc'] = first.split(' ');
  if (column === '') {
    return rows;
  }
  const sign = direction === 'desc' ? -1 : 1;
  const key = (row: ReportRow) => String(row[column] ?? '');
  return [...rows].sort((one, other) => (key(one) < key(other) ? -sign : key(one) > key(other) ? sign : 0));
}
