/** The synchronous action for the same report: rows in arrays, 50 unless more are requested, as an octet stream. */
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, readJsonBody, toText, toWholeNumber } from '../request.ts';
import { type PlatformResponse, respondBinary } from '../response.ts';
import { refuseSlowPage } from '../transient-errors.ts';
import { refuseMissingPermission, respondBadRequest, respondForbidden, respondGraphError } from './graph-errors.ts';
import {
  hideReportRows,
  listReportRows,
  numericColumns,
  readReportQuery,
  type SimulatedReportRow,
} from './report-rows.ts';

const retrievePath =
  /^\/v1\.0\/deviceManagement\/reports\/(?:microsoft\.graph\.)?retrieveDeviceAppInstallationStatusReport$/;
/** The real largest page is not documented; 999 is known to work. */
const maximumReportPageSize = 1000;
const defaultReportPageSize = 50;

export function routeReportRetrieval(context: PlatformContext, request: PlatformRequest): PlatformResponse | undefined {
  if (!retrievePath.test(request.path) || request.method !== 'POST') {
    return undefined;
  }
  return (
    refuseMissingPermission(context, 'DeviceManagementApps.Read.All') ??
    injectActionFault(context) ??
    respondReport(context, request)
  );
}

function respondReport(context: PlatformContext, request: PlatformRequest): PlatformResponse {
  const body = readJsonBody(request);
  const query = readReportQuery(body);
  if ('status' in query) {
    return query;
  }
  const all = sortReportRows(listReportRows(context, query.application), body.orderBy);
  const shown = context.faults.find('graph', 'rows-hidden')?.lasting ? hideReportRows(all) : all;
  const skip = toWholeNumber(body.skip, 0);
  const top = Math.min(toWholeNumber(body.top, 0) || defaultReportPageSize, maximumReportPageSize);
  const rows = shown.slice(skip, skip + top);
  return (
    refuseSlowPage(context.faults, 'graph', rows.length, 'report') ??
    respondBinary(JSON.stringify(toReportBody(rows, query.columns, all.length)))
  );
}

/** The action is gone, refused to this application, or throttled: which the service says with HTTP 500. */
function injectActionFault({ faults }: PlatformContext): PlatformResponse | undefined {
  if (faults.inject('graph', 'action-gone') !== undefined) {
    return respondBadRequest("Resource not found for the segment 'retrieveDeviceAppInstallationStatusReport'.");
  }
  if (faults.inject('graph', 'action-refused') !== undefined) {
    return respondForbidden();
  }
  return faults.inject('graph', 'action-throttled') === undefined
    ? undefined
    : respondGraphError(
        500,
        'InternalServerError',
        'Rate limit reached because of too many requests to query broker. Please retry after sometime.',
      );
}

function sortReportRows(rows: SimulatedReportRow[], orderBy: unknown): SimulatedReportRow[] {
  const first = Array.isArray(orderBy) ? toText(orderBy[0]) : '';
  const [column = '', direction = 'asc'] = first.split(' ');
  if (column === '') {
    return rows;
  }
  const sign = direction === 'desc' ? -1 : 1;
  const key = (row: SimulatedReportRow) => String(row[column] ?? '');
  return [...rows].sort((one, other) => (key(one) < key(other) ? -sign : key(one) > key(other) ? sign : 0));
}

function toReportBody(
  rows: readonly SimulatedReportRow[],
  columns: readonly string[],
  totalRowCount: number,
): Record<string, unknown> {
  return {
    TotalRowCount: totalRowCount,
    Schema: columns.map((column) => ({
      Column: column,
      PropertyType: numericColumns.has(column) ? 'Int64' : 'String',
    })),
    Values: rows.map((row) => columns.map((column) => row[column] ?? null)),
    SessionId: '',
  };
}
