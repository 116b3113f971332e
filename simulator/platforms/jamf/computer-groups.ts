/** Computer groups in the Jamf Pro API: the list of all, smart groups and their members by id. */
import type { Mac } from '../../devices/model.ts';
import type { PlatformContext } from '../platform-context.ts';
import type { PlatformRequest } from '../request.ts';
import { type PlatformResponse, respondJson } from '../response.ts';
import { refuseMissingPrivilege, respondNotFound } from './jamf-errors.ts';
import type { ComputerGroup } from './jamf-objects.ts';
import { respondPage } from './paging.ts';
import { createGroupPredicate } from './smart-group-criteria.ts';

/** The section GROUP_MEMBERSHIPS of one computer. */
export function createMembershipReader(context: PlatformContext): (mac: Mac) => unknown[] {
  const groups = context.jamf.groups.map((group) => ({ group, selected: createMembershipTest(context, group) }));
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

export function routeComputerGroups(
  context: PlatformContext,
  request: PlatformRequest,
  macs: () => readonly Mac[],
): PlatformResponse | undefined {
  if (request.path === '/api/v1/computer-groups') {
    // A plain array without pages: a client that asks for pages gets the whole list each time.
    return (
      refuseMissingPrivilege(context, request, 'Read Smart Computer Groups', 'Read Static Computer Groups') ??
      respondJson(200, context.jamf.groups.map(toGroupBody))
    );
  }
  const match = /^\/api\/v([23])\/computer-groups\/(smart-groups|smart-group-membership)(?:\/(\d+))?$/.exec(
    request.path,
  );
  if (match === null) {
    return undefined;
  }
  if (match[1] === '3' && context.jamfOptions.older) {
    return respondNotFound();
  }
  const refusal = refuseMissingPrivilege(context, request, 'Read Smart Computer Groups');
  if (refusal !== undefined) {
    return refusal;
  }
  if (match[3] === undefined) {
    return match[2] === 'smart-groups' ? respondSmartGroups(context, request, macs()) : respondNotFound();
  }
  const group = context.jamf.groups.find((candidate) => candidate.smart && String(candidate.id) === match[3]);
  if (group === undefined) {
    return respondNotFound();
  }
  return match[2] === 'smart-groups'
    ? respondJson(200, toSmartGroupBody(group))
    : respondJson(200, { members: listGroupMembers(context, group, macs()).map((mac) => mac.id) });
}

function respondSmartGroups(
  context: PlatformContext,
  request: PlatformRequest,
  macs: readonly Mac[],
): PlatformResponse {
  const groups = context.jamf.groups.filter((group) => group.smart);
  const toBody = (group: ComputerGroup) => ({
    id: String(group.id),
    siteId: '-1',
    name: group.name,
    description: group.description,
    membershipCount: listGroupMembers(context, group, macs).length,
  });
  return respondPage(context, request, groups, toBody, {
    id: ({ id }) => id,
    name: ({ name }) => name,
    siteId: () => '-1',
  });
}

function toGroupBody({ id, name, description, smart }: ComputerGroup): Record<string, unknown> {
  return { id: String(id), name, description, smartGroup: smart };
}

function toSmartGroupBody({ name, description, criteria }: ComputerGroup): Record<string, unknown> {
  return { name, description, siteId: '-1', criteria };
}

export function listGroupMembers(context: PlatformContext, group: ComputerGroup, macs: readonly Mac[]): readonly Mac[] {
  return macs.filter(createMembershipTest(context, group));
}

function createMembershipTest(context: PlatformContext, group: ComputerGroup): (mac: Mac) => boolean {
  const members = new Set(group.members);
  const lagging = new Set(group.lagging);
  const selected = createGroupPredicate(context, group.criteria);
  return group.smart ? (mac) => selected(mac) !== lagging.has(mac.id) : (mac) => members.has(mac.id);
}
