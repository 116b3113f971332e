/** The simulated Jamf Pro server: one handler for its whole origin. */
import { buildings, departments, type NamedLocation } from '../../devices/locations.ts';
import type { PlatformContext } from '../platform-context.ts';
import type { PlatformRequest } from '../request.ts';
import { type PlatformResponse, respondJson } from '../response.ts';
import { refuseWithoutJamfToken, routeTokenHolder, routeWithoutToken } from '../sign-in/jamf-sign-in.ts';
import { routeClassicApi } from './classic-api.ts';
import { routeComputerGroups } from './computer-groups.ts';
import { routeExtensionAttributes } from './extension-attributes.ts';
import { listVisibleMacs, routeInventory } from './inventory.ts';
import { type Privilege, refuseMissingPrivilege, respondApiError, respondNotFound } from './jamf-errors.ts';
import type { JamfScript } from './jamf-objects.ts';
import { respondPage } from './paging.ts';

export function createJamfHandler(context: PlatformContext): (request: PlatformRequest) => PlatformResponse {
  return (request) => {
    const macs = () => listVisibleMacs(context, request);
    return (
      routeWithoutToken(context, request) ??
      refuseUnknownPath(request) ??
      refuseWithoutJamfToken(context, request) ??
      routeTokenHolder(context, request) ??
      refuseWriting(request) ??
      routeInventory(context, request) ??
      routeExtensionAttributes(context, request) ??
      routeComputerGroups(context, request, macs) ??
      routeScripts(context, request) ??
      routePlaces(context, request) ??
      routeClassicApi(context, request, macs) ??
      respondNotFound()
    );
  };
}

function refuseUnknownPath({ path }: PlatformRequest): PlatformResponse | undefined {
  return path.startsWith('/api/') || path.startsWith('/JSSResource/') ? undefined : respondNotFound();
}

function refuseWriting({ method }: PlatformRequest): PlatformResponse | undefined {
  return method === 'GET' ? undefined : respondApiError(403, 'INVALID_PRIVILEGE', 'The sandbox is read-only');
}

const placeEndpoints: Readonly<
  Record<string, { readonly privilege: Privilege; readonly rows: readonly NamedLocation[] }>
> = {
  '/api/v1/departments': { privilege: 'Read Departments', rows: departments },
  '/api/v1/buildings': { privilege: 'Read Buildings', rows: buildings },
};

function routePlaces(context: PlatformContext, request: PlatformRequest): PlatformResponse | undefined {
  const endpoint = placeEndpoints[request.path];
  if (endpoint === undefined) {
    return undefined;
  }
  const toBody = ({ id, name }: NamedLocation) => ({ id: String(id), name });
  return (
    refuseMissingPrivilege(context, request, endpoint.privilege) ??
    respondPage(context, request, endpoint.rows, toBody, { id: (place) => place.id, name: (place) => place.name })
  );
}

function routeScripts(context: PlatformContext, request: PlatformRequest): PlatformResponse | undefined {
  const match = /^\/api\/v1\/scripts(?:\/(\d+))?$/.exec(request.path);
  if (match === null) {
    return undefined;
  }
  const refusal = refuseMissingPrivilege(context, request, 'Read Scripts');
  if (refusal !== undefined) {
    return refusal;
  }
  if (match[1] === undefined) {
    return respondPage(context, request, context.jamf.scripts, toScriptBody, {
      id: (script) => script.id,
      name: (script) => script.name,
    });
  }
  const found = context.jamf.scripts.find((script) => String(script.id) === match[1]);
  return found === undefined ? respondNotFound() : respondJson(200, toScriptBody(found));
}

function toScriptBody(script: JamfScript): Record<string, unknown> {
  const labels = Array.from({ length: 8 }, (_, index) => [`parameter${index + 4}`, script.labels[index] ?? '']);
  return {
    id: String(script.id),
    name: script.name,
    info: '',
    notes: '',
    priority: script.priority,
    categoryId: '-1',
    categoryName: 'NONE',
    ...Object.fromEntries(labels),
    osRequirements: '',
    scriptContents: script.contents,
  };
}
