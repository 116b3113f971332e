/** The simulated Microsoft Graph: one handler for its whole origin. */

import { guid } from '../../devices/random.ts';
import type { World } from '../platform-context.ts';
import { type Answer, bearer, type Exchange, header } from '../request.ts';
import type { Exports } from './export-jobs.ts';
import { badRequest, expiredToken, graphError } from './graph-errors.ts';
import { deviceRoute } from './managed-devices.ts';
import { appRoute, groupsRoute } from './mobile-apps.ts';
import { retrieveRoute } from './retrieve-report.ts';

function answerTo(world: World, exports: Exports, exchange: Exchange): Answer {
  if (world.graphTokens.find(bearer(exchange)) === undefined) {
    return bearer(exchange) === undefined
      ? graphError(401, 'InvalidAuthenticationToken', 'Access token is empty.')
      : expiredToken();
  }
  const data = exchange.path.startsWith('/v1.0/deviceManagement/reports/');
  if (data && world.faults.find('graph', 'token-expired')?.lasting) {
    world.graphTokens.revokeAll();
    return expiredToken();
  }
  return (
    groupsRoute(world, exchange) ??
    deviceRoute(world, exchange) ??
    exports.route(exchange) ??
    retrieveRoute(world, exchange) ??
    appRoute(world, exchange) ??
    badRequest(`Resource not found for the segment '${exchange.path.split('/').at(-1)}'.`)
  );
}

export function graphHandler(world: World, exports: Exports): (exchange: Exchange) => Answer {
  let count = 0;
  return (exchange) => {
    count += 1;
    const answer = answerTo(world, exports, exchange);
    const requestId = guid(count, 701);
    const client = header(exchange, 'client-request-id') || requestId;
    return { ...answer, headers: { ...answer.headers, 'request-id': requestId, 'client-request-id': client } };
  };
}
