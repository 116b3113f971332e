/** The simulated Jamf Pro server: one handler for its whole origin. */
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, readBearerToken } from '../request.ts';
import { type PlatformResponse, respondOrRefuse } from '../response.ts';
import { classicRoutes } from './classic-api.ts';
import { collectionRoutes } from './collections.ts';
import { respondMembership, respondSmartGroup, respondSmartGroups } from './computer-groups.ts';
import { respondInventory } from './inventory.ts';
import {
  type JamfRoute,
  refuseMissingPrivilege,
  respondApiError,
  respondClassicNotFound,
  respondNotFound,
  respondUnauthorized,
} from './jamf-errors.ts';
import { respondCurrentAccount, routeSignIn } from './sign-in.ts';

const groupPrivileges = ['Read Smart Computer Groups'] as const;

const routes: readonly JamfRoute[] = [
  { path: /^\/api\/v1\/auth$/, privileges: [], respond: respondCurrentAccount },
  { path: /^\/api\/v([1-4])\/computers-inventory$/, privileges: ['Read Computers'], respond: respondInventory },
  { path: /^\/api\/v[23]\/computer-groups\/smart-groups$/, privileges: groupPrivileges, respond: respondSmartGroups },
  {
    path: /^\/api\/v[23]\/computer-groups\/smart-groups\/(\d+)$/,
    privileges: groupPrivileges,
    respond: respondSmartGroup,
  },
  {
    path: /^\/api\/v[23]\/computer-groups\/smart-group-membership\/(\d+)$/,
    privileges: groupPrivileges,
    respond: respondMembership,
  },
  ...collectionRoutes,
  ...classicRoutes,
];

/** Paths that a server of version 11.20 does not have. */
const newerPaths = /^\/api\/(v4\/computers-inventory|v3\/computer-groups)/;

export function createJamfHandler(context: PlatformContext): (request: PlatformRequest) => PlatformResponse {
  return (request) => routeSignIn(context, request) ?? respondOrRefuse(() => respondToToken(context, request));
}

function respondToToken(context: PlatformContext, request: PlatformRequest): PlatformResponse {
  const { path, method } = request;
  const isClassic = path.startsWith('/JSSResource/');
  if (!isClassic && !path.startsWith('/api/')) {
    return respondNotFound();
  }
  if (context.tokens.jamf.find(readBearerToken(request)) === undefined) {
    return respondUnauthorized();
  }
  if (method !== 'GET') {
    return respondApiError(403, 'INVALID_PRIVILEGE', 'The simulator is read-only');
  }
  for (const { path: pattern, privileges, respond } of routes) {
    const match = context.jamfOptions.older && newerPaths.test(path) ? null : pattern.exec(path);
    if (match !== null) {
      refuseMissingPrivilege(context, request, privileges);
      return respond(context, request, match[1] ?? '');
    }
  }
  return isClassic ? respondClassicNotFound() : respondNotFound();
}
