/** The computer inventory, versions 1 to 4: sections, sort, filter, pages, and the faults of a walk. */

import { serverError } from '../../control/inject-faults.ts';
import { jamfDate, macContactedAt, macEnrolledAt, macReportedAt } from '../../devices/contact-times.ts';
import { bearMac } from '../../devices/create-device.ts';
import type { Fleet, Mac } from '../../devices/model.ts';
import type { World } from '../platform-context.ts';
import { type Answer, bearer, type Exchange, json } from '../request.ts';
import {
  type ComputerQuestion,
  computerBody,
  macModel,
  macSystem,
  macUser,
  type Section,
  sections,
  udid,
} from './computer-body.ts';
import { membershipsOf } from './computer-groups.ts';
import { definitions } from './extension-attributes.ts';
import { apiError, forbidden, notFound, unauthorized } from './jamf-errors.ts';
import { badFilter, pageQuestion, sorted, sortKeys } from './paging.ts';
import { type Fields, parseFilter } from './rsql-filter.ts';

type InventoryFields = Fields<Mac>;

/** The serial number can be filtered by, but not sorted by. */
function sortFields(fleet: Fleet): InventoryFields {
  const contact = (mac: Mac) => jamfDate(macContactedAt(fleet, mac));
  return {
    id: (mac) => mac.id,
    udid: (mac) => udid(fleet, mac),
    'general.name': (mac) => mac.name,
    'general.reportDate': (mac) => jamfDate(macReportedAt(fleet, mac)),
    'general.lastContact': contact,
    'general.lastContactTime': contact,
    'general.lastCheckIn': contact,
    'general.lastEnrolledDate': (mac) => jamfDate(macEnrolledAt(fleet, mac)),
    'hardware.model': (mac) => macModel(fleet, mac),
    'operatingSystem.version': (mac) => macSystem(fleet, mac),
    'userAndLocation.username': (mac) => macUser(fleet, mac)?.userName ?? null,
  };
}

function filterFields(fleet: Fleet): InventoryFields {
  return {
    ...sortFields(fleet),
    'general.remoteManagement.managed': (mac) => mac.managed,
    'hardware.serialNumber': (mac) => mac.serial,
  };
}

/** What the account may see: all Macs, or those of its site. */
export function visibleMacs(world: World, exchange: Exchange): readonly Mac[] {
  const macs = world.fleet().macs;
  const sited = world.jamfOptions.site && world.jamfTokens.find(bearer(exchange))?.kind === 'account';
  return sited ? macs.filter((mac) => mac.site === 'headquarters') : macs;
}

function askedSections(exchange: Exchange): Set<Section> | undefined {
  const asked = exchange.query.getAll('section').flatMap((value) => value.split(','));
  const known = asked.filter((name): name is Section => Object.hasOwn(sections, name));
  if (known.length !== asked.length) {
    return undefined;
  }
  return new Set(known.length === 0 ? ['GENERAL'] : known);
}

/** Sorting 100,000 computers for every page would take longer than the walk; ids are in order already. */
const sortedCache = new WeakMap<Fleet, { key: string; macs: readonly Mac[] }>();

function inOrder(fleet: Fleet, macs: readonly Mac[], keys: readonly string[]): readonly Mac[] {
  if (keys.length === 1 && (keys[0] === 'id:asc' || keys[0] === 'id')) {
    return macs;
  }
  const key = `${fleet.version} ${macs.length} ${keys.join(',')}`;
  const known = sortedCache.get(fleet);
  if (known?.key === key) {
    return known.macs;
  }
  const ordered = sorted(macs, keys, sortFields(fleet));
  sortedCache.set(fleet, { key, macs: ordered });
  return ordered;
}

/** Between two pages the first computer leaves and a new one comes. */
function drift(fleet: Fleet): void {
  const leaver = fleet.macs.findIndex((mac) => !mac.pinned);
  fleet.macs = [...fleet.macs.filter((_, index) => index !== leaver), bearMac(fleet, fleet.night)];
  fleet.version += 1;
}

function isLaterPage(exchange: Exchange): boolean {
  const filter = exchange.query.get('filter') ?? '';
  return (Number(exchange.query.get('page') ?? 0) || 0) > 0 || /\bid\s*(>|=g[te]=)=?\s*"?[1-9]/.test(filter);
}

function hide(world: World, all: readonly Mac[], page: readonly Mac[], size: number): readonly Mac[] {
  if (!world.faults.strikes('jamf', 'rows-hidden')) {
    return page;
  }
  const hidden = new Set(all.filter((_, index) => (all.length < 30 ? index === all.length - 2 : index % 40 === 13)));
  // The fault has struck once a walk has reached the end of the fleet; asking for the newest alone is no walk.
  if (size > 1 && page.includes(all[all.length - 1] as Mac)) {
    world.faults.strike('jamf', 'rows-hidden');
  }
  return page.filter((mac) => !hidden.has(mac));
}

function list(world: World, exchange: Exchange, version: number): Answer {
  const asked = askedSections(exchange);
  if (asked === undefined) {
    return apiError(400, 'INVALID_FIELD', 'Unknown section', 'section');
  }
  if (isLaterPage(exchange) && world.faults.strike('jamf', 'drifting-pages') !== undefined) {
    drift(world.fleet());
  }
  const fleet = world.fleet();
  const all = visibleMacs(world, exchange);
  const { page, size } = pageQuestion(world, exchange);
  if ((isLaterPage(exchange) || all.length <= size) && world.faults.strike('jamf', 'token-expired') !== undefined) {
    world.jamfTokens.revokeAll();
    return unauthorized();
  }
  try {
    const filter = exchange.query.get('filter') ?? '';
    const ordered = inOrder(fleet, all, sortKeys(exchange, 'general.name:asc'));
    const kept = filter === '' ? ordered : ordered.filter(parseFilter(filter, filterFields(fleet)));
    const rows = kept.slice(page * size, (page + 1) * size);
    const slow = world.faults.find('jamf', 'slow-pages');
    if (
      slow !== undefined &&
      rows.length > (slow.number ?? 100) &&
      world.faults.strike('jamf', 'slow-pages') !== undefined
    ) {
      return serverError('jamf', 504);
    }
    const question = questionOf(world, version, asked);
    const results = hide(world, all, rows, size).map((mac) => computerBody(question, mac));
    return json(200, { totalCount: kept.length, results });
  } catch (error) {
    return badFilter(error);
  }
}

function questionOf(world: World, version: number, asked: ReadonlySet<Section>): ComputerQuestion {
  const memberships = asked.has('GROUP_MEMBERSHIPS') ? membershipsOf(world) : () => [];
  return { world, fleet: world.fleet(), version, sections: asked, definitions: definitions(world), memberships };
}

function one(world: World, exchange: Exchange, version: number, id: string, detail: boolean): Answer {
  const mac = visibleMacs(world, exchange).find((candidate) => String(candidate.id) === id);
  const all = new Set(Object.keys(sections) as Section[]);
  const asked = detail ? all : askedSections(exchange);
  if (mac === undefined || asked === undefined) {
    return notFound();
  }
  return json(200, computerBody(questionOf(world, version, asked), mac));
}

export function inventoryRoute(world: World, exchange: Exchange): Answer | undefined {
  const match = /^\/api\/v([1-4])\/computers-inventory(-detail)?(?:\/(\d+))?$/.exec(exchange.path);
  if (match === null || exchange.method !== 'GET') {
    return undefined;
  }
  const version = Number(match[1]);
  if (version === 4 && world.jamfOptions.older) {
    return notFound();
  }
  const refusal = forbidden(world, exchange, 'Read Computers');
  if (refusal !== undefined) {
    return refusal;
  }
  const id = match[3];
  return id === undefined ? list(world, exchange, version) : one(world, exchange, version, id, match[2] !== undefined);
}
