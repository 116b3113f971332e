/** The simulated Microsoft Graph: one handler for its whole origin. */
import { drawGuid, purpose } from '../../devices/random.ts';
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, readBearerToken, readHeader } from '../request.ts';
import { type PlatformResponse, Refusal, respondOrRefuse } from '../response.ts';
import type { TokenHolder } from '../secrets.ts';
import { respondJob, respondNewJob } from './export-jobs.ts';
import {
  type GraphRoute,
  refuseMissingPermission,
  respondBadRequest,
  respondExpiredToken,
  respondForbidden,
  respondGraphError,
} from './graph-errors.ts';
import { respondDevice, respondDevicePage, respondOverview } from './managed-devices.ts';
import { respondApp, respondApps, respondAssignments, respondGroups } from './mobile-apps.ts';
import { respondReport } from './retrieve-report.ts';
import { respondMail } from './send-mail.ts';

const devices = '/v1.0/deviceManagement/managedDevices';
const apps = '/v1.0/deviceAppManagement/mobileApps';
const reports = '/v1.0/deviceManagement/reports';
const action = 'retrieveDeviceAppInstallationStatusReport';
const readDevices = ['DeviceManagementManagedDevices.Read.All'];
const readApps = ['DeviceManagementApps.Read.All'];

const routes: readonly GraphRoute[] = [
  createRoute('GET', '/v1.0/groups', ['GroupMember.Read.All'], respondGroups),
  createRoute('GET', '/v1.0/deviceManagement/managedDeviceOverview', readDevices, respondOverview),
  createRoute('GET', devices, readDevices, respondDevicePage),
  createRoute('GET', `${devices}/([^/]+)`, readDevices, respondDevice),
  createRoute('GET', apps, readApps, respondApps),
  createRoute('GET', `${apps}/([^/]+)`, readApps, respondApp),
  createRoute('GET', `${apps}/([^/]+)/assignments`, readApps, respondAssignments),
  createRoute('POST', `${reports}/exportJobs`, [...readApps, ...readDevices], respondNewJob),
  createRoute('GET', `${reports}/exportJobs\\('([^']+)'\\)`, [...readApps, ...readDevices], respondJob),
  createRoute('POST', `${reports}/${action}`, readApps, respondReport),
];

function createRoute(
  method: GraphRoute['method'],
  path: string,
  oneOf: readonly string[],
  respond: GraphRoute['respond'],
): GraphRoute {
  return { method, path: new RegExp(`^${path}$`), oneOf, respond };
}

export function createGraphHandler(context: PlatformContext): (request: PlatformRequest) => PlatformResponse {
  let count = 0;
  return (request) => {
    count += 1;
    const response = respondOrRefuse(() => respondToGraphRequest(context, request));
    const requestId = drawGuid(count, purpose.requestId);
    const clientRequestId = readHeader(request, 'client-request-id') || requestId;
    return {
      ...response,
      headers: { ...response.headers, 'request-id': requestId, 'client-request-id': clientRequestId },
    };
  };
}

function respondToGraphRequest(context: PlatformContext, request: PlatformRequest): PlatformResponse {
  const holder = findTokenHolder(context, request);
  const mailbox = /^\/v1\.0\/users\/([^/]+)\/sendMail$/.exec(request.path)?.[1];
  if (mailbox !== undefined && request.method === 'POST') {
    return respondMail(context, request, decodeURIComponent(mailbox), holder);
  }
  if (holder === 'mail') {
    return respondForbidden();
  }
  refuseExpiredToken(context, request);
  refuseUnlicensedTenant(context, request);
  for (const { method, path, oneOf, respond } of routes) {
    const match = method === request.method ? path.exec(request.path) : null;
    if (match !== null) {
      refuseMissingPermission(context, oneOf);
      return respond(context, request, match[1] ?? '');
    }
  }
  return respondBadRequest(`Resource not found for the segment '${request.path.split('/').at(-1)}'.`);
}

function findTokenHolder(context: PlatformContext, request: PlatformRequest): TokenHolder {
  const token = readBearerToken(request);
  if (token === undefined) {
    throw new Refusal(respondGraphError(401, 'InvalidAuthenticationToken', 'Access token is empty.'));
  }
  const holder = context.tokens.graph.find(token);
  if (holder === undefined) {
    throw new Refusal(respondExpiredToken());
  }
  return holder;
}

/** The fault token-expired, if it lasts: no token is accepted for a report. */
function refuseExpiredToken(context: PlatformContext, request: PlatformRequest): void {
  const isReport = request.path.startsWith('/v1.0/deviceManagement/reports/');
  if (isReport && context.faults.find('graph', 'token-expired')?.lasting) {
    context.tokens.graph.revokeAll();
    throw new Refusal(respondExpiredToken());
  }
}

/** The fault licence-missing: Intune refuses every request. */
function refuseUnlicensedTenant(context: PlatformContext, { path }: PlatformRequest): void {
  const isIntune = /^\/v1\.0\/device(App)?Management\//.test(path);
  if (isIntune && context.faults.inject('graph', 'licence-missing') !== undefined) {
    throw new Refusal(respondBadRequest('Request not applicable to target tenant.'));
  }
}
