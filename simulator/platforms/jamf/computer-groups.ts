/** Computer groups: the smart ones in the Jamf Pro API, and the members of any group. */
import type { Mac } from '../../devices/model.ts';
import type { PlatformContext } from '../platform-context.ts';
import type { PlatformRequest } from '../request.ts';
import { type PlatformResponse, respondJson } from '../response.ts';
import { drawMacModel, drawMacVersion } from './computer-body.ts';
import { listAttributeDefinitions, readAttributeValues } from './extension-attributes.ts';
import { listVisibleMacs } from './inventory.ts';
import { respondNotFound } from './jamf-errors.ts';
import { type ComputerGroup, type Criterion, jamfSites } from './jamf-objects.ts';
import { respondPage } from './paging.ts';

export function respondSmartGroups(context: PlatformContext, request: PlatformRequest): PlatformResponse {
  const toBody = (group: ComputerGroup) => ({
    id: String(group.id),
    siteId: String(jamfSites[group.site ?? 'none'].id),
    name: group.name,
    description: group.description,
    membershipCount: listGroupMembers(context, request, group).length,
  });
  return respondPage(context, request, listSmartGroups(context), toBody, { id: ({ id }) => id });
}

export function respondSmartGroup(context: PlatformContext, _: PlatformRequest, id: string): PlatformResponse {
  const group = listSmartGroups(context).find((candidate) => String(candidate.id) === id);
  if (group === undefined) {
    return respondNotFound();
  }
  const { name, description, site = 'none', criteria } = group;
  return respondJson(200, { name, description, siteId: String(jamfSites[site].id), criteria });
}

export function respondMembership(context: PlatformContext, request: PlatformRequest, id: string): PlatformResponse {
  const group = listSmartGroups(context).find((candidate) => String(candidate.id) === id);
  return group === undefined
    ? respondNotFound()
    : respondJson(200, { members: listGroupMembers(context, request, group).map((mac) => mac.id) });
}

function listSmartGroups({ jamf }: PlatformContext): ComputerGroup[] {
  return jamf.groups.filter(({ smart }) => smart);
}

export function listGroupMembers(
  context: PlatformContext,
  request: PlatformRequest,
  { smart, site, members, lagging = [], criteria }: ComputerGroup,
): readonly Mac[] {
  const visible = listVisibleMacs(context, request);
  const macs = site === undefined ? visible : visible.filter((mac) => mac.site === site);
  if (!smart) {
    return macs.filter((mac) => members.includes(mac.id));
  }
  const isSelected = createSelector(context, criteria);
  return macs.filter((mac) => isSelected(mac) !== lagging.includes(mac.id));
}

/**
 * Makes a test of criteria, evaluated from left to right, as the server does when a computer reports. A group without
 * criteria has every managed computer; no group has an unmanaged one.
 */
function createSelector(context: PlatformContext, criteria: readonly Criterion[]): (mac: Mac) => boolean {
  const tests = criteria
    .toSorted((one, other) => one.priority - other.priority)
    .map(({ name, searchType, value, andOr }, index) => {
      const read = findReader(context, name);
      const matches = searchTypes[searchType];
      const test = (mac: Mac) => read !== undefined && matches?.(read(mac), value) === true;
      return { test, or: index > 0 && andOr === 'or' };
    });
  return (mac) =>
    mac.managed && tests.reduce((selected, { test, or }) => (or ? selected || test(mac) : selected && test(mac)), true);
}

/** Reads the field that a criterion compares; undefined where the server has no such field, so that the group has no members. */
function findReader(context: PlatformContext, name: string): ((mac: Mac) => string) | undefined {
  const devices = context.devices();
  if (name === 'Model' || name === 'Operating System Version') {
    const draw = name === 'Model' ? drawMacModel : drawMacVersion;
    return (mac) => draw(devices, mac);
  }
  const definition = listAttributeDefinitions(context).find((candidate) => candidate.name === name);
  return definition && ((mac) => (readAttributeValues(context, mac, definition) ?? []).join(', '));
}

/** Ways to compare; a group with any other has no members. */
const searchTypes: Readonly<Record<string, (actual: string, wanted: string) => boolean>> = {
  is: (actual, wanted) => actual === wanted,
  'is not': (actual, wanted) => actual !== wanted,
  like: (actual, wanted) => actual.toLowerCase().includes(wanted.toLowerCase()),
};
