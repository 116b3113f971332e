/** Apps of the tenant with their rules and assignments. */
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, type PlatformResponse, respondJson } from '../request.ts';
import {
  refuseMissingPermission,
  respondBadRequest,
  respondGraphError,
  respondResourceNotFound,
} from './graph-errors.ts';
import type { DirectoryGroup, MobileApp } from './graph-objects.ts';
import { ODataError, parseODataFilter } from './odata-filter.ts';

/** Groups of the directory, for those who may look up names. */
export function routeDirectoryGroups(context: PlatformContext, request: PlatformRequest): PlatformResponse | undefined {
  if (!/^\/v1\.0\/groups\b/.test(request.path)) {
    return undefined;
  }
  const refusal = refuseMissingPermission(context, 'GroupMember.Read.All');
  if (refusal !== undefined || request.path !== '/v1.0/groups') {
    return refusal ?? respondBadRequest('Not simulated.');
  }
  const filter = request.query.get('$filter') ?? '';
  const keep =
    filter === '' ? () => true : parseODataFilter<DirectoryGroup>(filter, { displayName: (one) => one.displayName });
  return respondJson(200, { value: context.graph.groups.filter(keep) });
}

export function routeMobileApps(context: PlatformContext, request: PlatformRequest): PlatformResponse | undefined {
  const match = /^\/v1\.0\/deviceAppManagement\/mobileApps(?:\/([^/]+))?(\/assignments)?$/.exec(request.path);
  if (match === null || request.method !== 'GET') {
    return undefined;
  }
  const refusal = refuseMissingPermission(context, 'DeviceManagementApps.Read.All');
  if (refusal !== undefined) {
    return refusal;
  }
  if (match[1] === undefined) {
    return respondApps(context, request);
  }
  const app = context.graph.apps.find((candidate) => candidate.id === match[1]);
  if (app === undefined) {
    return respondResourceNotFound(match[1]);
  }
  if (match[2] !== undefined) {
    return respondJson(200, {
      '@odata.context': `${context.urls.graph}/v1.0/$metadata#assignments`,
      value: app.assignments,
    });
  }
  const expanded = (request.query.get('$expand') ?? '').split(',').includes('assignments');
  return respondJson(200, {
    '@odata.context': `${context.urls.graph}/v1.0/$metadata#deviceAppManagement/mobileApps/$entity`,
    ...toAppBody(app),
    ...(expanded ? { assignments: app.assignments } : {}),
  });
}

function respondApps(context: PlatformContext, request: PlatformRequest): PlatformResponse {
  if (request.query.has('$top')) {
    // Seen with $top=999; the list is to be read without it.
    return respondGraphError(500, 'InternalServerError', 'Internal server error');
  }
  const filter = request.query.get('$filter') ?? '';
  try {
    const keep =
      filter === ''
        ? () => true
        : parseODataFilter<MobileApp>(filter, { displayName: (app) => app.displayName, id: (app) => app.id });
    return respondJson(200, {
      '@odata.context': `${context.urls.graph}/v1.0/$metadata#deviceAppManagement/mobileApps`,
      value: context.graph.apps.filter(keep).map(toAppBody),
    });
  } catch (error) {
    if (error instanceof ODataError) {
      return respondBadRequest(error.message);
    }
    throw error;
  }
}

function toAppBody(app: MobileApp): Record<string, unknown> {
  const win32 = app.type === '#microsoft.graph.win32LobApp';
  return {
    '@odata.type': app.type,
    id: app.id,
    displayName: app.displayName,
    description: '',
    publisher: 'Example',
    largeIcon: null,
    createdDateTime: '2026-01-12T09:30:00Z',
    lastModifiedDateTime: '2026-06-01T07:00:00Z',
    isFeatured: false,
    privacyInformationUrl: null,
    informationUrl: null,
    owner: '',
    developer: '',
    notes: '',
    publishingState: app.publishingState ?? 'published',
    ...(win32
      ? {
          committedContentVersion: '1',
          fileName: 'Install-Agent.intunewin',
          size: 41_943_040,
          installCommandLine: app.installCommandLine,
          uninstallCommandLine: app.uninstallCommandLine,
          applicableArchitectures: 'x64',
          minimumSupportedWindowsRelease: '1607',
          setupFilePath: app.setupFile ?? 'Install-Agent.ps1',
          msiInformation: null,
          rules: app.rules,
          installExperience: { runAsAccount: 'system', deviceRestartBehavior: 'suppress' },
          returnCodes: [
            { returnCode: 0, type: 'success' },
            { returnCode: 3010, type: 'softReboot' },
          ],
        }
      : {}),
  };
}
