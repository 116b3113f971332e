/**
 * Exports one app's report: https://learn.microsoft.com/intune/intune-service/fundamentals/reports-export-graph-apis
 * Minutes are ordinary for a job on a large tenant. But a job may also never complete while a new one succeeds
 * (msgraph-sdk-python#1218), so a slow job is polled on beside a new one, and the first that completes is the answer.
 */
import { MusterError } from '../../errors.ts';
import { createUnreadableAnswerError } from '../../http/body.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { type Graph, parseObject } from './graph.ts';
import { filterColumn, parseReportCsv, type ReportRow, reportColumns } from './report.ts';
import { buildAppFilter } from './synchronous-report.ts';
import { readZippedCsv } from './zip.ts';

const exportJobsPath = '/v1.0/deviceManagement/reports/exportJobs';
const firstWait = 250;
const longestWait = 10_000;
const waitGrowth = 1.8;
/** Milliseconds after which a new job is started beside one that has not completed. */
const slowAfter = 120_000;
const maximumJobsAtOnce = 3;
const maximumFailedJobs = 3;
/** Polls after which Muster gives up a completed job without an address. */
const maximumPollsWithoutUrl = 5;
/** Addresses of one job that the storage may refuse: an expired one is replaced by a new one. */
const maximumRefusedUrls = 2;
/** A new job would fail in the same way. */
const finalCodes = ['foreign-link', 'redirected', 'answer-too-large'];

interface ExportJob {
  readonly id: string;
  readonly status: string;
  readonly url?: string;
}

interface PendingJob {
  readonly id: string;
  readonly started: number;
  pollsWithoutUrl: number;
  refusedUrls: number;
}

export interface ReportExports {
  /**
   * The rows of the next job that completes; undefined where none has when the clock's `elapsed` reaches `until`. A later
   * call goes on with the same jobs. Throws when no job can be started, or when jobs keep failing. While the synchronous
   * action may still answer instead, failures that pass are waited for only briefly (`isOptional`).
   */
  next(until: number, isOptional?: boolean): Promise<ReportRow[] | undefined>;
}

export function createReportExports(graph: Graph, appId: string): ReportExports {
  const pending = new Set<PendingJob>();
  let columns: readonly string[] = [...reportColumns, filterColumn];
  let failed = 0;
  let lastFailure: MusterError | undefined;
  let startsBeside = true;
  let canWaitBriefly = true;

  async function next(until: number, isOptional = true): Promise<ReportRow[] | undefined> {
    canWaitBriefly = isOptional;
    let wait = firstWait;
    for (;;) {
      if (pending.size === 0) {
        await startFirstJob();
        wait = firstWait;
      } else if (isSlow()) {
        await startJobBeside();
      }
      if (graph.clock.elapsed() + wait > until) {
        return undefined;
      }
      await graph.clock.sleep(wait, graph.signal);
      wait = Math.min(longestWait, wait * waitGrowth);
      for (const job of [...pending]) {
        const rows = await readWhenComplete(job);
        if (rows !== undefined) {
          return rows;
        }
      }
    }
  }

  async function startFirstJob(): Promise<void> {
    if (lastFailure !== undefined && failed >= maximumFailedJobs) {
      throw lastFailure;
    }
    await startJob();
  }

  /** A service that takes no further job leaves those that it has taken. */
  async function startJobBeside(): Promise<void> {
    if (!startsBeside || pending.size >= maximumJobsAtOnce || failed >= maximumFailedJobs) {
      return;
    }
    try {
      await startJob();
    } catch (error) {
      if (graph.signal.aborted || !(error instanceof MusterError)) {
        throw error;
      }
      startsBeside = false;
    }
  }

  async function startJob(): Promise<void> {
    const { id } = await requestJob(graph, { appId, columns, isOptional: canWaitBriefly }).catch((error: unknown) => {
      if (!(error instanceof MusterError) || error.code !== 'request-refused' || columns === reportColumns) {
        throw error;
      }
      columns = reportColumns;
      return requestJob(graph, { appId, columns, isOptional: canWaitBriefly });
    });
    pending.add({ id, started: graph.clock.elapsed(), pollsWithoutUrl: 0, refusedUrls: 0 });
  }

  function isSlow(): boolean {
    const newest = Math.max(...[...pending].map(({ started }) => started));
    return graph.clock.elapsed() - newest >= slowAfter;
  }

  /** Undefined while the job has not completed, and once it has failed. */
  async function readWhenComplete(job: PendingJob): Promise<ReportRow[] | undefined> {
    try {
      const archive = await fetchArchive(job);
      if (archive === undefined) {
        return undefined;
      }
      const rows = await readArchive(graph, archive);
      pending.delete(job);
      return rows;
    } catch (error) {
      if (graph.signal.aborted || !(error instanceof MusterError)) {
        throw error;
      }
      pending.delete(job);
      failed += 1;
      lastFailure = error;
      if (finalCodes.includes(error.code)) {
        pending.clear();
        failed = maximumFailedJobs;
      }
      return undefined;
    }
  }

  async function fetchArchive(job: PendingJob): Promise<Buffer | undefined> {
    const { status, url } = await pollJob(graph, job.id, canWaitBriefly);
    if (status === 'failed') {
      throw createExportFailedError(graph.who, job.id, 'it failed');
    }
    if (status !== 'completed') {
      return undefined;
    }
    if (url === undefined) {
      job.pollsWithoutUrl += 1;
      if (job.pollsWithoutUrl >= maximumPollsWithoutUrl) {
        throw createExportFailedError(graph.who, job.id, 'it has no download address');
      }
      return undefined;
    }
    const archive = await downloadArchive(graph, url, canWaitBriefly);
    job.refusedUrls += archive === undefined ? 1 : 0;
    if (job.refusedUrls >= maximumRefusedUrls) {
      throw createExportFailedError(graph.who, job.id, 'its download address is not accepted');
    }
    return archive;
  }

  return { next };
}

interface JobRequest {
  readonly appId: string;
  readonly columns: readonly string[];
  readonly isOptional: boolean;
}

function requestJob(graph: Graph, { appId, columns, isOptional }: JobRequest): Promise<ExportJob> {
  const body = JSON.stringify({
    reportName: 'DeviceInstallStatusByApp',
    filter: buildAppFilter(appId),
    select: columns,
    format: 'csv',
  });
  const headers = { 'content-type': 'application/json' };
  // Safe to repeat: after a lost answer, the first job is simply unused.
  return graph.client.send({ method: 'POST', url: exportJobsPath, headers, body, isOptional }, (answer) =>
    parseJob(parseObject(answer, graph.who), graph.who),
  );
}

function pollJob(graph: Graph, id: string, isOptional: boolean): Promise<ExportJob> {
  return graph.client.send({ url: `${exportJobsPath}('${id}')`, isOptional }, (answer) =>
    parseJob(parseObject(answer, graph.who), graph.who),
  );
}

/** Undefined when the address is no longer, or not yet, accepted. */
function downloadArchive(graph: Graph, url: string, isOptional: boolean): Promise<Buffer | undefined> {
  return graph.downloads.send({ url, accept: '*/*', alsoUnderstood: [401, 403, 404], isOptional }, (answer) =>
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

function readArchive(graph: Graph, archive: Buffer): Promise<ReportRow[]> {
  return parseReportCsv(readZippedCsv(archive, graph.who), graph.who);
}

function createExportFailedError(who: string, job: string, why: string): MusterError {
  return new MusterError('export-failed', `The export of ${who} returned no report: ${why} (${job}). Run again later.`);
}
