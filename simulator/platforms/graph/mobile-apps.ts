/** Apps of the tenant with their rules and assignments, and groups of the directory. */
import type { PlatformContext } from '../platform-context.ts';
import type { PlatformRequest } from '../request.ts';
import { type PlatformResponse, respondJson } from '../response.ts';
import { respondBadRequest, respondForbidden, respondGraphError, respondResourceNotFound } from './graph-errors.ts';
import type { AppAssignment, MobileApp } from './graph-objects.ts';
import { filterRows, parseFilter } from './odata-filter.ts';

/** Groups of the directory, for clients that may look up their names. */
export function respondGroups({ graph }: PlatformContext, request: PlatformRequest): PlatformResponse {
  return respondJson(200, {
    value: filterRows(graph.groups, parseFilter(request.query), { displayName: ({ displayName }) => displayName }),
  });
}

export function respondApps({ graph, urls }: PlatformContext, request: PlatformRequest): PlatformResponse {
  if (request.query.has('$top')) {
    // Real tenants answer $top=999 with this error; clients must read the list without it.
    return respondGraphError(500, 'InternalServerError', 'Internal server error');
  }
  return respondJson(200, {
    '@odata.context': `${urls.graph}/v1.0/$metadata#deviceAppManagement/mobileApps`,
    value: filterRows(graph.apps, parseFilter(request.query), { displayName: ({ displayName }) => displayName }).map(
      toAppBody,
    ),
  });
}

export function respondApp(context: PlatformContext, request: PlatformRequest, id: string): PlatformResponse {
  const app = context.graph.apps.find((candidate) => candidate.id === id);
  if (app === undefined) {
    return respondResourceNotFound(id);
  }
  const isExpanded = request.query.get('$expand') === 'assignments';
  if (isExpanded && refusesExpansion(context)) {
    return respondBadRequest("Could not expand the property 'assignments'.");
  }
  return respondJson(200, {
    '@odata.context': `${context.urls.graph}/v1.0/$metadata#deviceAppManagement/mobileApps/$entity`,
    ...toAppBody(app),
    assignments: isExpanded ? toAssignmentBodies(app) : undefined,
  });
}

export function respondAssignments(context: PlatformContext, _: PlatformRequest, id: string): PlatformResponse {
  const app = context.graph.apps.find((candidate) => candidate.id === id);
  if (app === undefined) {
    return respondResourceNotFound(id);
  }
  return context.faults.inject('graph', 'assignments-refused', 'collection') === undefined
    ? respondJson(200, {
        '@odata.context': `${context.urls.graph}/v1.0/$metadata#assignments`,
        value: toAssignmentBodies(app),
      })
    : respondForbidden();
}

function refusesExpansion({ faults }: PlatformContext): boolean {
  const names = ['expand-refused', 'assignments-refused'] as const;
  return names.some((name) => faults.inject('graph', name, 'expansion') !== undefined);
}

/** Bodies of assignments, without filters, which only the beta version shows. */
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

function toAppBody(app: MobileApp): Record<string, unknown> {
  const body = {
    '@odata.type': app.type,
    id: app.id,
    displayName: app.displayName,
    description: '',
    publisher: 'Example',
    createdDateTime: '2026-01-12T09:30:00Z',
    lastModifiedDateTime: '2026-06-01T07:00:00Z',
    publishingState: app.publishingState ?? 'published',
  };
  return app.type === '#microsoft.graph.win32LobApp' ? { ...body, ...toWin32Properties(app) } : body;
}

function toWin32Properties(app: MobileApp): Record<string, unknown> {
  return {
    fileName: 'Install-Agent.intunewin',
    size: 41_943_040,
    installCommandLine: app.installCommandLine,
    uninstallCommandLine: app.uninstallCommandLine,
    applicableArchitectures: 'x64',
    minimumSupportedWindowsRelease: '1607',
    setupFilePath: app.setupFile ?? 'Install-Agent.ps1',
    rules: app.rules,
    installExperience: { runAsAccount: 'system', deviceRestartBehavior: 'suppress' },
  };
}
