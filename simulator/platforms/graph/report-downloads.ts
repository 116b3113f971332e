/** The storage of completed report exports, which needs a signed link and nothing else. */
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, readHeader } from '../request.ts';
import { type PlatformResponse, respondBinary } from '../response.ts';
import type { SimulatedExportJob } from './graph-objects.ts';
import { type ArchiveMember, createBrokenArchive, createReportFile, createZip } from './report-archive.ts';
import { hideReportRows, listReportRows } from './report-rows.ts';

export function createReportDownloadHandler(
  context: PlatformContext,
): (request: PlatformRequest) => Promise<PlatformResponse> {
  return async (request) => {
    if (readHeader(request, 'authorization') !== '') {
      return respondStorageError(
        400,
        'InvalidAuthenticationInfo',
        'Authentication information is not given in the correct format.',
      );
    }
    const job = findLinkedJob(context, request);
    if (job === undefined) {
      return respondStorageError(
        403,
        'AuthenticationFailed',
        'Server failed to authenticate the request. Signature not valid in the specified time frame.',
      );
    }
    const file = createJobFile(context, job);
    const fault = context.faults.inject('graph', 'zip-broken');
    return respondBinary(await (fault === undefined ? createZip(file) : createBrokenArchive(file, fault.number ?? 1)));
  };
}

/** An error in the form of Azure Blob Storage. */
function respondStorageError(status: number, code: string, sentence: string): PlatformResponse {
  return {
    status,
    headers: { 'content-type': 'application/xml', 'x-ms-error-code': code },
    body: `\ufeff<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code><Message>${sentence}</Message></Error>`,
  };
}

/** Undefined where the link is unknown or expired, or belongs to another job. */
function findLinkedJob(
  { exportJobs, faults }: PlatformContext,
  request: PlatformRequest,
): SimulatedExportJob | undefined {
  const signature = request.query.get('sig') ?? '';
  if (faults.inject('graph', 'download-expired') !== undefined) {
    exportJobs.linksBySignature.delete(signature);
  }
  const link = exportJobs.linksBySignature.get(signature);
  const isValid = link !== undefined && link.expires >= Date.now() && request.path.endsWith(`/${link.job.id}.zip`);
  return isValid ? link.job : undefined;
}

function createJobFile(context: PlatformContext, job: SimulatedExportJob): ArchiveMember {
  const all = listReportRows(context, job.query.application);
  const rows = job.outcome === 'empty' ? [] : job.outcome === 'short' ? hideReportRows(all) : all;
  return createReportFile(job.id, rows, job.query.columns);
}
