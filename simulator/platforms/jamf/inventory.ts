/** The computer inventory, versions 1 to 4: sections, sort, filter, pages, and the faults of a walk. */
import { computeMacContactTime, computeMacEnrollmentTime, computeMacReportTime } from '../../devices/contact-times.ts';
import type { Mac, SimulatedDevices } from '../../devices/model.ts';
import { removeFirstMac, replaceFirstMac } from '../../devices/replace-device.ts';
import { formatJamfDate } from '../format-dates.ts';
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, readBearerToken } from '../request.ts';
import { type PlatformResponse, respondJson } from '../response.ts';
import { refuseSlowPage } from '../transient-errors.ts';
import {
  type ComputerQuery,
  drawMacModel,
  drawMacVersion,
  drawUdid,
  findMacUser,
  type SectionName,
  sectionNames,
  toComputerBody,
} from './computer-body.ts';
import { createMembershipReader } from './computer-groups.ts';
import { createAttributeReader } from './extension-attributes.ts';
import { refuseMissingPrivilege, respondApiError, respondNotFound, respondUnauthorized } from './jamf-errors.ts';
import { readPageQuery, readSortKeys, respondInvalidFilter, sortJamfRows } from './paging.ts';
import { type FilterFields, parseRsqlFilter } from './rsql-filter.ts';

type InventoryFields = FilterFields<Mac>;

/** Kept, since sorting 100,000 computers for every page would take longer than the walk. */
const sortedMacs = new WeakMap<SimulatedDevices, { key: string; macs: readonly Mac[] }>();

export function routeInventory(context: PlatformContext, request: PlatformRequest): PlatformResponse | undefined {
  const match = /^\/api\/v([1-4])\/computers-inventory(-detail)?(?:\/(\d+))?$/.exec(request.path);
  if (match === null || request.method !== 'GET') {
    return undefined;
  }
  const version = Number(match[1]);
  if (version === 4 && context.jamfOptions.older) {
    return respondNotFound();
  }
  const refusal = refuseMissingPrivilege(context, request, 'Read Computers');
  if (refusal !== undefined) {
    return refusal;
  }
  const id = match[3];
  return id === undefined
    ? respondInventoryPage(context, request, version)
    : respondComputer(context, request, version, id, match[2] !== undefined);
}

function respondInventoryPage(context: PlatformContext, request: PlatformRequest, version: number): PlatformResponse {
  const sections = readRequestedSections(request);
  if (sections === undefined) {
    return respondApiError(400, 'INVALID_FIELD', 'Unknown section', 'section');
  }
  if (isLaterPage(request) && context.faults.inject('jamf', 'drifting-pages') !== undefined) {
    replaceFirstMac(context.devices());
  }
  // A job on the server that deletes one Mac during every walk.
  if (request.query.get('page') === '1' && context.faults.inject('jamf', 'clean-up') !== undefined) {
    removeFirstMac(context.devices());
  }
  const devices = context.devices();
  const all = listVisibleMacs(context, request);
  const { page, size } = readPageQuery(context, request);
  if ((isLaterPage(request) || all.length <= size) && context.faults.inject('jamf', 'token-expired') !== undefined) {
    context.tokens.jamf.revokeAll();
    return respondUnauthorized();
  }
  try {
    const filter = request.query.get('filter') ?? '';
    const ordered = sortMacs(devices, all, readSortKeys(request, 'general.name:asc'));
    const kept = filter === '' ? ordered : ordered.filter(parseRsqlFilter(filter, createFilterFields(devices)));
    const rows = kept.slice(page * size, (page + 1) * size);
    const refusal = refuseSlowPage(context.faults, 'jamf', rows.length);
    if (refusal !== undefined) {
      return refusal;
    }
    const query = createComputerQuery(context, version, sections);
    const results = hideMacs(context, all, rows, size).map((mac) => toComputerBody(query, mac));
    return respondJson(200, { totalCount: kept.length, results });
  } catch (error) {
    return respondInvalidFilter(error);
  }
}

function isLaterPage(request: PlatformRequest): boolean {
  const filter = request.query.get('filter') ?? '';
  return (Number(request.query.get('page') ?? 0) || 0) > 0 || /\bid\s*(>|=g[te]=)=?\s*"?[1-9]/.test(filter);
}

function sortMacs(devices: SimulatedDevices, macs: readonly Mac[], keys: readonly string[]): readonly Mac[] {
  // They are in the order of their ids already.
  if (keys.length === 1 && (keys[0] === 'id:asc' || keys[0] === 'id')) {
    return macs;
  }
  const key = `${devices.revision} ${macs.length} ${keys.join(',')}`;
  const known = sortedMacs.get(devices);
  if (known?.key === key) {
    return known.macs;
  }
  const ordered = sortJamfRows(macs, keys, createSortFields(devices));
  sortedMacs.set(devices, { key, macs: ordered });
  return ordered;
}

function createFilterFields(devices: SimulatedDevices): InventoryFields {
  return {
    ...createSortFields(devices),
    'general.remoteManagement.managed': (mac) => mac.managed,
    'hardware.serialNumber': (mac) => mac.serialNumber,
  };
}

/** The serial number can be filtered by, but not sorted by. */
function createSortFields(devices: SimulatedDevices): InventoryFields {
  const contact = (mac: Mac) => formatJamfDate(computeMacContactTime(devices, mac));
  return {
    id: (mac) => mac.id,
    udid: (mac) => drawUdid(devices, mac),
    'general.name': (mac) => mac.name,
    'general.reportDate': (mac) => formatJamfDate(computeMacReportTime(devices, mac)),
    'general.lastContact': contact,
    'general.lastContactTime': contact,
    'general.lastCheckIn': contact,
    'general.lastEnrolledDate': (mac) => formatJamfDate(computeMacEnrollmentTime(devices, mac)),
    'hardware.model': (mac) => drawMacModel(devices, mac),
    'operatingSystem.version': (mac) => drawMacVersion(devices, mac),
    'userAndLocation.username': (mac) => findMacUser(devices, mac)?.userName ?? null,
  };
}

function hideMacs(context: PlatformContext, all: readonly Mac[], page: readonly Mac[], size: number): readonly Mac[] {
  if (!context.faults.isActive('jamf', 'rows-hidden')) {
    return page;
  }
  // One of a few Macs; of many one in forty.
  const hidden = new Set(all.filter((_, index) => (all.length < 30 ? index === all.length - 2 : index % 40 === 13)));
  const last = all.at(-1);
  // The fault counts as injected once a walk has reached the last Mac; a request for the newest Mac alone is no walk.
  if (size > 1 && last !== undefined && page.includes(last)) {
    context.faults.inject('jamf', 'rows-hidden');
  }
  return page.filter((mac) => !hidden.has(mac));
}

function respondComputer(
  context: PlatformContext,
  request: PlatformRequest,
  version: number,
  id: string,
  detail: boolean,
): PlatformResponse {
  const mac = listVisibleMacs(context, request).find((candidate) => String(candidate.id) === id);
  const sections = detail ? new Set(sectionNames) : readRequestedSections(request);
  if (mac === undefined || sections === undefined) {
    return respondNotFound();
  }
  return respondJson(200, toComputerBody(createComputerQuery(context, version, sections), mac));
}

/** The Macs that the account may see: all, or those of its site. */
export function listVisibleMacs(context: PlatformContext, request: PlatformRequest): readonly Mac[] {
  const macs = context.devices().macs;
  const isSiteScoped =
    context.jamfOptions.site && context.tokens.jamf.find(readBearerToken(request))?.kind === 'account';
  return isSiteScoped ? macs.filter((mac) => mac.site === 'headquarters') : macs;
}

/** Undefined where one of them does not exist. */
function readRequestedSections(request: PlatformRequest): Set<SectionName> | undefined {
  const requested = request.query.getAll('section').flatMap((value) => value.split(','));
  const known = sectionNames.filter((name) => requested.includes(name));
  if (!requested.every((name) => known.some((section) => section === name))) {
    return undefined;
  }
  return new Set(known.length === 0 ? ['GENERAL'] : known);
}

function createComputerQuery(
  context: PlatformContext,
  version: number,
  sections: ReadonlySet<SectionName>,
): ComputerQuery {
  return {
    devices: context.devices(),
    version,
    sections,
    attributes: createAttributeReader(context),
    memberships: sections.has('GROUP_MEMBERSHIPS') ? createMembershipReader(context) : () => [],
  };
}
