/** Report export jobs: created, polled through their life, downloaded as a zip from another origin. */

import { guid } from '../../devices/random.ts';
import { brokenZip, exportFile, selectOf } from '../downloads/report-archive.ts';
import { type Member, zip } from '../downloads/zip.ts';
import type { World } from '../platform-context.ts';
import { type Answer, type Exchange, header, json, jsonBody, text } from '../request.ts';
import { badRequest, noSuchResource, withoutPermission } from './graph-errors.ts';
import { appRows, filteredApp, hideRows } from './report-rows.ts';

interface Job {
  readonly id: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly select: readonly string[];
  readonly requested: string;
  readonly fate: 'good' | 'stuck' | 'failed' | 'empty' | 'short';
  polls: number;
}

export interface Exports {
  route(exchange: Exchange): Answer | undefined;
  download(exchange: Exchange): Answer;
}

const linkHours = 6;

function azureError(status: number, code: string, sentence: string): Answer {
  return {
    status,
    headers: { 'content-type': 'application/xml', 'x-ms-error-code': code },
    body: `\ufeff<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code><Message>${sentence}</Message></Error>`,
  };
}

export function createExports(world: World): Exports {
  const jobs = new Map<string, Job>();
  const links = new Map<string, { readonly job: Job; readonly ends: number }>();
  let count = 0;

  function fateOfNext(): Job['fate'] {
    const { faults } = world;
    if (faults.strike('graph', 'export-stuck') !== undefined) {
      return 'stuck';
    }
    if (faults.strike('graph', 'export-failed') !== undefined) {
      return 'failed';
    }
    if (faults.strike('graph', 'export-empty') !== undefined) {
      return 'empty';
    }
    return faults.strike('graph', 'rows-hidden', 'export') !== undefined ? 'short' : 'good';
  }

  function statusOf(job: Job): string {
    if (job.polls === 0) {
      return 'notStarted';
    }
    if (job.fate === 'failed') {
      return 'failed';
    }
    return job.fate === 'stuck' || job.polls <= world.graphOptions.exportPolls ? 'inProgress' : 'completed';
  }

  function linkTo(job: Job): { url: string; expires: string } {
    count += 1;
    const signature = `${guid(count, 601)}-${guid(count, 602)}`;
    const ends = Date.now() + linkHours * 3_600_000;
    const expires = new Date(ends).toISOString();
    links.set(signature, { job, ends });
    const query = new URLSearchParams({ sv: '2019-07-07', sr: 'b', sig: signature, se: expires, sp: 'r' });
    return { url: `${world.urls.downloads}/exports/${guid(count, 603)}/${job.id}.zip?${query}`, expires };
  }

  function jobBody(job: Job): Record<string, unknown> {
    const status = statusOf(job);
    const polls = world.graphOptions.exportPolls;
    // Completed for one poll before the url is there.
    const ready = status === 'completed' && (polls === 0 || job.polls > polls + 1);
    const link = ready ? linkTo(job) : undefined;
    return {
      '@odata.context': `${world.urls.graph}/v1.0/$metadata#deviceManagement/reports/exportJobs/$entity`,
      id: job.id,
      reportName: text(job.request.reportName),
      filter: job.request.filter ?? null,
      select: job.request.select ?? [],
      format: text(job.request.format) || 'csv',
      snapshotId: null,
      localizationType: text(job.request.localizationType) || 'localizedValuesAsAdditionalColumn',
      status,
      url: link?.url ?? null,
      requestDateTime: job.requested,
      expirationDateTime: link?.expires ?? '0001-01-01T00:00:00Z',
    };
  }

  function create(exchange: Exchange): Answer {
    const request = jsonBody(exchange);
    if (text(request.reportName) !== 'DeviceInstallStatusByApp') {
      return badRequest(`Report ${text(request.reportName)} does not exist.`);
    }
    if (filteredApp(request.filter) === undefined) {
      return badRequest('Required filter ApplicationId is missing.');
    }
    const select = selectOf(request);
    if (select === undefined) {
      return badRequest('UnknownError');
    }
    count += 1;
    const id = `DeviceInstallStatusByApp_${guid(count, 604)}`;
    const requested = new Date().toISOString().replace('Z', '0000Z');
    const job: Job = { id, request, select, requested, fate: fateOfNext(), polls: 0 };
    jobs.set(id, job);
    return json(201, jobBody(job));
  }

  function contentOf(job: Job): Member {
    const all = appRows(world, filteredApp(job.request.filter) ?? '');
    const rows = job.fate === 'empty' ? [] : job.fate === 'short' ? hideRows(all) : all;
    const localized = !/replace/i.test(text(job.request.localizationType));
    return exportFile(job.id, rows, job.select, text(job.request.format), localized);
  }

  return {
    route(exchange) {
      const match = /^\/v1\.0\/deviceManagement\/reports\/exportJobs(?:\('([^']+)'\)|\/([^/]+))?$/.exec(exchange.path);
      if (match === null) {
        return undefined;
      }
      const refusal = withoutPermission(
        world,
        'DeviceManagementApps.Read.All',
        'DeviceManagementManagedDevices.Read.All',
      );
      if (refusal !== undefined) {
        return refusal;
      }
      const id = match[1] ?? match[2];
      if (id === undefined) {
        return exchange.method === 'POST' ? create(exchange) : badRequest('Export jobs cannot be listed.');
      }
      const job = jobs.get(id);
      if (job === undefined) {
        return noSuchResource(id);
      }
      job.polls += 1;
      return json(200, jobBody(job));
    },
    download(exchange) {
      if (header(exchange, 'authorization') !== '') {
        return azureError(
          400,
          'InvalidAuthenticationInfo',
          'Authentication information is not given in the correct format.',
        );
      }
      const signature = exchange.query.get('sig') ?? '';
      const link = links.get(signature);
      const expired = world.faults.strike('graph', 'download-expired') !== undefined;
      if (expired) {
        links.delete(signature);
      }
      if (link === undefined || expired || link.ends < Date.now() || !exchange.path.endsWith(`/${link.job.id}.zip`)) {
        return azureError(
          403,
          'AuthenticationFailed',
          'Server failed to authenticate the request. Signature not valid in the specified time frame.',
        );
      }
      const member = contentOf(link.job);
      const broken = world.faults.strike('graph', 'zip-broken');
      const body = broken === undefined ? zip(member) : brokenZip(member, broken.number ?? 1);
      return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body };
    },
  };
}
