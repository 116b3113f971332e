/** Reads all rows of one app's report and proves them complete: export, compare, export again, then read page by page. */
import { MusterError } from '../../errors.ts';
import { compareRows } from './compare-rows.ts';
import { exportRows } from './export-job.ts';
import type { Graph } from './graph.ts';
import type { ReportRow } from './report.ts';
import { type OnCounted, readReportRows, readTotal } from './synchronous-report.ts';

interface ReportRequest {
  readonly appId: string;
  /** Rows of the last good run, where they are known to be of this app alone. */
  readonly baseline: number | undefined;
  /** Called as soon as both numbers are known, so that a failure still shows them. */
  readonly onCounted: OnCounted;
}

const maximumJobs = 3;
/** One export, and a second one when its rows do not match the total. */
const maximumComparisons = 2;

/** A new export job may succeed after these. */
const transientCodes = [
  'export-failed',
  'zip-broken',
  'answer-unreadable',
  'not-found',
  'request-failed',
  'request-timed-out',
];
/** A new export job would fail the same way, but the synchronous action may succeed. */
const exportBlockedCodes = ['foreign-link', 'redirected', 'request-refused', 'answer-too-large', 'throttled'];

export async function readAppReport(graph: Graph, request: ReportRequest): Promise<ReportRow[]> {
  const { appId, baseline, onCounted } = request;
  let comparisons = 0;
  let lastFailure: MusterError | undefined;
  for (let jobs = 1; jobs <= maximumJobs && comparisons < maximumComparisons; jobs += 1) {
    const rows = await exportRows(graph, appId).catch((error: unknown) => {
      lastFailure = toTolerableError(graph, error);
      return undefined;
    });
    if (rows === undefined) {
      if (lastFailure !== undefined && exportBlockedCodes.includes(lastFailure.code)) {
        break;
      }
      continue;
    }
    const total = await readTotal(graph, appId);
    comparisons += 1;
    onCounted({ rows: rows.length, total });
    if (compareRows(rows.length, total, baseline) === 'fits') {
      return rows;
    }
  }
  return readSynchronously(graph, request, lastFailure);
}

async function readSynchronously(
  graph: Graph,
  { appId, baseline, onCounted }: ReportRequest,
  exportFailure: MusterError | undefined,
): Promise<ReportRow[]> {
  const rows = await readReportRows(graph, appId, onCounted).catch((error: unknown) => {
    if (exportFailure === undefined || !(error instanceof MusterError) || graph.signal.aborted) {
      throw error;
    }
    throw new MusterError(error.code, `${error.message} Before that: ${exportFailure.message}`, { cause: error });
  });
  if (compareRows(rows.length, rows.length, baseline) === 'fits') {
    return rows;
  }
  throw new MusterError(
    'rows-missing',
    `${graph.who} returned no row in the report of app ${appId}, where the last good run had ${baseline ?? 0}. ` +
      'Check in the admin centre that the app is still assigned; if another app replaces it, name that one in the settings.',
  );
}

/** The error, if another way may still succeed; otherwise it is thrown. */
function toTolerableError(graph: Graph, error: unknown): MusterError {
  if (graph.signal.aborted) {
    throw graph.signal.reason;
  }
  if (error instanceof MusterError && [...transientCodes, ...exportBlockedCodes].includes(error.code)) {
    return error;
  }
  throw error;
}
