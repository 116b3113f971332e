/** The simulated Jamf Pro server: one handler for its whole origin. */

import type { World } from '../platform-context.ts';
import { type Answer, type Exchange, json } from '../request.ts';
import { openRoute, refused, selfRoute } from '../sign-in/jamf-sign-in.ts';
import { classicRoute } from './classic-api.ts';
import { groupRoute } from './computer-groups.ts';
import { attributeRoute } from './extension-attributes.ts';
import { inventoryRoute, visibleMacs } from './inventory.ts';
import { apiError, forbidden, notFound } from './jamf-errors.ts';
import type { Script } from './jamf-objects.ts';
import { pageOf } from './paging.ts';

function scriptBody(script: Script): Record<string, unknown> {
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

function scriptRoute(world: World, exchange: Exchange): Answer | undefined {
  const match = /^\/api\/v1\/scripts(?:\/(\d+))?$/.exec(exchange.path);
  if (match === null) {
    return undefined;
  }
  const refusal = forbidden(world, exchange, 'Read Scripts');
  if (refusal !== undefined) {
    return refusal;
  }
  if (match[1] === undefined) {
    return pageOf(world, exchange, world.jamf.scripts, scriptBody, {
      id: (script) => script.id,
      name: (script) => script.name,
    });
  }
  const found = world.jamf.scripts.find((script) => String(script.id) === match[1]);
  return found === undefined ? notFound() : json(200, scriptBody(found));
}

export function jamfHandler(world: World): (exchange: Exchange) => Answer {
  return (exchange) => {
    const open = openRoute(world, exchange);
    if (open !== undefined) {
      return open;
    }
    const known = exchange.path.startsWith('/api/') || exchange.path.startsWith('/JSSResource/');
    const refusal = known ? refused(world, exchange) : notFound();
    if (refusal !== undefined) {
      return refusal;
    }
    const self = selfRoute(world, exchange);
    if (self !== undefined) {
      return self;
    }
    if (exchange.method !== 'GET') {
      return apiError(403, 'INVALID_PRIVILEGE', 'The sandbox is read-only');
    }
    const macs = () => visibleMacs(world, exchange);
    return (
      inventoryRoute(world, exchange) ??
      attributeRoute(world, exchange) ??
      groupRoute(world, exchange, macs) ??
      scriptRoute(world, exchange) ??
      classicRoute(world, exchange, macs) ??
      notFound()
    );
  };
}
