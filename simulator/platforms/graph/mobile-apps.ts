/** Apps of the tenant with their rules and assignments. */
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
import templates from './templates/mobile-app.json' with { type: 'json' };

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
  const [, id, assignments] = match;
  return (
    refuseMissingPermission(context, 'DeviceManagementApps.Read.All') ??
    (id === undefined
      ? respondFiltered(() => respondApps(context, request))
      : respondApp(context, request, id, assignments !== undefined))
  );
}

function respondApp(
  context: PlatformContext,
  request: PlatformRequest,
  id: string,
  onlyAssignments: boolean,
): PlatformResponse {
  const app = context.graph.apps.find((candidate) => candidate.id === id);
  if (app === undefined) {
    return respondResourceNotFound(id);
  }
  const metadata = `${context.urls.graph}/v1.0/$metadata`;
  if (onlyAssignments) {
    return context.faults.inject('graph', 'assignments-refused', 'collection') === undefined
      ? respondJson(200, { '@odata.context': `${metadata}#assignments`, value: toAssignmentBodies(app) })
      : respondForbidden();
  }
  const isExpanded = (request.query.get('$expand') ?? '').split(',').includes('assignments');
  if (isExpanded && refusesExpansion(context)) {
    return respondBadRequest("Could not expand the property 'assignments'.");
  }
  return respondJson(200, {
    '@odata.context': `${metadata}#deviceAppManagement/mobileApps/$entity`,
    ...toAppBody(app),
    assignments: isExpanded ? toAssignmentBodies(app) : undefined,
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
    ...templates.app,
    '@odata.type': app.type,
    id: app.id,
    displayName: app.displayName,
    publishingState: app.publishingState ?? templates.app.publishingState,
  };
  return app.type === '#microsoft.graph.win32LobApp' ? { ...body, ...toWin32Properties(app) } : body;
}

function toWin32Properties(app: MobileApp): Record<string, unknown> {
  return {
    ...templates.win32,
    installCommandLine: app.installCommandLine,
    uninstallCommandLine: app.uninstallCommandLine,
    setupFilePath: app.setupFile ?? templates.win32.setupFilePath,
    rules: app.rules,
  };
}
