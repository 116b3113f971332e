/**
 * The synchronous report action. It gives the total that exported rows are compared with, and the rows themselves where
 * no export is to be had. By default it sends 50 rows, as JSON declared `application/octet-stream`:
 * https://learn.microsoft.com/graph/api/intune-reporting-devicemanagementreports-retrievedeviceappinstallationstatusreport
 */
import { pluralize } from '../../core/pluralize.ts';
import { MusterError } from '../../errors.ts';
import { parseJson } from '../../http/body.ts';
import type { Graph } from './graph.ts';
import { filterColumn, parseReportPage, type ReportPage, type ReportRow, reportColumns } from './report.ts';

const installReportPath = '/v1.0/deviceManagement/reports/retrieveDeviceAppInstallationStatusReport';
/** Rows of one request: fewer after the service times out. */
const pageSizes = [500, 100, 20];
const maximumPages = 20_000;
const maximumWalks = 2;

export function buildAppFilter(appId: string): string {
  return `(ApplicationId eq '${appId}')`;
}

export async function readTotal(graph: Graph, appId: string): Promise<number> {
  return (
    await readReportPage(graph, appId, {
      skip: 0,
      sizes: [1],
      columns: reportColumns,
      isOptional: true,
    })
  ).total;
}

/** `total` is the number of rows of the second opinion, once there is one. */
export type OnCounted = (report: { readonly rows: number; readonly total: number | undefined }) => void;

/** Returns exactly as many rows as the service counts, none of them on two pages; otherwise throws. */
export async function readReportRows(graph: Graph, appId: string, onCounted: OnCounted): Promise<ReportRow[]> {
  for (let walks = 1; ; walks += 1) {
    try {
      return await walkReport(graph, appId, onCounted);
    } catch (error) {
      const isPassing = error instanceof MusterError && ['paging-broken', 'rows-missing'].includes(error.code);
      if (!isPassing || walks >= maximumWalks) {
        throw error;
      }
    }
  }
}

async function walkReport(graph: Graph, appId: string, onCounted: OnCounted): Promise<ReportRow[]> {
  const rows: ReportRow[] = [];
  const seen = new Set<string>();
  let sizes = pageSizes;
  let columns: readonly string[] = [...reportColumns, filterColumn];
  for (let pages = 1; pages <= maximumPages; pages += 1) {
    const page = await readReportPage(graph, appId, {
      skip: rows.length,
      sizes,
      columns,
      isOptional: false,
    }).catch((error: unknown) => {
      const code = error instanceof MusterError ? error.code : undefined;
      if (code === 'request-timed-out' && sizes.length > 1) {
        sizes = sizes.slice(1);
      } else if (code === 'request-refused' && columns !== reportColumns) {
        columns = reportColumns;
      } else {
        throw error;
      }
    });
    if (page === undefined) {
      continue;
    }
    // If a row repeats, the pages shifted in the meantime and another row may have been skipped.
    const keys = page.rows.map((row) => JSON.stringify(row));
    if (keys.some((key) => seen.has(key))) {
      throw createReportPagingError(graph.who, 'sent the same report row on two pages');
    }
    for (const key of keys) {
      seen.add(key);
    }
    rows.push(...page.rows);
    onCounted({ rows: rows.length, total: page.total });
    if (rows.length < page.total && page.rows.length > 0) {
      continue;
    }
    if (rows.length === page.total) {
      return rows;
    }
    throw new MusterError(
      'rows-missing',
      `${graph.who} reports ${page.total} ${pluralize(page.total, 'row')} in the report of app ${appId} but sent ${rows.length}: POST ${installReportPath}. ` +
        'Run again later, when the tenant changes less.',
    );
  }
  throw createReportPagingError(graph.who, `sent more than ${maximumPages} pages`);
}

interface PageRequest {
  readonly skip: number;
  /** As many rows as the first are requested. While there are smaller sizes, the client does not repeat a time-out. */
  readonly sizes: readonly number[];
  readonly columns: readonly string[];
  /** Exports can replace the count; only they can replace the rows. */
  readonly isOptional: boolean;
}

function readReportPage(
  graph: Graph,
  appId: string,
  { skip, sizes, columns, isOptional }: PageRequest,
): Promise<ReportPage> {
  const [top] = sizes;
  const body = JSON.stringify({
    filter: buildAppFilter(appId),
    select: columns,
    orderBy: ['DeviceId'],
    skip,
    top,
  });
  const headers = { 'content-type': 'application/json' };
  const request = {
    method: 'POST',
    url: installReportPath,
    accept: '*/*',
    headers,
    body,
    shrinks: sizes.length > 1,
    isOptional,
  } as const;
  return graph.client.send(request, (answer) => parseReportPage(parseJson(answer, graph.who), graph.who));
}

function createReportPagingError(who: string, what: string): MusterError {
  return new MusterError(
    'paging-broken',
    `${who} ${what}: POST ${installReportPath}. Run again later, when the tenant changes less.`,
  );
}
