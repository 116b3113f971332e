/** managedDevices: every device of the tenant, of any operating system, page by page through next links. */
import { replaceFirstDevice } from '../../devices/advance-devices.ts';
import type { SimulatedDevices } from '../../devices/model.ts';
import { drawGuid, purpose } from '../../devices/random.ts';
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, toWholeNumber } from '../request.ts';
import { type PlatformResponse, respondJson } from '../response.ts';
import { refuseSlowPage } from '../transient-errors.ts';
import { type ListedDevice, readOperatingSystem, toDeviceBody } from './device-body.ts';
import { respondBadRequest, respondExpiredToken, respondResourceNotFound } from './graph-errors.ts';
import { filterRows } from './odata-filter.ts';

const defaultHiddenPercent = 50;

export function respondOverview(context: PlatformContext): PlatformResponse {
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
      windowsCount: windows.length,
      unknownCount: 0,
    },
  });
}

export function respondDevicePage(context: PlatformContext, request: PlatformRequest): PlatformResponse {
  const { faults, graphOptions } = context;
  if (request.query.has('$filter') && faults.inject('graph', 'filter-refused') !== undefined) {
    return respondBadRequest("Filter on property 'operatingSystem' is not supported.");
  }
  const offset = readOffset(request.query.get('$skiptoken'));
  const { pageSize } = graphOptions;
  const size = Math.min(toWholeNumber(request.query.get('$top'), 0) || pageSize, pageSize);
  if (offset > 0 && faults.inject('graph', 'drifting-pages') !== undefined) {
    replaceFirstDevice(context.devices(), 'windows');
  }
  const all = hideDevices(context, listAllDevices(context.devices()));
  const listed = graphOptions.ignoresFilter ? all : filterRows(request, all, { operatingSystem: readOperatingSystem });
  if ((offset > 0 || listed.length <= size) && faults.inject('graph', 'token-expired') !== undefined) {
    context.tokens.graph.revokeAll();
    return respondExpiredToken();
  }
  const page = listed.slice(offset, offset + size);
  refuseSlowPage(faults, 'graph', page.length);
  const next = offset + size < listed.length ? offset + size : undefined;
  const link = chooseNextLink(context, request, offset, next);
  const devices = context.devices();
  return respondJson(200, {
    '@odata.context': `${context.urls.graph}/v1.0/$metadata#deviceManagement/managedDevices`,
    '@odata.count': listed.length,
    '@odata.nextLink': link,
    value: page.map((device) => selectProperties(toDeviceBody(devices, device), request.query.get('$select'))),
  });
}

function readOffset(token: string | null): number {
  return token === null ? 0 : toWholeNumber(/^offset (\d+)$/.exec(Buffer.from(token, 'base64url').toString())?.[1], 0);
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
  offset: number,
  next: number | undefined,
): string | undefined {
  if (context.faults.inject('graph', 'next-link-loops') !== undefined) {
    return createNextLink(context, request, offset);
  }
  if (context.faults.inject('graph', 'next-link-elsewhere') !== undefined) {
    return createNextLink(context, request, next ?? offset).replace(context.urls.graph, context.urls.service);
  }
  return next === undefined ? undefined : createNextLink(context, request, next);
}

function createNextLink(context: PlatformContext, request: PlatformRequest, offset: number): string {
  const query = new URLSearchParams(request.query);
  query.set('$skiptoken', Buffer.from(`offset ${offset}`).toString('base64url'));
  return `${context.urls.graph}${request.path}?${query}`;
}

export function respondDevice(context: PlatformContext, request: PlatformRequest, id: string): PlatformResponse {
  const devices = context.devices();
  const device = listAllDevices(devices).find((candidate) => candidate.id === id);
  return device === undefined
    ? respondResourceNotFound(id)
    : respondJson(200, selectProperties(toDeviceBody(devices, device), request.query.get('$select')));
}

/** Devices of other operating systems are listed among the Windows devices, not after them. */
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
