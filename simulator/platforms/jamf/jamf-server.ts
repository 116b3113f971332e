/** The simulated Jamf Pro server: one handler for its whole origin. */
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, readBearerToken } from '../request.ts';
import type { PlatformResponse } from '../response.ts';
import { routeTokenHolder, routeWithoutToken } from '../sign-in/jamf-sign-in.ts';
import { routeClassicApi } from './classic-api.ts';
import { routeCollections } from './collections.ts';
import { routeComputerGroups } from './computer-groups.ts';
import { listVisibleMacs, routeInventory } from './inventory.ts';
import { respondApiError, respondNotFound, respondUnauthorized } from './jamf-errors.ts';

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
      routeCollections(context, request) ??
      routeComputerGroups(context, request, macs) ??
      routeClassicApi(context, request, macs) ??
      respondNotFound()
    );
  };
}

function refuseUnknownPath({ path }: PlatformRequest): PlatformResponse | undefined {
  return path.startsWith('/api/') || path.startsWith('/JSSResource/') ? undefined : respondNotFound();
}

function refuseWithoutJamfToken(context: PlatformContext, request: PlatformRequest): PlatformResponse | undefined {
  return context.tokens.jamf.find(readBearerToken(request)) === undefined ? respondUnauthorized() : undefined;
}

function refuseWriting({ method }: PlatformRequest): PlatformResponse | undefined {
  return method === 'GET' ? undefined : respondApiError(403, 'INVALID_PRIVILEGE', 'The sandbox is read-only');
}
