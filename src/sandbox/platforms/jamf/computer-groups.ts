/** Computer groups in the Jamf Pro API: the bare list, smart groups and their members by id. */

import type { Mac } from '../../devices/model.ts';
import type { World } from '../platform-context.ts';
import { type Answer, type Exchange, json } from '../request.ts';
import { forbidden, notFound } from './jamf-errors.ts';
import type { ComputerGroup } from './jamf-objects.ts';
import { pageOf } from './paging.ts';
import { selects } from './smart-group-criteria.ts';

function holder(world: World, group: ComputerGroup): (mac: Mac) => boolean {
  const members = new Set(group.members);
  const lagging = new Set(group.lagging);
  const selected = selects(world, group.criteria);
  return group.smart ? (mac) => selected(mac) !== lagging.has(mac.id) : (mac) => members.has(mac.id);
}

export function membersOf(world: World, group: ComputerGroup, macs: readonly Mac[]): readonly Mac[] {
  return macs.filter(holder(world, group));
}

/** The section GROUP_MEMBERSHIPS of one computer. */
export function membershipsOf(world: World): (mac: Mac) => unknown[] {
  const groups = world.jamf.groups.map((group) => ({ group, selected: holder(world, group) }));
  return (mac) =>
    groups
      .filter(({ selected }) => selected(mac))
      .map(({ group }) => ({
        groupId: String(group.id),
        groupName: group.name,
        groupDescription: group.description,
        smartGroup: group.smart,
      }));
}

function smartGroupBody(group: ComputerGroup): Record<string, unknown> {
  return { name: group.name, description: group.description, siteId: '-1', criteria: group.criteria };
}

function smartGroups(world: World, exchange: Exchange, macs: readonly Mac[]): Answer {
  return pageOf(
    world,
    exchange,
    world.jamf.groups.filter((group) => group.smart),
    (group) => ({
      id: String(group.id),
      siteId: '-1',
      name: group.name,
      description: group.description,
      membershipCount: membersOf(world, group, macs).length,
    }),
    { id: (group) => group.id, name: (group) => group.name, siteId: () => '-1' },
  );
}

export function groupRoute(world: World, exchange: Exchange, macs: () => readonly Mac[]): Answer | undefined {
  if (exchange.path === '/api/v1/computer-groups') {
    const refusal = forbidden(world, exchange, 'Read Smart Computer Groups', 'Read Static Computer Groups');
    const body = world.jamf.groups.map((group) => ({
      id: String(group.id),
      name: group.name,
      description: group.description,
      smartGroup: group.smart,
    }));
    // A bare array, never paged: whoever pages it gets the whole list each time.
    return refusal ?? json(200, body);
  }
  const match = /^\/api\/v([23])\/computer-groups\/(smart-groups|smart-group-membership)(?:\/(\d+))?$/.exec(
    exchange.path,
  );
  if (match === null) {
    return undefined;
  }
  if (match[1] === '3' && world.jamfOptions.older) {
    return notFound();
  }
  const refusal = forbidden(world, exchange, 'Read Smart Computer Groups');
  if (refusal !== undefined) {
    return refusal;
  }
  if (match[3] === undefined) {
    return match[2] === 'smart-groups' ? smartGroups(world, exchange, macs()) : notFound();
  }
  const group = world.jamf.groups.find((candidate) => candidate.smart && String(candidate.id) === match[3]);
  if (group === undefined) {
    return notFound();
  }
  return match[2] === 'smart-groups'
    ? json(200, smartGroupBody(group))
    : json(200, { members: membersOf(world, group, macs()).map((mac) => mac.id) });
}
