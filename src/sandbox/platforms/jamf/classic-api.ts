/** The Classic API: XML by default, JSON for lists and groups when asked, HTML for refusals. */
import type { Mac, SimulatedDevices } from '../../devices/model.ts';
import { drawHex } from '../../devices/random.ts';
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, type PlatformResponse, readHeader, respondXml } from '../request.ts';
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

interface ClassicResource {
  readonly list: string;
  readonly item: string;
  readonly privileges: readonly Privilege[];
  readonly rows: readonly NamedObject[];
  readonly row?: (named: NamedObject) => XmlNode;
  readonly detail: (named: NamedObject) => XmlNode;
  /** Only where the Classic API's JSON is known to be sound. */
  readonly jsonDetail?: (named: NamedObject) => unknown;
}

export function routeClassicApi(
  context: PlatformContext,
  request: PlatformRequest,
  macs: () => readonly Mac[],
): PlatformResponse | undefined {
  const match = /^\/JSSResource\/(\w+)(?:\/(id|name)\/([^/]+))?$/.exec(request.path);
  const found = match === null ? undefined : findResource(context, match[1] ?? '', macs);
  if (match === null || found === undefined) {
    return request.path.startsWith('/JSSResource/') ? respondClassicNotFound() : undefined;
  }
  const refusal = refuseMissingPrivilege(context, request, ...found.privileges);
  if (refusal !== undefined) {
    return refusal;
  }
  const [, , by, wanted] = match;
  if (by === undefined) {
    const rows = found.rows.map(found.row ?? (({ id, name }) => ({ id, name })));
    return acceptsJson(request)
      ? respondClassicJson({ [found.list]: rows })
      : respondXml(renderXmlDocument(found.list, createXmlList(found.item, rows)));
  }
  // A name that several objects share gives one of them, whichever the server meets first.
  const named = found.rows.find((row) => (by === 'id' ? String(row.id) : row.name) === wanted);
  if (named === undefined) {
    return respondClassicNotFound();
  }
  return acceptsJson(request) && found.jsonDetail !== undefined
    ? respondClassicJson({ [found.item]: found.jsonDetail(named) })
    : respondXml(renderXmlDocument(found.item, found.detail(named)));
}

function findResource(context: PlatformContext, name: string, macs: () => readonly Mac[]): ClassicResource | undefined {
  switch (name) {
    case 'computergroups':
      return createGroupResource(context, macs);
    case 'computerextensionattributes':
      return createResource(
        'computer_extension_attributes',
        'computer_extension_attribute',
        'Read Computer Extension Attributes',
        listAttributeDefinitions(context),
        toAttributeXml,
      );
    case 'scripts':
      return createResource('scripts', 'script', 'Read Scripts', context.jamf.scripts, toScriptXml);
    case 'policies':
      return createResource('policies', 'policy', 'Read Policies', context.jamf.policies, (policy) =>
        toPolicyXml(context, policy),
      );
    case 'osxconfigurationprofiles':
      return createResource(
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

function createGroupResource(context: PlatformContext, macs: () => readonly Mac[]): ClassicResource {
  const groupOf = (named: NamedObject) => context.jamf.groups.find((group) => group.id === named.id);
  const parts = (named: NamedObject) => {
    const group = groupOf(named);
    const computers =
      group === undefined
        ? []
        : listGroupMembers(context, group, macs()).map((mac) => toMemberBody(context.devices(), mac));
    const head = { id: named.id, name: named.name, is_smart: group?.smart ?? false, site: { id: -1, name: 'None' } };
    return { head, criteria: group === undefined ? [] : toCriteriaBody(group), computers };
  };
  return {
    list: 'computer_groups',
    item: 'computer_group',
    privileges: ['Read Smart Computer Groups', 'Read Static Computer Groups'],
    rows: context.jamf.groups,
    row: (named) => ({ id: named.id, name: named.name, is_smart: groupOf(named)?.smart ?? false }),
    detail: (named) => {
      const { head, criteria, computers } = parts(named);
      return {
        ...head,
        criteria: createXmlList('criterion', criteria),
        computers: createXmlList('computer', computers),
      };
    },
    jsonDetail: (named) => {
      const { head, criteria, computers } = parts(named);
      return { ...head, criteria, computers };
    },
  };
}

function toMemberBody(devices: SimulatedDevices, mac: Mac): Record<string, string | number> {
  const address = drawHex(12, devices.seed, mac.ordinal, 406)
    .toUpperCase()
    .replace(/(..)(?=.)/g, '$1:');
  return {
    id: mac.id,
    name: mac.name ?? '',
    mac_address: address,
    alt_mac_address: '',
    serial_number: mac.serialNumber ?? '',
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

function createResource<Item extends NamedObject>(
  list: string,
  item: string,
  privilege: Privilege,
  rows: readonly Item[],
  body: (found: Item) => XmlNode,
): ClassicResource {
  const detail = (named: NamedObject) => {
    const found = rows.find((candidate) => candidate.id === named.id);
    return found === undefined ? {} : body(found);
  };
  return { list, item, privileges: [privilege], rows, detail };
}

function acceptsJson(request: PlatformRequest): boolean {
  return /\bjson\b/.test(readHeader(request, 'accept'));
}

/** Recorded answers carry JSON as plain text. */
function respondClassicJson(body: unknown): PlatformResponse {
  return { status: 200, headers: { 'content-type': 'text/plain;charset=UTF-8' }, body: JSON.stringify(body) };
}
