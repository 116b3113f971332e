/** managedDevices: every device of the tenant, of any operating system, page by page through next links. */
import { renameDevice, replaceFirstDevice } from '../../devices/advance-devices.ts';
import type { SimulatedDevices } from '../../devices/model.ts';
import { drawGuid, purpose } from '../../devices/random.ts';
import { doubleRows } from '../double-rows.ts';
import { formatGraphDate } from '../format-dates.ts';
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, toWholeNumber } from '../request.ts';
import { type PlatformResponse, Refusal, respondJson } from '../response.ts';
import { refuseSlowPage } from '../transient-errors.ts';
import { type ListedDevice, readEnrollmentDate, readOperatingSystem, toDeviceBody } from './device-body.ts';
import { compareKeys, cutByKey, cutByPosition, type DeviceKey, parseKey } from './device-pages.ts';
import { respondBadRequest, respondExpiredToken, respondResourceNotFound } from './graph-errors.ts';
import { type FilterClause, filterRows, parseFilter } from './odata-filter.ts';

const defaultHiddenPercent = 50;

const defaultOverwrittenPercent = 50;

/** The overview. With the fault overview-outdated it counts overwritten records too, a share of the devices in percent. */
export function respondOverview(context: PlatformContext): PlatformResponse {
  const outdated = context.faults.find('graph', 'overview-outdated');
  const overwritten = outdated === undefined ? 0 : (outdated.number ?? defaultOverwrittenPercent) / 100;
  const { windows, others } = context.devices();
  const count = (operatingSystem: string) =>
    others.filter((device) => device.operatingSystem === operatingSystem).length;
  return respondJson(200, {
    '@odata.context': `${context.urls.graph}/v1.0/$metadata#deviceManagement/managedDeviceOverview/$entity`,
    id: drawGuid(purpose.overviewId),
    enrolledDeviceCount: windows.length + others.length,
    mdmEnrolledCount: windows.length + others.length,
    dualEnrolledDeviceCount: 0,
    deviceOperatingSystemSummary: {
      androidCount: count('Android'),
      iosCount: count('iOS') + count('iPadOS'),
      macOSCount: count('macOS'),
      windowsMobileCount: 0,
      windowsCount: Math.round(windows.length * (1 + overwritten)),
      unknownCount: 0,
    },
  });
}

export function respondDevicePage(context: PlatformContext, request: PlatformRequest): PlatformResponse {
  const { faults, graphOptions, urls } = context;
  const token = request.query.get('$skiptoken');
  const { pageSize } = graphOptions;
  const size = Math.min(toWholeNumber(request.query.get('$top'), 0) || pageSize, pageSize);
  const clauses = chooseClauses(context, request);
  if (token !== null) {
    changeMeanwhile(context, token);
  }
  const devices = context.devices();
  const listed = filterRows(
    doubleRows(context.faults, 'graph', hideDevices(context, listAllDevices(devices))),
    clauses,
    {
      operatingSystem: readOperatingSystem,
      enrolledDateTime: (device) => readDate(context, device),
    },
  );
  if ((token !== null || listed.length <= size) && faults.inject('graph', 'token-expired') !== undefined) {
    context.tokens.graph.revokeAll();
    return respondExpiredToken();
  }
  const isByPosition = faults.find('graph', 'paged-by-position') !== undefined;
  const page = isByPosition ? cutByPosition(listed, token, size) : cutByKey(listed, readKey, token, size);
  refuseSlowPage(faults, 'graph', page.rows.length);
  return respondJson(200, {
    '@odata.context': `${urls.graph}/v1.0/$metadata#deviceManagement/managedDevices`,
    // Count of the page alone, as in recorded answers.
    '@odata.count': page.rows.length,
    '@odata.nextLink': chooseNextLink(context, request, page.next),
    value: page.rows.map((device) => renderDevice(context, request, device)),
  });
}

/** The clauses of the filter that the service applies. */
function chooseClauses({ faults }: PlatformContext, { query }: PlatformRequest): readonly FilterClause[] {
  const clauses = parseFilter(query);
  if (clauses.length > 0 && faults.inject('graph', 'filter-refused') !== undefined) {
    throw new Refusal(respondBadRequest("Filter on property 'operatingSystem' is not supported."));
  }
  if (clauses.length > 1 && faults.inject('graph', 'ranges-refused') !== undefined) {
    throw new Refusal(respondBadRequest("Filter on property 'enrolledDateTime' is not supported."));
  }
  if (clauses.length > 0 && faults.inject('graph', 'filter-ignored') !== undefined) {
    return [];
  }
  const isCut = clauses.length > 1 && faults.inject('graph', 'combination-ignored') !== undefined;
  return isCut ? clauses.slice(0, 1) : clauses;
}

/** Changes devices while a client reads pages. */
function changeMeanwhile({ faults, devices }: PlatformContext, token: string): void {
  if (faults.inject('graph', 'drifting-pages') !== undefined) {
    replaceFirstDevice(devices(), 'windows');
  }
  const last = parseKey(token);
  if (last !== undefined && faults.inject('graph', 'renamed-devices') !== undefined) {
    const next = devices()
      .windows.filter((device) => !device.isEdgeCase && compareKeys(readKey(device), last) > 0)
      .sort((one, other) => compareKeys(readKey(one), readKey(other)))[0];
    renameDevice(next);
  }
}

function readKey({ name, id }: ListedDevice): DeviceKey {
  return { name: name ?? '', id };
}

const usualDatePeriod = 10;

/** A date; with the faults dates-null and dates-first-year, one in so many devices has none, or one that means so. */
function readDate({ faults, devices }: PlatformContext, device: ListedDevice): string | null {
  const hasFault = (name: 'dates-null' | 'dates-first-year') => {
    const fault = faults.find('graph', name);
    return fault !== undefined && device.ordinal % (fault.number ?? usualDatePeriod) === 0;
  };
  if (hasFault('dates-null')) {
    return null;
  }
  return hasFault('dates-first-year') ? formatGraphDate(undefined) : readEnrollmentDate(devices(), device);
}

function renderDevice(
  context: PlatformContext,
  { query }: PlatformRequest,
  device: ListedDevice,
): Record<string, unknown> {
  const body = { ...toDeviceBody(context.devices(), device), enrolledDateTime: readDate(context, device) };
  return selectProperties(body, query.get('$select'));
}

/** The fault devices-hidden: a share of the devices, in percent, is neither listed nor counted. */
function hideDevices({ faults }: PlatformContext, listed: ListedDevice[]): readonly ListedDevice[] {
  const fault = faults.find('graph', 'devices-hidden');
  const shown = (100 - (fault?.number ?? defaultHiddenPercent)) / 100;
  return fault === undefined ? listed : listed.slice(0, Math.round(listed.length * shown));
}

function chooseNextLink(
  context: PlatformContext,
  request: PlatformRequest,
  next: string | undefined,
): string | undefined {
  const { faults, urls } = context;
  const current = request.query.get('$skiptoken') ?? undefined;
  if (faults.inject('graph', 'next-link-loops') !== undefined) {
    return createNextLink(context, request, current && encodeURIComponent(current));
  }
  if (faults.inject('graph', 'next-link-elsewhere') !== undefined) {
    return createNextLink(context, request, next).replace(urls.graph, urls.service);
  }
  return next === undefined ? undefined : createNextLink(context, request, next);
}

function createNextLink({ urls }: PlatformContext, { path, query }: PlatformRequest, token = ''): string {
  const others = new URLSearchParams(query);
  others.delete('$skiptoken');
  return `${urls.graph}${path}?${others}&$skiptoken=${token}`;
}

export function respondDevice(context: PlatformContext, request: PlatformRequest, id: string): PlatformResponse {
  const device = listAllDevices(context.devices()).find((candidate) => candidate.id === id);
  return device === undefined ? respondResourceNotFound(id) : respondJson(200, renderDevice(context, request, device));
}

/** Lists devices of other operating systems among the Windows devices. */
function listAllDevices({ windows, others }: SimulatedDevices): ListedDevice[] {
  const step = Math.max(1, Math.floor(windows.length / Math.max(1, others.length)));
  return windows.flatMap((device, index) => {
    const other = index % step === 0 ? others[index / step] : undefined;
    return other === undefined ? [device] : [other, device];
  });
}

function selectProperties(body: Record<string, unknown>, select: string | null): Record<string, unknown> {
  if (select === null || select === '') {
    return body;
  }
  const names = select.split(',').map((name) => name.trim());
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
}
