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

interface ClassicRequest {
  readonly context: PlatformContext;
  readonly request: PlatformRequest;
  readonly macs: () => readonly Mac[];
}

interface ClassicEndpoint<Item> {
  readonly list: string;
  readonly item: string;
  readonly privileges: readonly Privilege[];
  readonly rows: (context: PlatformContext) => readonly Item[];
  readonly row?: (item: Item) => XmlNode;
  readonly detail: (item: Item, classic: ClassicRequest) => XmlNode;
  /** Only where the Classic API's JSON is known to be correct. */
  readonly jsonDetail?: (item: Item, classic: ClassicRequest) => unknown;
}

/** Answers for the object of that id or name, or with the list where no key is given. */
type ClassicRoute = (classic: ClassicRequest, key: string | undefined, wanted: string | undefined) => PlatformResponse;

const routes: Readonly<Record<string, ClassicRoute>> = {
  computergroups: createClassicRoute({
    list: 'computer_groups',
    item: 'computer_group',
    privileges: ['Read Smart Computer Groups', 'Read Static Computer Groups'],
    rows: ({ jamf }) => jamf.groups,
    row: ({ id, name, smart }) => ({ id, name, is_smart: smart }),
    detail: (group, classic) => {
      const { criteria, computers, ...head } = toGroupParts(group, classic);
      return {
        ...head,
        criteria: createXmlList('criterion', criteria),
        computers: createXmlList('computer', computers),
      };
    },
    jsonDetail: toGroupParts,
  }),
  computerextensionattributes: createClassicRoute({
    list: 'computer_extension_attributes',
    item: 'computer_extension_attribute',
    privileges: ['Read Computer Extension Attributes'],
    rows: listAttributeDefinitions,
    detail: toAttributeXml,
  }),
  scripts: createClassicRoute({
    list: 'scripts',
    item: 'script',
    privileges: ['Read Scripts'],
    rows: ({ jamf }) => jamf.scripts,
    detail: toScriptXml,
  }),
  policies: createClassicRoute({
    list: 'policies',
    item: 'policy',
    privileges: ['Read Policies'],
    rows: ({ jamf }) => jamf.policies,
    detail: (policy, { context }) => toPolicyXml(context, policy),
  }),
  osxconfigurationprofiles: createClassicRoute({
    list: 'os_x_configuration_profiles',
    item: 'os_x_configuration_profile',
    privileges: ['Read macOS Configuration Profiles'],
    rows: ({ jamf }) => jamf.profiles,
    detail: (profile, { context }) => toProfileXml(context, profile),
  }),
};

export function routeClassicApi(
  context: PlatformContext,
  request: PlatformRequest,
  macs: () => readonly Mac[],
): PlatformResponse | undefined {
  if (!request.path.startsWith('/JSSResource/')) {
    return undefined;
  }
  const [, name = '', key, wanted] = /^\/JSSResource\/(\w+)(?:\/(id|name)\/([^/]+))?$/.exec(request.path) ?? [];
  const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
  return route?.({ context, request, macs }, key, wanted) ?? respondClassicNotFound();
}

function createClassicRoute<Item extends { readonly id: number; readonly name: string }>(
  endpoint: ClassicEndpoint<Item>,
): ClassicRoute {
  const { list, item, row = ({ id, name }) => ({ id, name }) } = endpoint;
  return (classic, key, wanted) => {
    const { context, request } = classic;
    const refusal = refuseMissingPrivilege(context, request, ...endpoint.privileges);
    if (refusal !== undefined) {
      return refusal;
    }
    const isJson = /\bjson\b/.test(readHeader(request, 'accept'));
    const all = endpoint.rows(context);
    if (key === undefined) {
      const rows = all.map(row);
      return isJson
        ? respondClassicJson({ [list]: rows })
        : respondXml(renderXmlDocument(list, createXmlList(item, rows)));
    }
    // A name that several objects share gives one of them, whichever the server finds first.
    const found = all.find(({ id, name }) => (key === 'id' ? String(id) : name) === wanted);
    if (found === undefined) {
      return respondClassicNotFound();
    }
    return isJson && endpoint.jsonDetail !== undefined
      ? respondClassicJson({ [item]: endpoint.jsonDetail(found, classic) })
      : respondXml(renderXmlDocument(item, endpoint.detail(found, classic)));
  };
}

function toGroupParts(group: ComputerGroup, { context, macs }: ClassicRequest) {
  return {
    id: group.id,
    name: group.name,
    is_smart: group.smart,
    site: { id: -1, name: 'None' },
    criteria: group.criteria.map((criterion) => ({
      name: criterion.name,
      priority: criterion.priority,
      and_or: criterion.andOr,
      search_type: criterion.searchType,
      value: criterion.value,
      opening_paren: criterion.openingParen,
      closing_paren: criterion.closingParen,
    })),
    computers: listGroupMembers(context, group, macs()).map((mac) => toMemberBody(context.devices(), mac)),
  };
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

/** Recorded responses have JSON as plain text. */
function respondClassicJson(body: unknown): PlatformResponse {
  return { status: 200, headers: { 'content-type': 'text/plain;charset=UTF-8' }, body: JSON.stringify(body) };
}
