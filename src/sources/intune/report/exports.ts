/**
 * Exports one app's report: https://learn.microsoft.com/intune/intune-service/fundamentals/reports-export-graph-apis
 * Minutes are ordinary for a job on a large tenant. But a job may also never complete while a new one succeeds
 * (msgraph-sdk-python#1218), so that Muster polls a slow job beside a new one, and takes the first that completes.
 */
import { MusterError } from '../../../base/errors.ts';
import { omitUndefined } from '../../../base/omit-undefined.ts';
import { createUnreadableAnswerError } from '../../../http/body.ts';
import type { HttpResponse } from '../../../http/send-request.ts';
import { attempt, hasCode } from '../../reading/attempt.ts';
import { type Graph, parseObject } from '../client.ts';
import { createColumnChoice, parseReportCsv, type ReportRow } from './rows.ts';
import { buildAppFilter } from './synchronous.ts';
import { readZippedCsv } from './zip.ts';

const exportJobsPath = '/v1.0/deviceManagement/reports/exportJobs';
/** Milliseconds after which a new job is started beside one that has not completed. */
const slowAfter = 120_000;
/** Milliseconds between two polls, from the first wait to the longest. */
const firstWait = 250;
const longestWait = 10_000;
const waitGrowth = 1.8;
const maximumJobsAtOnce = 3;
const maximumFailedJobs = 3;
/** Polls after which Muster gives up a completed job without an address. */
const maximumPollsWithoutUrl = 5;
/** Addresses of one job that the storage may refuse; an expired one is replaced by a new one. */
const maximumRefusedUrls = 2;

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

export class ReportExports {
  readonly #appId: string;
  readonly #pending = new Set<PendingJob>();
  readonly #chooseColumns = createColumnChoice();
  #failedJobs = 0;
  #lastFailure: MusterError | undefined;
  #startsBeside = true;

  constructor(appId: string) {
    this.#appId = appId;
  }

  /**
   * The rows of the next job that completes; undefined where none has when the clock's `elapsed` reaches `until`. A
   * later call continues with the same jobs. Throws when no job can be started, or when jobs keep failing.
   */
  async next(graph: Graph, until: number): Promise<ReportRow[] | undefined> {
    const { clock, signal } = graph;
    let wait = firstWait;
    for (;;) {
      wait = (await this.#prepare(graph)) ? firstWait : wait;
      if (clock.elapsed() + wait > until) {
        return undefined;
      }
      await clock.sleep(wait, signal);
      wait = Math.min(longestWait, wait * waitGrowth);
      const rows = await this.#askPending(graph);
      if (rows !== undefined) {
        return rows;
      }
    }
  }

  /** Starts a job where there is none, or beside a slow one. True where a first one was started. */
  async #prepare(graph: Graph): Promise<boolean> {
    if (this.#pending.size === 0) {
      if (this.#lastFailure !== undefined && this.#failedJobs >= maximumFailedJobs) {
        throw this.#lastFailure;
      }
      await this.#startJob(graph);
      return true;
    }
    const newest = Math.max(...[...this.#pending].map(({ started }) => started));
    const mayStart = this.#pending.size < maximumJobsAtOnce && this.#failedJobs < maximumFailedJobs;
    if (this.#startsBeside && mayStart && graph.clock.elapsed() - newest >= slowAfter) {
      // If the service accepts no further job, the earlier ones continue.
      const { failure } = await attempt(graph.signal, () => this.#startJob(graph));
      this.#startsBeside = failure === undefined;
    }
    return false;
  }

  async #startJob(graph: Graph): Promise<void> {
    const { id } = await this.#chooseColumns((columns) => requestJob(graph, this.#appId, columns));
    this.#pending.add({ id, started: graph.clock.elapsed(), pollsWithoutUrl: 0, refusedUrls: 0 });
  }

  async #askPending(graph: Graph): Promise<ReportRow[] | undefined> {
    for (const job of [...this.#pending]) {
      const { value: rows, failure } = await attempt(graph.signal, () => readWhenComplete(graph, job));
      if (failure !== undefined) {
        this.#pending.delete(job);
        this.#onFailure(failure);
      } else if (rows !== undefined) {
        this.#pending.delete(job);
        return rows;
      }
    }
    return undefined;
  }

  #onFailure(failure: MusterError): void {
    this.#failedJobs += 1;
    this.#lastFailure = failure;
    if (hasCode(failure, 'foreign-link', 'redirected', 'answer-too-large')) {
      // A new job would fail in the same way.
      this.#pending.clear();
      this.#failedJobs = maximumFailedJobs;
    }
  }
}

/** Undefined while the job has not completed. */
async function readWhenComplete(graph: Graph, job: PendingJob): Promise<ReportRow[] | undefined> {
  const { status, url } = await pollJob(graph, job.id);
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
  const archive = await downloadArchive(graph, url);
  if (archive !== undefined) {
    return parseReportCsv(readZippedCsv(archive, graph.who), graph.who);
  }
  job.refusedUrls += 1;
  if (job.refusedUrls >= maximumRefusedUrls) {
    throw createExportFailedError(graph.who, job.id, 'its download address is not accepted');
  }
  return undefined;
}

function requestJob(graph: Graph, appId: string, columns: readonly string[]): Promise<ExportJob> {
  const body = JSON.stringify({
    reportName: 'DeviceInstallStatusByApp',
    filter: buildAppFilter(appId),
    select: columns,
    format: 'csv',
  });
  const headers = { 'content-type': 'application/json' };
  // Safe to repeat: if an answer is lost, its job is simply unused.
  return graph.client.send({ method: 'POST', url: exportJobsPath, headers, body }, (answer) =>
    parseJob(answer, graph.who),
  );
}

function pollJob(graph: Graph, id: string): Promise<ExportJob> {
  return graph.client.send({ url: `${exportJobsPath}('${id}')` }, (answer) => parseJob(answer, graph.who));
}

/** Undefined while the address is not accepted, or no longer accepted. */
function downloadArchive(graph: Graph, url: string): Promise<Buffer | undefined> {
  return graph.downloads.send({ url, accept: '*/*', alsoUnderstood: [401, 403, 404] }, (answer) =>
    answer.status === 200 ? answer.body : undefined,
  );
}

function parseJob(answer: HttpResponse, who: string): ExportJob {
  const { id, status, url } = parseObject(answer, who);
  if (typeof id !== 'string' || !/^[\w-]{1,200}$/.test(id)) {
    throw createUnreadableAnswerError(who, 'an export job without a usable id');
  }
  const hasUrl = typeof url === 'string' && url !== '';
  return omitUndefined({ id, status: String(status), url: hasUrl ? url : undefined });
}

function createExportFailedError(who: string, job: string, why: string): MusterError {
  return new MusterError('export-failed', `The export of ${who} returned no report: ${why} (${job}). Run again later.`);
}
