/** The simulated Microsoft Graph: one handler for its whole origin. */
import { drawGuid } from '../../devices/random.ts';
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, type PlatformResponse, readBearerToken, readHeader } from '../request.ts';
import type { Exports } from './export-jobs.ts';
import { respondBadRequest, respondExpiredToken, respondGraphError } from './graph-errors.ts';
import { routeManagedDevices } from './managed-devices.ts';
import { routeDirectoryGroups, routeMobileApps } from './mobile-apps.ts';
import { routeReportRetrieval } from './retrieve-report.ts';

export function createGraphHandler(
  context: PlatformContext,
  exports: Exports,
): (request: PlatformRequest) => PlatformResponse {
  let count = 0;
  return (request) => {
    count += 1;
    const response = respondToGraphRequest(context, exports, request);
    const requestId = drawGuid(count, 701);
    const client = readHeader(request, 'client-request-id') || requestId;
    return { ...response, headers: { ...response.headers, 'request-id': requestId, 'client-request-id': client } };
  };
}

function respondToGraphRequest(context: PlatformContext, exports: Exports, request: PlatformRequest): PlatformResponse {
  if (context.graphTokens.find(readBearerToken(request)) === undefined) {
    return readBearerToken(request) === undefined
      ? respondGraphError(401, 'InvalidAuthenticationToken', 'Access token is empty.')
      : respondExpiredToken();
  }
  const data = request.path.startsWith('/v1.0/deviceManagement/reports/');
  if (data && context.faults.find('graph', 'token-expired')?.lasting) {
    context.graphTokens.revokeAll();
    return respondExpiredToken();
  }
  return (
    routeDirectoryGroups(context, request) ??
    routeManagedDevices(context, request) ??
    exports.route(request) ??
    routeReportRetrieval(context, request) ??
    routeMobileApps(context, request) ??
    respondBadRequest(`Resource not found for the segment '${request.path.split('/').at(-1)}'.`)
  );
}
