/**
 * The synchronous report action. It gives the total with which exported rows are compared, and the rows themselves
 * where no export is available. By default it sends 50 rows, as JSON declared `application/octet-stream`:
 * https://learn.microsoft.com/graph/api/intune-reporting-devicemanagementreports-retrievedeviceappinstallationstatusreport
 */

import { MusterError } from '../../../base/errors.ts';
import { formatCount } from '../../../core/text/format-count.ts';
import { pluralize } from '../../../core/text/pluralize.ts';
import { parseJson } from '../../../http/body.ts';
import { readConsistently } from '../../reading/attempt.ts';
import { Pace } from '../../reading/pace.ts';
import type { WalkPage } from '../../reading/received-pages.ts';
import { walkPages } from '../../reading/walk.ts';
import type { Graph } from '../client.ts';
import { createColumnChoice, parseReportPage, type ReportRow } from './rows.ts';

const installReportPath = '/v1.0/deviceManagement/reports/retrieveDeviceAppInstallationStatusReport';
const rowsPerPage = 500;
/** Milliseconds in which the service is expected to send a page. */
const pageTimeout = 30_000;

export function buildAppFilter(appId: string): string {
  return `(ApplicationId eq '${appId}')`;
}

/** The service's own number of rows. */
export async function readTotal(graph: Graph, appId: string): Promise<number> {
  const choose = createColumnChoice();
  return (await choose((columns) => readReportPage(graph, appId, { page: 0, size: 1, columns }))).total;
}

/** Receives the numbers of a report; `total` is the second opinion's, undefined before it is known. */
export type OnCounted = (report: { readonly rows: number; readonly total: number | undefined }) => void;

/** Reads exactly as many rows as the service counts, none of them on two pages; otherwise throws. */
export function readReportRows(graph: Graph, appId: string, onCounted: OnCounted): Promise<readonly ReportRow[]> {
  return readConsistently(['paging-broken', 'rows-missing'], () => walkReport(graph, appId, onCounted));
}

async function walkReport(graph: Graph, appId: string, onCounted: OnCounted): Promise<readonly ReportRow[]> {
  const choose = createColumnChoice();
  const readPage = (page: number, size: number, tries?: number) =>
    choose((columns) => readReportPage(graph, appId, { page, size, columns, tries }));
  let received = 0;
  const pace = new Pace({ size: rowsPerPage, idle: pageTimeout });
  const onPage = (page: WalkPage<ReportRow>) => {
    received += page.rows.length;
    onCounted({ rows: received, total: page.total });
  };
  const countRows = async () => (await readPage(0, 1)).total;
  const { rows, total } = await walkPages(readPage, pace, { countRows, onPage });
  // A change of the page size makes some rows arrive twice.
  onCounted({ rows: rows.length, total });
  // A repeated row shows that the pages shifted, and another row may have been skipped.
  if (new Set(rows.map((row) => JSON.stringify(row))).size < rows.length) {
    throw new MusterError(
      'paging-broken',
      `${graph.who} sent the same report row on two pages: POST ${installReportPath}. Run again later, when the tenant changes less.`,
    );
  }
  if (rows.length !== total) {
    throw new MusterError(
      'rows-missing',
      `${graph.who} reports ${formatCount(total)} ${pluralize(total, 'row')} in the report of app ${appId} but sent ${formatCount(rows.length)}: POST ${installReportPath}. ` +
        'Run again later, when the tenant changes less.',
    );
  }
  return rows;
}

interface PageRequest {
  readonly page: number;
  readonly size: number;
  readonly columns: readonly string[];
  readonly tries?: number | undefined;
}

function readReportPage(
  graph: Graph,
  appId: string,
  { page, size, columns, tries }: PageRequest,
): Promise<WalkPage<ReportRow>> {
  const body = JSON.stringify({
    filter: buildAppFilter(appId),
    select: columns,
    orderBy: ['DeviceId'],
    skip: page * size,
    top: size,
  });
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', url: installReportPath, accept: '*/*', headers, body, tries } as const;
  return graph.client.send(request, (answer) => ({
    ...parseReportPage(parseJson(answer, graph.who), graph.who),
    bytes: answer.body.length,
    milliseconds: answer.milliseconds ?? 0,
  }));
}
