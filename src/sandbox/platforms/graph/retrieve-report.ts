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
  readApplicationFilter,
  readSelectedColumns,
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
  const refusal = refuseMissingPermission(context, 'DeviceManagementApps.Read.All');
  if (refusal !== undefined) {
    return refusal;
  }
  const fault = injectActionFault(context);
  if (fault !== undefined) {
    return fault;
  }
  const body = readJsonBody(request);
  const app = readApplicationFilter(body.filter);
  if (app === undefined) {
    return respondBadRequest('Required filter ApplicationId is missing.');
  }
  const columns = readSelectedColumns(body.select);
  if (columns === undefined) {
    return respondBadRequest('UnknownError');
  }
  const all = sortReportRows(listReportRows(context, app), body.orderBy);
  const rows = selectReportPage(context.faults.find('graph', 'rows-hidden')?.lasting ? hideReportRows(all) : all, body);
  return (
    refuseSlowPage(context.faults, 'graph', rows.length, 'report') ??
    respondBinary(JSON.stringify(toReportBody(rows, columns, all.length)))
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

function selectReportPage(
  rows: readonly SimulatedReportRow[],
  body: Readonly<Record<string, unknown>>,
): readonly SimulatedReportRow[] {
  const skip = toWholeNumber(body.skip, 0);
  const top = Math.min(toWholeNumber(body.top, 0) || defaultReportPageSize, maximumReportPageSize);
  return rows.slice(skip, skip + top);
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
