/** Apps of the tenant with their rules and assignments. */

import type { World } from '../platform-context.ts';
import { type Answer, type Exchange, json } from '../request.ts';
import { badRequest, graphError, noSuchResource, withoutPermission } from './graph-errors.ts';
import type { App, DirectoryGroup } from './graph-objects.ts';
import { ODataError, parseOData } from './odata-filter.ts';

function appBody(app: App): Record<string, unknown> {
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

/** Groups of the directory, for those who may look up names. */
export function groupsRoute(world: World, exchange: Exchange): Answer | undefined {
  if (!/^\/v1\.0\/groups\b/.test(exchange.path)) {
    return undefined;
  }
  const refusal = withoutPermission(world, 'GroupMember.Read.All');
  if (refusal !== undefined || exchange.path !== '/v1.0/groups') {
    return refusal ?? badRequest('Not simulated.');
  }
  const filter = exchange.query.get('$filter') ?? '';
  const keep =
    filter === '' ? () => true : parseOData<DirectoryGroup>(filter, { displayName: (one) => one.displayName });
  return json(200, { value: world.graph.groups.filter(keep) });
}

function list(world: World, exchange: Exchange): Answer {
  if (exchange.query.has('$top')) {
    // Seen with $top=999; the list is to be read without it.
    return graphError(500, 'InternalServerError', 'Internal server error');
  }
  const filter = exchange.query.get('$filter') ?? '';
  try {
    const keep =
      filter === ''
        ? () => true
        : parseOData<App>(filter, { displayName: (app) => app.displayName, id: (app) => app.id });
    return json(200, {
      '@odata.context': `${world.urls.graph}/v1.0/$metadata#deviceAppManagement/mobileApps`,
      value: world.graph.apps.filter(keep).map(appBody),
    });
  } catch (error) {
    if (error instanceof ODataError) {
      return badRequest(error.message);
    }
    throw error;
  }
}

export function appRoute(world: World, exchange: Exchange): Answer | undefined {
  const match = /^\/v1\.0\/deviceAppManagement\/mobileApps(?:\/([^/]+))?(\/assignments)?$/.exec(exchange.path);
  if (match === null || exchange.method !== 'GET') {
    return undefined;
  }
  const refusal = withoutPermission(world, 'DeviceManagementApps.Read.All');
  if (refusal !== undefined) {
    return refusal;
  }
  if (match[1] === undefined) {
    return list(world, exchange);
  }
  const app = world.graph.apps.find((candidate) => candidate.id === match[1]);
  if (app === undefined) {
    return noSuchResource(match[1]);
  }
  if (match[2] !== undefined) {
    return json(200, { '@odata.context': `${world.urls.graph}/v1.0/$metadata#assignments`, value: app.assignments });
  }
  const expanded = (exchange.query.get('$expand') ?? '').split(',').includes('assignments');
  return json(200, {
    '@odata.context': `${world.urls.graph}/v1.0/$metadata#deviceAppManagement/mobileApps/$entity`,
    ...appBody(app),
    ...(expanded ? { assignments: app.assignments } : {}),
  });
}
