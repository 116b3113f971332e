/**
 * One export job from asking to rows: https://learn.microsoft.com/intune/intune-service/fundamentals/reports-export-graph-apis
 * A job may be stranded for ever while a fresh one does well (msgraph-sdk-python#1218), so each has a short life.
 */
import { MusterError } from '../../errors.ts';
import { textOf, unreadable } from '../../http/body.ts';
import { type Graph, objectOf } from './graph.ts';
import { parseCsv, type ReportRow, reportColumns } from './report.ts';
import { appFilter } from './synchronous.ts';
import { readZippedCsv } from './zip.ts';

const path = '/v1.0/deviceManagement/reports/exportJobs';
const firstWait = 1_000;
const longestWait = 10_000;
const waitGrowth = 1.8;
/** Milliseconds a job gets to complete. */
const patience = 90_000;
/** Polls after which a completed job without an address is given up. */
const pollsWithoutAddress = 5;

interface Job {
  readonly id: string;
  readonly status: string;
  readonly url?: string;
}

export async function exportRows(graph: Graph, appId: string): Promise<ReportRow[]> {
  const started = graph.clock.elapsed();
  const job = await startJob(graph, appId);
  const first = await completed(graph, job, started);
  // An address lives for some hours; a new one of the same job may still work.
  const archive =
    (await download(graph, first.url)) ?? (await download(graph, (await completed(graph, job, started)).url));
  if (archive === undefined) throw failed(graph.who, appId, 'its download address is not accepted');
  const csv = await readZippedCsv(archive, graph.who);
  return parseCsv(decoded(csv, graph.who), graph.who);
}

async function startJob(graph: Graph, appId: string): Promise<Job> {
  const body = JSON.stringify({
    reportName: 'DeviceInstallStatusByApp',
    filter: appFilter(appId),
    select: reportColumns,
    format: 'csv',
  });
  const headers = { 'content-type': 'application/json' };
  // Safe to repeat: a lost answer leaves a job that nobody asks for.
  return graph.client.ask({ method: 'POST', url: path, headers, body }, (answer) =>
    jobOf(objectOf(answer, graph.who), graph.who),
  );
}

async function completed(graph: Graph, job: Job, started: number): Promise<Job & { readonly url: string }> {
  let wait = firstWait;
  let withoutAddress = 0;
  while (graph.clock.elapsed() - started + wait <= patience) {
    if (graph.clock.elapsed() + wait > graph.deadline) throw failed(graph.who, job.id, 'this run may wait no longer');
    await graph.clock.sleep(wait, graph.signal);
    wait = Math.min(longestWait, wait * waitGrowth);
    const now = await graph.client.ask({ url: `${path}('${job.id}')` }, (answer) =>
      jobOf(objectOf(answer, graph.who), graph.who),
    );
    if (now.status === 'failed') throw failed(graph.who, job.id, 'it failed');
    if (now.status !== 'completed') continue;
    if (now.url !== undefined) return { ...now, url: now.url };
    withoutAddress += 1;
    if (withoutAddress >= pollsWithoutAddress) throw failed(graph.who, job.id, 'it has no download address');
  }
  throw failed(graph.who, job.id, `it did not complete within ${patience / 1000} s`);
}

/** Undefined when the address is no longer, or not yet, accepted. */
function download(graph: Graph, url: string): Promise<Buffer | undefined> {
  return graph.downloads.ask({ url, accept: '*/*', alsoUnderstood: [401, 403, 404] }, (answer) =>
    answer.status === 200 ? answer.body : undefined,
  );
}

function jobOf(body: Record<string, unknown>, who: string): Job {
  const { id, status, url } = body;
  if (typeof id !== 'string' || !/^[\w-]{1,200}$/.test(id)) throw unreadable(who, 'an export job without a usable id');
  const hasUrl = typeof url === 'string' && url !== '';
  return { id, status: String(status), ...(hasUrl ? { url } : {}) };
}

function decoded(csv: Buffer, who: string): string {
  return textOf({ status: 200, headers: new Headers(), body: csv }, who);
}

function failed(who: string, job: string, why: string): MusterError {
  return new MusterError('export-failed', `The export of ${who} gave no report: ${why} (${job}). A later one may.`);
}
