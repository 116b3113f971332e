/** The Classic API: XML by default, JSON for lists and groups when asked, HTML for refusals. */

import type { Fleet, Mac } from '../../devices/model.ts';
import { hex } from '../../devices/random.ts';
import type { World } from '../platform-context.ts';
import { type Answer, type Exchange, header, xml } from '../request.ts';
import { attributeXml, policyXml, profileXml, scriptXml } from './classic-bodies.ts';
import { membersOf } from './computer-groups.ts';
import { definitions } from './extension-attributes.ts';
import { classicNotFound, forbidden, type Privilege } from './jamf-errors.ts';
import type { ComputerGroup } from './jamf-objects.ts';
import { type XmlNode, xmlDocument, xmlList } from './xml.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}

interface Resource {
  readonly list: string;
  readonly item: string;
  readonly privileges: readonly Privilege[];
  readonly rows: readonly Named[];
  readonly row?: (named: Named) => XmlNode;
  readonly detail: (named: Named) => XmlNode;
  /** Only where the Classic API's JSON is known to be sound. */
  readonly jsonDetail?: (named: Named) => unknown;
}

function computerOf(fleet: Fleet, mac: Mac): Record<string, string | number> {
  const address = hex(12, fleet.seed, mac.ordinal, 406)
    .toUpperCase()
    .replace(/(..)(?=.)/g, '$1:');
  return {
    id: mac.id,
    name: mac.name ?? '',
    mac_address: address,
    alt_mac_address: '',
    serial_number: mac.serial ?? '',
  };
}

function criteriaOf(group: ComputerGroup): Record<string, string | number | boolean>[] {
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

function groupResource(world: World, macs: () => readonly Mac[]): Resource {
  const groupOf = (named: Named) => world.jamf.groups.find((group) => group.id === named.id);
  const parts = (named: Named) => {
    const group = groupOf(named);
    const computers =
      group === undefined ? [] : membersOf(world, group, macs()).map((mac) => computerOf(world.fleet(), mac));
    const head = { id: named.id, name: named.name, is_smart: group?.smart ?? false, site: { id: -1, name: 'None' } };
    return { head, criteria: group === undefined ? [] : criteriaOf(group), computers };
  };
  return {
    list: 'computer_groups',
    item: 'computer_group',
    privileges: ['Read Smart Computer Groups', 'Read Static Computer Groups'],
    rows: world.jamf.groups,
    row: (named) => ({ id: named.id, name: named.name, is_smart: groupOf(named)?.smart ?? false }),
    detail: (named) => {
      const { head, criteria, computers } = parts(named);
      return { ...head, criteria: xmlList('criterion', criteria), computers: xmlList('computer', computers) };
    },
    jsonDetail: (named) => {
      const { head, criteria, computers } = parts(named);
      return { ...head, criteria, computers };
    },
  };
}

function resource<Item extends Named>(
  list: string,
  item: string,
  privilege: Privilege,
  rows: readonly Item[],
  body: (found: Item) => XmlNode,
): Resource {
  const detail = (named: Named) => {
    const found = rows.find((candidate) => candidate.id === named.id);
    return found === undefined ? {} : body(found);
  };
  return { list, item, privileges: [privilege], rows, detail };
}

function resourceOf(world: World, name: string, macs: () => readonly Mac[]): Resource | undefined {
  switch (name) {
    case 'computergroups':
      return groupResource(world, macs);
    case 'computerextensionattributes':
      return resource(
        'computer_extension_attributes',
        'computer_extension_attribute',
        'Read Computer Extension Attributes',
        definitions(world),
        attributeXml,
      );
    case 'scripts':
      return resource('scripts', 'script', 'Read Scripts', world.jamf.scripts, scriptXml);
    case 'policies':
      return resource('policies', 'policy', 'Read Policies', world.jamf.policies, (policy) => policyXml(world, policy));
    case 'osxconfigurationprofiles':
      return resource(
        'os_x_configuration_profiles',
        'os_x_configuration_profile',
        'Read macOS Configuration Profiles',
        world.jamf.profiles,
        (profile) => profileXml(world, profile),
      );
    default:
      return undefined;
  }
}

/** Recorded answers carry JSON as plain text. */
function classicJson(body: unknown): Answer {
  return { status: 200, headers: { 'content-type': 'text/plain;charset=UTF-8' }, body: JSON.stringify(body) };
}

function wantsJson(exchange: Exchange): boolean {
  return /\bjson\b/.test(header(exchange, 'accept'));
}

export function classicRoute(world: World, exchange: Exchange, macs: () => readonly Mac[]): Answer | undefined {
  const match = /^\/JSSResource\/(\w+)(?:\/(id|name)\/([^/]+))?$/.exec(exchange.path);
  const found = match === null ? undefined : resourceOf(world, match[1] ?? '', macs);
  if (match === null || found === undefined) {
    return exchange.path.startsWith('/JSSResource/') ? classicNotFound() : undefined;
  }
  const refusal = forbidden(world, exchange, ...found.privileges);
  if (refusal !== undefined) {
    return refusal;
  }
  const [, , by, wanted] = match;
  if (by === undefined) {
    const rows = found.rows.map(found.row ?? (({ id, name }) => ({ id, name })));
    return wantsJson(exchange)
      ? classicJson({ [found.list]: rows })
      : xml(xmlDocument(found.list, xmlList(found.item, rows)));
  }
  // A name that several objects share gives one of them, whichever the server meets first.
  const named = found.rows.find((row) => (by === 'id' ? String(row.id) : row.name) === wanted);
  if (named === undefined) {
    return classicNotFound();
  }
  return wantsJson(exchange) && found.jsonDetail !== undefined
    ? classicJson({ [found.item]: found.jsonDetail(named) })
    : xml(xmlDocument(found.item, found.detail(named)));
}
