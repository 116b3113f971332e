/** Report export jobs: created, polled through their life, downloaded as a zip from another origin. */
import { drawGuid } from '../../devices/random.ts';
import { createBrokenZip, createExportFile, readSelectedColumns } from '../downloads/report-archive.ts';
import { type ArchiveMember, createZip } from '../downloads/zip.ts';
import type { PlatformContext } from '../platform-context.ts';
import {
  type PlatformRequest,
  type PlatformResponse,
  readHeader,
  readJsonBody,
  respondJson,
  toText,
} from '../request.ts';
import { refuseMissingPermission, respondBadRequest, respondResourceNotFound } from './graph-errors.ts';
import { hideReportRows, listReportRows, readApplicationFilter } from './report-rows.ts';

interface Job {
  readonly id: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly select: readonly string[];
  readonly requested: string;
  readonly fate: 'good' | 'stuck' | 'failed' | 'empty' | 'short';
  polls: number;
}

export interface Exports {
  route(request: PlatformRequest): PlatformResponse | undefined;
  download(request: PlatformRequest): PlatformResponse;
}

const linkHours = 6;

export function createExports(context: PlatformContext): Exports {
  const jobs = new Map<string, Job>();
  const links = new Map<string, { readonly job: Job; readonly ends: number }>();
  let count = 0;

  function fateOfNext(): Job['fate'] {
    const { faults } = context;
    if (faults.inject('graph', 'export-stuck') !== undefined) {
      return 'stuck';
    }
    if (faults.inject('graph', 'export-failed') !== undefined) {
      return 'failed';
    }
    if (faults.inject('graph', 'export-empty') !== undefined) {
      return 'empty';
    }
    return faults.inject('graph', 'rows-hidden', 'export') !== undefined ? 'short' : 'good';
  }

  function statusOf(job: Job): string {
    if (job.polls === 0) {
      return 'notStarted';
    }
    if (job.fate === 'failed') {
      return 'failed';
    }
    return job.fate === 'stuck' || job.polls <= context.graphOptions.exportPolls ? 'inProgress' : 'completed';
  }

  function linkTo(job: Job): { url: string; expires: string } {
    count += 1;
    const signature = `${drawGuid(count, 601)}-${drawGuid(count, 602)}`;
    const ends = Date.now() + linkHours * 3_600_000;
    const expires = new Date(ends).toISOString();
    links.set(signature, { job, ends });
    const query = new URLSearchParams({ sv: '2019-07-07', sr: 'b', sig: signature, se: expires, sp: 'r' });
    return { url: `${context.urls.downloads}/exports/${drawGuid(count, 603)}/${job.id}.zip?${query}`, expires };
  }

  function jobBody(job: Job): Record<string, unknown> {
    const status = statusOf(job);
    const polls = context.graphOptions.exportPolls;
    // Completed for one poll before the url is there.
    const ready = status === 'completed' && (polls === 0 || job.polls > polls + 1);
    const link = ready ? linkTo(job) : undefined;
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

  function create(exchange: PlatformRequest): PlatformResponse {
    const request = readJsonBody(exchange);
    if (toText(request.reportName) !== 'DeviceInstallStatusByApp') {
      return respondBadRequest(`Report ${toText(request.reportName)} does not exist.`);
    }
    if (readApplicationFilter(request.filter) === undefined) {
      return respondBadRequest('Required filter ApplicationId is missing.');
    }
    const select = readSelectedColumns(request);
    if (select === undefined) {
      return respondBadRequest('UnknownError');
    }
    count += 1;
    const id = `DeviceInstallStatusByApp_${drawGuid(count, 604)}`;
    const requested = new Date().toISOString().replace('Z', '0000Z');
    const job: Job = { id, request, select, requested, fate: fateOfNext(), polls: 0 };
    jobs.set(id, job);
    return respondJson(201, jobBody(job));
  }

  function contentOf(job: Job): ArchiveMember {
    const all = listReportRows(context, readApplicationFilter(job.request.filter) ?? '');
    const rows = job.fate === 'empty' ? [] : job.fate === 'short' ? hideReportRows(all) : all;
    const localized = !/replace/i.test(toText(job.request.localizationType));
    return createExportFile(job.id, rows, job.select, toText(job.request.format), localized);
  }

  return {
    route(request) {
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
        return request.method === 'POST' ? create(request) : respondBadRequest('Export jobs cannot be listed.');
      }
      const job = jobs.get(id);
      if (job === undefined) {
        return respondResourceNotFound(id);
      }
      job.polls += 1;
      return respondJson(200, jobBody(job));
    },
    download(request) {
      if (readHeader(request, 'authorization') !== '') {
        return azureError(
          400,
          'InvalidAuthenticationInfo',
          'Authentication information is not given in the correct format.',
        );
      }
      const signature = request.query.get('sig') ?? '';
      const link = links.get(signature);
      const expired = context.faults.inject('graph', 'download-expired') !== undefined;
      if (expired) {
        links.delete(signature);
      }
      if (link === undefined || expired || link.ends < Date.now() || !request.path.endsWith(`/${link.job.id}.zip`)) {
        return azureError(
          403,
          'AuthenticationFailed',
          'Server failed to authenticate the request. Signature not valid in the specified time frame.',
        );
      }
      const member = contentOf(link.job);
      const broken = context.faults.inject('graph', 'zip-broken');
      const body = broken === undefined ? createZip(member) : createBrokenZip(member, broken.number ?? 1);
      return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body };
    },
  };
}

function azureError(status: number, code: string, sentence: string): PlatformResponse {
  return {
    status,
    headers: { 'content-type': 'application/xml', 'x-ms-error-code': code },
    body: `\ufeff<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code><Message>${sentence}</Message></Error>`,
  };
}
