/** Report export jobs: created, polled until they are completed, with a link to an archive on another origin. */
import { drawGuid, purpose } from '../../devices/random.ts';
import { formatGraphDate } from '../format-dates.ts';
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, readJsonBody, toText } from '../request.ts';
import { type PlatformResponse, respondJson } from '../response.ts';
import { respondBadRequest, respondForbidden, respondResourceNotFound } from './graph-errors.ts';
import type { SimulatedExportJob } from './graph-objects.ts';
import { readReportQuery } from './report-rows.ts';

const reportName = 'DeviceInstallStatusByApp';
const linkMilliseconds = 6 * 3_600_000;

export function respondJob(context: PlatformContext, _: PlatformRequest, id: string): PlatformResponse {
  const job = context.exportJobs.byId.get(id);
  if (job === undefined) {
    return respondResourceNotFound(id);
  }
  job.polls += 1;
  return respondJson(200, toJobBody(context, job));
}

export function respondNewJob(context: PlatformContext, request: PlatformRequest): PlatformResponse {
  if (context.faults.inject('graph', 'export-refused') !== undefined) {
    return respondForbidden();
  }
  const body = readJsonBody(request);
  if (toText(body.reportName) !== reportName) {
    return respondBadRequest(`Report ${toText(body.reportName)} does not exist.`);
  }
  const query = readReportQuery(body);
  const { exportJobs } = context;
  exportJobs.count += 1;
  const job: SimulatedExportJob = {
    id: `${reportName}_${drawGuid(exportJobs.count, purpose.exportJobId)}`,
    request: body,
    query,
    requested: new Date().toISOString().replace('Z', '0000Z'),
    outcome: chooseOutcome(context),
    polls: 0,
  };
  exportJobs.byId.set(job.id, job);
  return respondJson(201, toJobBody(context, job));
}

function chooseOutcome({ faults }: PlatformContext): SimulatedExportJob['outcome'] {
  const failures = ['stuck', 'failed', 'empty'] as const;
  const failure = failures.find((outcome) => faults.inject('graph', `export-${outcome}`) !== undefined);
  return failure ?? (faults.inject('graph', 'rows-hidden', 'export') === undefined ? 'complete' : 'short');
}

function toJobBody(context: PlatformContext, job: SimulatedExportJob): Record<string, unknown> {
  const status = computeStatus(context, job);
  const { exportPolls } = context.graphOptions;
  // The first poll of a completed job has no url.
  const hasLink = status === 'completed' && (exportPolls === 0 || job.polls > exportPolls + 1);
  const link = hasLink ? createDownloadLink(context, job) : undefined;
  return {
    '@odata.context': `${context.urls.graph}/v1.0/$metadata#deviceManagement/reports/exportJobs/$entity`,
    id: job.id,
    reportName,
    filter: job.request.filter,
    select: job.request.select ?? [],
    format: 'csv',
    status,
    url: null,
    requestDateTime: job.requested,
    expirationDateTime: formatGraphDate(undefined),
    ...link,
  };
}

function computeStatus(context: PlatformContext, job: SimulatedExportJob): string {
  if (job.polls === 0) {
    return 'notStarted';
  }
  if (job.outcome === 'failed') {
    return 'failed';
  }
  return job.outcome === 'stuck' || job.polls <= context.graphOptions.exportPolls ? 'inProgress' : 'completed';
}

function createDownloadLink(
  { exportJobs, urls }: PlatformContext,
  job: SimulatedExportJob,
): { url: string; expirationDateTime: string } {
  exportJobs.count += 1;
  const { count } = exportJobs;
  const signature = `${drawGuid(count, purpose.signatureStart)}-${drawGuid(count, purpose.signatureEnd)}`;
  const time = Date.now() + linkMilliseconds;
  const expirationDateTime = new Date(time).toISOString();
  exportJobs.linksBySignature.set(signature, { job, expires: time });
  const query = new URLSearchParams({ sv: '2019-07-07', sr: 'b', sig: signature, se: expirationDateTime, sp: 'r' });
  return {
    url: `${urls.downloads}/exports/${drawGuid(count, purpose.exportFolder)}/${job.id}.zip?${query}`,
    expirationDateTime,
  };
}
