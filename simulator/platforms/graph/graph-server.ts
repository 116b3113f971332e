/** The simulated Microsoft Graph: one handler for its whole origin. */
import { drawGuid, purpose } from '../../devices/random.ts';
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, readBearerToken, readHeader } from '../request.ts';
import type { PlatformResponse } from '../response.ts';
import { routeExportJobs } from './export-jobs.ts';
import { respondBadRequest, respondExpiredToken, respondGraphError } from './graph-errors.ts';
import { routeManagedDevices } from './managed-devices.ts';
import { routeDirectoryGroups, routeMobileApps } from './mobile-apps.ts';
import { routeReportRetrieval } from './retrieve-report.ts';

export function createGraphHandler(context: PlatformContext): (request: PlatformRequest) => PlatformResponse {
  let count = 0;
  return (request) => {
    count += 1;
    const response = respondToGraphRequest(context, request);
    const requestId = drawGuid(count, purpose.requestId);
    const clientRequestId = readHeader(request, 'client-request-id') || requestId;
    return {
      ...response,
      headers: { ...response.headers, 'request-id': requestId, 'client-request-id': clientRequestId },
    };
  };
}

function respondToGraphRequest(context: PlatformContext, request: PlatformRequest): PlatformResponse {
  return (
    refuseWithoutGraphToken(context, request) ??
    refuseExpiredToken(context, request) ??
    refuseUnlicensedTenant(context, request) ??
    routeDirectoryGroups(context, request) ??
    routeManagedDevices(context, request) ??
    routeExportJobs(context, request) ??
    routeReportRetrieval(context, request) ??
    routeMobileApps(context, request) ??
    respondBadRequest(`Resource not found for the segment '${request.path.split('/').at(-1)}'.`)
  );
}

function refuseWithoutGraphToken(context: PlatformContext, request: PlatformRequest): PlatformResponse | undefined {
  const token = readBearerToken(request);
  if (token === undefined) {
    return respondGraphError(401, 'InvalidAuthenticationToken', 'Access token is empty.');
  }
  return context.tokens.graph.find(token) === undefined ? respondExpiredToken() : undefined;
}

/** The fault licence-missing: nothing of Intune is there. */
function refuseUnlicensedTenant(context: PlatformContext, { path }: PlatformRequest): PlatformResponse | undefined {
  const isIntune = /^\/v1\.0\/device(App)?Management\//.test(path);
  return isIntune && context.faults.inject('graph', 'licence-missing') !== undefined
    ? respondBadRequest('Request not applicable to target tenant.')
    : undefined;
}

/** The fault token-expired, where it lasts: no token is good enough for a report. */
function refuseExpiredToken(context: PlatformContext, request: PlatformRequest): PlatformResponse | undefined {
  const isReport = request.path.startsWith('/v1.0/deviceManagement/reports/');
  if (!isReport || !context.faults.find('graph', 'token-expired')?.lasting) {
    return undefined;
  }
  context.tokens.graph.revokeAll();
  return respondExpiredToken();
}
