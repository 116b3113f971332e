/** The synchronous action for the same report: rows in arrays, 50 unless more are requested, as an octet stream. */
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, readJsonBody, toWholeNumber } from '../request.ts';
import { type PlatformResponse, Refusal, respondBinary } from '../response.ts';
import { refuseSlowPage } from '../transient-errors.ts';
import { respondBadRequest, respondForbidden, respondGraphError } from './graph-errors.ts';
import {
  hideReportRows,
  listReportRows,
  readReportQuery,
  reportColumns,
  type SimulatedReportRow,
} from './report-rows.ts';

/** The real largest page is not documented; 999 is known to work. */
const maximumReportPageSize = 1000;
const defaultReportPageSize = 50;

export function respondReport(context: PlatformContext, request: PlatformRequest): PlatformResponse {
  refuseAction(context);
  const body = readJsonBody(request);
  const query = readReportQuery(body);
  const all = listReportRows(context, query.application);
  if (Array.isArray(body.orderBy)) {
    all.sort((one, other) => (String(one.DeviceId) < String(other.DeviceId) ? -1 : 1));
  }
  const shown = context.faults.find('graph', 'rows-hidden')?.lasting ? hideReportRows(all) : all;
  const skip = toWholeNumber(body.skip, 0);
  const top = Math.min(toWholeNumber(body.top, 0) || defaultReportPageSize, maximumReportPageSize);
  const rows = shown.slice(skip, skip + top);
  refuseSlowPage(context.faults, 'graph', rows.length, 'report');
  return respondBinary(JSON.stringify(toReportBody(rows, query.columns, all.length)));
}

/** Refuses the action with HTTP 500: it is gone, forbidden to this application, or throttled. */
function refuseAction({ faults }: PlatformContext): void {
  if (faults.inject('graph', 'action-gone') !== undefined) {
    const segment = 'retrieveDeviceAppInstallationStatusReport';
    throw new Refusal(respondBadRequest(`Resource not found for the segment '${segment}'.`));
  }
  if (faults.inject('graph', 'action-refused') !== undefined) {
    throw new Refusal(respondForbidden());
  }
  if (faults.inject('graph', 'action-throttled') !== undefined) {
    const sentence = 'Rate limit reached because of too many requests to query broker. Please retry after sometime.';
    throw new Refusal(respondGraphError(500, 'InternalServerError', sentence));
  }
}

function toReportBody(
  rows: readonly SimulatedReportRow[],
  columns: readonly string[],
  totalRowCount: number,
): Record<string, unknown> {
  return {
    TotalRowCount: totalRowCount,
    Schema: columns.map((column) => ({ Column: column, PropertyType: reportColumns[column] })),
    Values: rows.map((row) => columns.map((column) => row[column] ?? null)),
    SessionId: '',
  };
}
