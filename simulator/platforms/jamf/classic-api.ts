/** The Classic API, as XML: each kind of object as a list, and by its id. */
import type { Mac, SimulatedDevices } from '../../devices/model.ts';
import { drawMacAddress } from '../../devices/random.ts';
import type { PlatformContext } from '../platform-context.ts';
import type { PlatformRequest } from '../request.ts';
import { respondXml } from '../response.ts';
import { toAttributeXml, toPolicyXml, toProfileXml, toScriptXml } from './classic-bodies.ts';
import { listGroupMembers } from './computer-groups.ts';
import { listAttributeDefinitions } from './extension-attributes.ts';
import { type JamfRoute, respondClassicNotFound } from './jamf-errors.ts';
import { type ComputerGroup, jamfSites } from './jamf-objects.ts';
import { createXmlList, renderXmlDocument, type XmlNode } from './xml.ts';

interface ClassicResource<Item> {
  readonly name: string;
  readonly list: string;
  readonly item: string;
  readonly privileges: JamfRoute['privileges'];
  readonly rows: (context: PlatformContext) => readonly Item[];
  readonly row?: (item: Item) => XmlNode;
  readonly detail: (item: Item, context: PlatformContext, request: PlatformRequest) => XmlNode;
}

export const classicRoutes: readonly JamfRoute[] = [
  ...createClassicRoutes({
    name: 'computergroups',
    list: 'computer_groups',
    item: 'computer_group',
    privileges: ['Read Smart Computer Groups', 'Read Static Computer Groups'],
    rows: ({ jamf }) => jamf.groups,
    row: ({ id, name, smart }) => ({ id, name, is_smart: smart }),
    detail: toGroupXml,
  }),
  ...createClassicRoutes({
    name: 'computerextensionattributes',
    list: 'computer_extension_attributes',
    item: 'computer_extension_attribute',
    privileges: ['Read Computer Extension Attributes'],
    rows: listAttributeDefinitions,
    detail: toAttributeXml,
  }),
  ...createClassicRoutes({
    name: 'scripts',
    list: 'scripts',
    item: 'script',
    privileges: ['Read Scripts'],
    rows: ({ jamf }) => jamf.scripts,
    detail: toScriptXml,
  }),
  ...createClassicRoutes({
    name: 'policies',
    list: 'policies',
    item: 'policy',
    privileges: ['Read Policies'],
    rows: ({ jamf }) => jamf.policies,
    detail: toPolicyXml,
  }),
  ...createClassicRoutes({
    name: 'osxconfigurationprofiles',
    list: 'os_x_configuration_profiles',
    item: 'os_x_configuration_profile',
    privileges: ['Read macOS Configuration Profiles'],
    rows: ({ jamf }) => jamf.profiles,
    detail: toProfileXml,
  }),
];

function createClassicRoutes<Item extends { readonly id: number; readonly name: string }>(
  resource: ClassicResource<Item>,
): JamfRoute[] {
  const { name, list, item, privileges, rows, row = ({ id, name }) => ({ id, name }), detail } = resource;
  return [
    {
      path: new RegExp(`^/JSSResource/${name}$`),
      privileges,
      respond: (context) => respondXml(renderXmlDocument(list, createXmlList(item, rows(context).map(row)))),
    },
    {
      path: new RegExp(`^/JSSResource/${name}/id/([^/]+)$`),
      privileges,
      respond(context, request, wanted) {
        const found = rows(context).find(({ id }) => String(id) === wanted);
        return found === undefined
          ? respondClassicNotFound()
          : respondXml(renderXmlDocument(item, detail(found, context, request)));
      },
    },
  ];
}

function toGroupXml(group: ComputerGroup, context: PlatformContext, request: PlatformRequest): XmlNode {
  const criteria = group.criteria.map((criterion) => ({
    name: criterion.name,
    priority: criterion.priority,
    and_or: criterion.andOr,
    search_type: criterion.searchType,
    value: criterion.value,
    opening_paren: criterion.openingParen,
    closing_paren: criterion.closingParen,
  }));
  const devices = context.devices();
  return {
    id: group.id,
    name: group.name,
    is_smart: group.smart,
    site: jamfSites[group.site ?? 'none'],
    criteria: createXmlList('criterion', criteria),
    computers: createXmlList(
      'computer',
      listGroupMembers(context, request, group).map((mac) => toMemberXml(devices, mac)),
    ),
  };
}

function toMemberXml(devices: SimulatedDevices, mac: Mac): XmlNode {
  return {
    id: mac.id,
    name: mac.name ?? '',
    mac_address: drawMacAddress(devices.seed, mac.ordinal),
    alt_mac_address: '',
    serial_number: mac.serialNumber ?? '',
  };
}
