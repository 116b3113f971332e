/** Apps of the tenant with their rules and assignments. */
import { omitUndefined } from '../omit-undefined.ts';
import type { PlatformContext } from '../platform-context.ts';
import type { PlatformRequest } from '../request.ts';
import { type PlatformResponse, respondJson } from '../response.ts';
import {
  refuseMissingPermission,
  respondBadRequest,
  respondForbidden,
  respondGraphError,
  respondResourceNotFound,
} from './graph-errors.ts';
import type { AppAssignment, DirectoryGroup, MobileApp } from './graph-objects.ts';
import { parseODataFilter, respondFiltered } from './odata-filter.ts';

/** Groups of the directory, for clients that may look up their names. */
export function routeDirectoryGroups(context: PlatformContext, request: PlatformRequest): PlatformResponse | undefined {
  if (!/^\/v1\.0\/groups\b/.test(request.path)) {
    return undefined;
  }
  const refusal = refuseMissingPermission(context, 'GroupMember.Read.All');
  if (refusal !== undefined || request.path !== '/v1.0/groups') {
    return refusal ?? respondBadRequest('Not simulated.');
  }
  const matches = parseODataFilter<DirectoryGroup>(request.query.get('$filter') ?? '', {
    displayName: (group) => group.displayName,
  });
  return respondJson(200, { value: context.graph.groups.filter(matches) });
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
    return respondFiltered(() => respondApps(context, request));
  }
  const app = context.graph.apps.find((candidate) => candidate.id === match[1]);
  if (app === undefined) {
    return respondResourceNotFound(match[1]);
  }
  if (match[2] !== undefined) {
    if (context.faults.inject('graph', 'assignments-refused', 'collection') !== undefined) {
      return respondForbidden();
    }
    return respondJson(200, {
      '@odata.context': `${context.urls.graph}/v1.0/$metadata#assignments`,
      value: toAssignmentBodies(app),
    });
  }
  const isExpanded = (request.query.get('$expand') ?? '').split(',').includes('assignments');
  if (isExpanded && refusesExpansion(context)) {
    return respondBadRequest("Could not expand the property 'assignments'.");
  }
  return respondJson(200, {
    '@odata.context': `${context.urls.graph}/v1.0/$metadata#deviceAppManagement/mobileApps/$entity`,
    ...toAppBody(app),
    ...omitUndefined({ assignments: isExpanded ? toAssignmentBodies(app) : undefined }),
  });
}

function refusesExpansion({ faults }: PlatformContext): boolean {
  const names = ['expand-refused', 'assignments-refused'] as const;
  return names.some((name) => faults.inject('graph', name, 'expansion') !== undefined);
}

/** Only the beta version shows which filter an assignment has. */
function toAssignmentBodies({ assignments }: MobileApp): AppAssignment[] {
  return assignments.map(({ target, ...assignment }) => {
    const {
      deviceAndAppManagementAssignmentFilterId: _id,
      deviceAndAppManagementAssignmentFilterType: _type,
      ...shown
    } = target;
    return { ...assignment, target: shown };
  });
}

function respondApps(context: PlatformContext, request: PlatformRequest): PlatformResponse {
  if (request.query.has('$top')) {
    // Real tenants answer this to $top=999; clients must read the list without it.
    return respondGraphError(500, 'InternalServerError', 'Internal server error');
  }
  const matches = parseODataFilter<MobileApp>(request.query.get('$filter') ?? '', {
    displayName: (app) => app.displayName,
    id: (app) => app.id,
  });
  return respondJson(200, {
    '@odata.context': `${context.urls.graph}/v1.0/$metadata#deviceAppManagement/mobileApps`,
    value: context.graph.apps.filter(matches).map(toAppBody),
  });
}

function toAppBody(app: MobileApp): Record<string, unknown> {
  const body = {
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
  };
  return app.type === '#microsoft.graph.win32LobApp' ? { ...body, ...toWin32Properties(app) } : body;
}

function toWin32Properties(app: MobileApp): Record<string, unknown> {
  return {
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
  };
}
