/** Report export jobs: created, polled until they are completed, with a link to an archive on another origin. */
import { drawGuid, purpose } from '../../devices/random.ts';
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, readJsonBody, toText } from '../request.ts';
import { type PlatformResponse, respondJson } from '../response.ts';
import {
  refuseMissingPermission,
  respondBadRequest,
  respondForbidden,
  respondResourceNotFound,
} from './graph-errors.ts';
import type { SimulatedExportJob } from './job-store.ts';
import { readApplicationFilter, readSelectedColumns } from './report-rows.ts';

const reportName = 'DeviceInstallStatusByApp';
const linkMilliseconds = 6 * 3_600_000;

export function routeExportJobs(context: PlatformContext, request: PlatformRequest): PlatformResponse | undefined {
  const match = /^\/v1\.0\/deviceManagement\/reports\/exportJobs(?:\('([^']+)'\)|\/([^/]+))?$/.exec(request.path);
  if (match === null) {
    return undefined;
  }
  const refusal = refuseMissingPermission(
    context,
    'DeviceManagementApps.Read.All',
    'DeviceManagementManagedDevices.Read.All',
  );
  if (refusal !== undefined) {
    return refusal;
  }
  const id = match[1] ?? match[2];
  if (id === undefined) {
    if (request.method !== 'POST') {
      return respondBadRequest('Export jobs cannot be listed.');
    }
    const isRefused = context.faults.inject('graph', 'export-refused') !== undefined;
    return isRefused ? respondForbidden() : respondNewJob(context, request);
  }
  const job = context.exportJobs.byId.get(id);
  if (job === undefined) {
    return respondResourceNotFound(id);
  }
  job.polls += 1;
  return respondJson(200, toJobBody(context, job));
}

function respondNewJob(context: PlatformContext, request: PlatformRequest): PlatformResponse {
  const body = readJsonBody(request);
  if (toText(body.reportName) !== reportName) {
    return respondBadRequest(`Report ${toText(body.reportName)} does not exist.`);
  }
  if (readApplicationFilter(body.filter) === undefined) {
    return respondBadRequest('Required filter ApplicationId is missing.');
  }
  const columns = readSelectedColumns(body.select);
  if (columns === undefined) {
    return respondBadRequest('UnknownError');
  }
  const { exportJobs } = context;
  exportJobs.count += 1;
  const job: SimulatedExportJob = {
    id: `${reportName}_${drawGuid(exportJobs.count, purpose.exportJobId)}`,
    request: body,
    columns,
    requested: new Date().toISOString().replace('Z', '0000Z'),
    outcome: chooseOutcome(context),
    polls: 0,
  };
  exportJobs.byId.set(job.id, job);
  return respondJson(201, toJobBody(context, job));
}

function chooseOutcome({ faults }: PlatformContext): SimulatedExportJob['outcome'] {
  if (faults.inject('graph', 'export-stuck') !== undefined) {
    return 'stuck';
  }
  if (faults.inject('graph', 'export-failed') !== undefined) {
    return 'failed';
  }
  if (faults.inject('graph', 'export-empty') !== undefined) {
    return 'empty';
  }
  return faults.inject('graph', 'rows-hidden', 'export') !== undefined ? 'short' : 'complete';
}

function toJobBody(context: PlatformContext, job: SimulatedExportJob): Record<string, unknown> {
  const status = computeStatus(context, job);
  const { exportPolls } = context.graphOptions;
  // One poll finds a job completed before it finds the url.
  const hasLink = status === 'completed' && (exportPolls === 0 || job.polls > exportPolls + 1);
  const link = hasLink ? createDownloadLink(context, job) : undefined;
  return {
    '@odata.context': `${context.urls.graph}/v1.0/$metadata#deviceManagement/reports/exportJobs/$entity`,
    id: job.id,
    reportName: toText(job.request.reportName),
    filter: job.request.filter ?? null,
    select: job.request.select ?? [],
    format: toText(job.request.format) || 'csv',
    snapshotId: null,
    localizationType: toText(job.request.localizationType) || 'localizedValuesAsAdditionalColumn',
    status,
    url: link?.url ?? null,
    requestDateTime: job.requested,
    expirationDateTime: link?.expires ?? '0001-01-01T00:00:00Z',
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
): { url: string; expires: string } {
  exportJobs.count += 1;
  const { count } = exportJobs;
  const signature = `${drawGuid(count, purpose.signatureStart)}-${drawGuid(count, purpose.signatureEnd)}`;
  const time = Date.now() + linkMilliseconds;
  const expires = new Date(time).toISOString();
  exportJobs.linksBySignature.set(signature, { job, expires: time });
  const query = new URLSearchParams({ sv: '2019-07-07', sr: 'b', sig: signature, se: expires, sp: 'r' });
  return { url: `${urls.downloads}/exports/${drawGuid(count, purpose.exportFolder)}/${job.id}.zip?${query}`, expires };
}
