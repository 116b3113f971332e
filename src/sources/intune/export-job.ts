/**
 * Runs one export job and returns its rows: https://learn.microsoft.com/intune/intune-service/fundamentals/reports-export-graph-apis
 * A job may never complete while a new one succeeds (msgraph-sdk-python#1218), so each gets little time.
 */
import { MusterError } from '../../errors.ts';
import { createUnreadableAnswerError, decodeText } from '../../http/body.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { type Graph, parseObject } from './graph.ts';
import { parseReportCsv, type ReportRow, reportColumns } from './report.ts';
import { buildAppFilter } from './synchronous-report.ts';
import { readZippedCsv } from './zip.ts';

const exportJobsPath = '/v1.0/deviceManagement/reports/exportJobs';
const firstWait = 1_000;
const longestWait = 10_000;
const waitGrowth = 1.8;
/** Milliseconds in which a job must complete. */
const jobTimeout = 90_000;
/** Polls after which Muster gives up a completed job without an address. */
const maximumPollsWithoutUrl = 5;

interface ExportJob {
  readonly id: string;
  readonly status: string;
  readonly url?: string;
}

export async function exportRows(graph: Graph, appId: string): Promise<ReportRow[]> {
  const started = graph.clock.elapsed();
  const job = await startExportJob(graph, appId);
  const first = await waitForJob(graph, job, started);
  // An address expires after some hours; a new one of the same job may still work.
  const archive =
    (await downloadArchive(graph, first.url)) ??
    (await downloadArchive(graph, (await waitForJob(graph, job, started)).url));
  if (archive === undefined) {
    throw createExportFailedError(graph.who, appId, 'its download address is not accepted');
  }
  const csv = await readZippedCsv(archive, graph.who);
  return parseReportCsv(decodeCsv(csv, graph.who), graph.who);
}

async function startExportJob(graph: Graph, appId: string): Promise<ExportJob> {
  const body = JSON.stringify({
    reportName: 'DeviceInstallStatusByApp',
    filter: buildAppFilter(appId),
    select: reportColumns,
    format: 'csv',
  });
  const headers = { 'content-type': 'application/json' };
  // Safe to repeat: after a lost answer, the first job is simply unused.
  return graph.client.send({ method: 'POST', url: exportJobsPath, headers, body }, (answer) =>
    parseJob(parseObject(answer, graph.who), graph.who),
  );
}

async function waitForJob(
  graph: Graph,
  job: ExportJob,
  started: number,
): Promise<ExportJob & { readonly url: string }> {
  let wait = firstWait;
  let withoutAddress = 0;
  while (graph.clock.elapsed() - started + wait <= jobTimeout) {
    if (graph.clock.elapsed() + wait > graph.deadline) {
      throw createExportFailedError(graph.who, job.id, "this run's deadline comes first");
    }
    await graph.clock.sleep(wait, graph.signal);
    wait = Math.min(longestWait, wait * waitGrowth);
    const now = await graph.client.send({ url: `${exportJobsPath}('${job.id}')` }, (answer) =>
      parseJob(parseObject(answer, graph.who), graph.who),
    );
    if (now.status === 'failed') {
      throw createExportFailedError(graph.who, job.id, 'it failed');
    }
    if (now.status !== 'completed') {
      continue;
    }
    if (now.url !== undefined) {
      return { ...now, url: now.url };
    }
    withoutAddress += 1;
    if (withoutAddress >= maximumPollsWithoutUrl) {
      throw createExportFailedError(graph.who, job.id, 'it has no download address');
    }
  }
  throw createExportFailedError(graph.who, job.id, `it did not complete within ${jobTimeout / 1000} s`);
}

/** Undefined when the address is no longer, or not yet, accepted. */
function downloadArchive(graph: Graph, url: string): Promise<Buffer | undefined> {
  return graph.downloads.send({ url, accept: '*/*', alsoUnderstood: [401, 403, 404] }, (answer) =>
    answer.status === 200 ? answer.body : undefined,
  );
}

function parseJob(body: Record<string, unknown>, who: string): ExportJob {
  const { id, status, url } = body;
  if (typeof id !== 'string' || !/^[\w-]{1,200}$/.test(id)) {
    throw createUnreadableAnswerError(who, 'an export job without a usable id');
  }
  const hasUrl = typeof url === 'string' && url !== '';
  return omitUndefined({ id, status: String(status), url: hasUrl ? url : undefined });
}

function decodeCsv(csv: Buffer, who: string): string {
  return decodeText({ status: 200, headers: new Headers(), body: csv }, who);
}

function createExportFailedError(who: string, job: string, why: string): MusterError {
  return new MusterError('export-failed', `The export of ${who} returned no report: ${why} (${job}). Run again later.`);
}
