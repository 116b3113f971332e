/** The Classic API: XML by default, JSON for lists and groups on request, HTML for errors. */
import type { Mac, SimulatedDevices } from '../../devices/model.ts';
import { drawMacAddress } from '../../devices/random.ts';
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, readHeader } from '../request.ts';
import { type PlatformResponse, respondXml } from '../response.ts';
import { toAttributeXml, toPolicyXml, toProfileXml, toScriptXml } from './classic-bodies.ts';
import { listGroupMembers } from './computer-groups.ts';
import { listAttributeDefinitions } from './extension-attributes.ts';
import { type Privilege, refuseMissingPrivilege, respondClassicNotFound } from './jamf-errors.ts';
import type { ComputerGroup } from './jamf-objects.ts';
import { createXmlList, renderXmlDocument, type XmlNode } from './xml.ts';

interface NamedObject {
  readonly id: number;
  readonly name: string;
}

interface ClassicEndpoint {
  readonly list: string;
  readonly item: string;
  readonly privileges: readonly Privilege[];
  readonly rows: readonly NamedObject[];
  readonly row?: (named: NamedObject) => XmlNode;
  readonly detail: (named: NamedObject) => XmlNode;
  /** Only where the Classic API's JSON is known to be correct. */
  readonly jsonDetail?: (named: NamedObject) => unknown;
}

export function routeClassicApi(
  context: PlatformContext,
  request: PlatformRequest,
  macs: () => readonly Mac[],
): PlatformResponse | undefined {
  const match = /^\/JSSResource\/(\w+)(?:\/(id|name)\/([^/]+))?$/.exec(request.path);
  const found = match === null ? undefined : findEndpoint(context, match[1] ?? '', macs);
  if (match === null || found === undefined) {
    return request.path.startsWith('/JSSResource/') ? respondClassicNotFound() : undefined;
  }
  const refusal = refuseMissingPrivilege(context, request, ...found.privileges);
  if (refusal !== undefined) {
    return refusal;
  }
  const [, , key, wanted] = match;
  if (key === undefined) {
    return respondClassicList(request, found);
  }
  // A name that several objects share gives one of them, whichever the server finds first.
  const named = found.rows.find((row) => (key === 'id' ? String(row.id) : row.name) === wanted);
  return named === undefined ? respondClassicNotFound() : respondClassicDetail(request, found, named);
}

function findEndpoint(context: PlatformContext, name: string, macs: () => readonly Mac[]): ClassicEndpoint | undefined {
  switch (name) {
    case 'computergroups':
      return createGroupEndpoint(context, macs);
    case 'computerextensionattributes':
      return createEndpoint(
        'computer_extension_attributes',
        'computer_extension_attribute',
        'Read Computer Extension Attributes',
        listAttributeDefinitions(context),
        toAttributeXml,
      );
    case 'scripts':
      return createEndpoint('scripts', 'script', 'Read Scripts', context.jamf.scripts, toScriptXml);
    case 'policies':
      return createEndpoint('policies', 'policy', 'Read Policies', context.jamf.policies, (policy) =>
        toPolicyXml(context, policy),
      );
    case 'osxconfigurationprofiles':
      return createEndpoint(
        'os_x_configuration_profiles',
        'os_x_configuration_profile',
        'Read macOS Configuration Profiles',
        context.jamf.profiles,
        (profile) => toProfileXml(context, profile),
      );
    default:
      return undefined;
  }
}

function createGroupEndpoint(context: PlatformContext, macs: () => readonly Mac[]): ClassicEndpoint {
  const findGroup = (named: NamedObject) => context.jamf.groups.find((group) => group.id === named.id);
  const readParts = (named: NamedObject) => {
    const group = findGroup(named);
    const members = group === undefined ? [] : listGroupMembers(context, group, macs());
    return {
      head: { id: named.id, name: named.name, is_smart: group?.smart ?? false, site: { id: -1, name: 'None' } },
      criteria: group === undefined ? [] : toCriteriaBody(group),
      computers: members.map((mac) => toMemberBody(context.devices(), mac)),
    };
  };
  return {
    list: 'computer_groups',
    item: 'computer_group',
    privileges: ['Read Smart Computer Groups', 'Read Static Computer Groups'],
    rows: context.jamf.groups,
    row: (named) => ({ id: named.id, name: named.name, is_smart: findGroup(named)?.smart ?? false }),
    detail: (named) => {
      const { head, criteria, computers } = readParts(named);
      return {
        ...head,
        criteria: createXmlList('criterion', criteria),
        computers: createXmlList('computer', computers),
      };
    },
    jsonDetail: (named) => {
      const { head, criteria, computers } = readParts(named);
      return { ...head, criteria, computers };
    },
  };
}

function toCriteriaBody(group: ComputerGroup): Record<string, string | number | boolean>[] {
  return group.criteria.map((criterion) => ({
    name: criterion.name,
    priority: criterion.priority,
    and_or: criterion.andOr,
    search_type: criterion.searchType,
    value: criterion.value,
    opening_paren: criterion.openingParen,
    closing_paren: criterion.closingParen,
  }));
}

function toMemberBody(devices: SimulatedDevices, mac: Mac): Record<string, string | number> {
  return {
    id: mac.id,
    name: mac.name ?? '',
    mac_address: drawMacAddress(devices.seed, mac.ordinal),
    alt_mac_address: '',
    serial_number: mac.serialNumber ?? '',
  };
}

function createEndpoint<Item extends NamedObject>(
  list: string,
  item: string,
  privilege: Privilege,
  rows: readonly Item[],
  toXml: (found: Item) => XmlNode,
): ClassicEndpoint {
  const detail = (named: NamedObject) => {
    const found = rows.find((candidate) => candidate.id === named.id);
    return found === undefined ? {} : toXml(found);
  };
  return { list, item, privileges: [privilege], rows, detail };
}

function respondClassicList(request: PlatformRequest, resource: ClassicEndpoint): PlatformResponse {
  const rows = resource.rows.map(resource.row ?? (({ id, name }) => ({ id, name })));
  return acceptsJson(request)
    ? respondClassicJson({ [resource.list]: rows })
    : respondXml(renderXmlDocument(resource.list, createXmlList(resource.item, rows)));
}

function respondClassicDetail(
  request: PlatformRequest,
  resource: ClassicEndpoint,
  named: NamedObject,
): PlatformResponse {
  return acceptsJson(request) && resource.jsonDetail !== undefined
    ? respondClassicJson({ [resource.item]: resource.jsonDetail(named) })
    : respondXml(renderXmlDocument(resource.item, resource.detail(named)));
}

function acceptsJson(request: PlatformRequest): boolean {
  return /\bjson\b/.test(readHeader(request, 'accept'));
}

/** Recorded responses have JSON as plain text. */
function respondClassicJson(body: unknown): PlatformResponse {
  return { status: 200, headers: { 'content-type': 'text/plain;charset=UTF-8' }, body: JSON.stringify(body) };
}
