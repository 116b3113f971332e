/** managedDevices: every device of the tenant, of any operating system, page by page through next links. */
import { computeWindowsSyncTime } from '../../devices/contact-times.ts';
import type { SimulatedDevices } from '../../devices/model.ts';
import { drawGuid, purpose } from '../../devices/random.ts';
import { replaceFirstWindowsDevice } from '../../devices/replace-device.ts';
import { formatGraphDate } from '../format-dates.ts';
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, toWholeNumber } from '../request.ts';
import { type PlatformResponse, respondJson } from '../response.ts';
import { refuseSlowPage } from '../transient-errors.ts';
import { isOtherDevice, type ListedDevice, readOperatingSystem, toDeviceBody } from './device-body.ts';
import {
  refuseMissingPermission,
  respondBadRequest,
  respondExpiredToken,
  respondResourceNotFound,
} from './graph-errors.ts';
import { parseODataFilter, respondFiltered } from './odata-filter.ts';
import overview from './templates/overview.json' with { type: 'json' };

const managedDevicesPath = '/v1.0/deviceManagement/managedDevices';
const defaultHiddenPercent = 50;

export function routeManagedDevices(context: PlatformContext, request: PlatformRequest): PlatformResponse | undefined {
  if (request.method !== 'GET' || !request.path.startsWith('/v1.0/deviceManagement/managedDevice')) {
    return undefined;
  }
  const refusal = refuseMissingPermission(context, 'DeviceManagementManagedDevices.Read.All');
  if (refusal !== undefined) {
    return refusal;
  }
  if (request.path === '/v1.0/deviceManagement/managedDeviceOverview') {
    return respondOverview(context);
  }
  if (request.path === managedDevicesPath) {
    return respondFiltered(() => respondDevicePage(context, request));
  }
  const id = /^\/([^/]+)$/.exec(request.path.slice(managedDevicesPath.length))?.[1];
  return id === undefined ? undefined : respondDevice(context, request, id);
}

function respondOverview(context: PlatformContext): PlatformResponse {
  const { windows, others } = context.devices();
  const count = (operatingSystem: string) =>
    others.filter((device) => device.operatingSystem === operatingSystem).length;
  return respondJson(200, {
    ...overview,
    '@odata.context': `${context.urls.graph}/v1.0/$metadata#deviceManagement/managedDeviceOverview/$entity`,
    id: drawGuid(purpose.overviewId),
    enrolledDeviceCount: windows.length + others.length,
    mdmEnrolledCount: windows.length + others.length,
    deviceOperatingSystemSummary: {
      ...overview.deviceOperatingSystemSummary,
      androidCount: count('Android'),
      iosCount: count('iOS') + count('iPadOS'),
      macOSCount: count('macOS'),
      windowsCount: windows.length,
    },
  });
}

function respondDevicePage(context: PlatformContext, request: PlatformRequest): PlatformResponse {
  if (request.query.has('$filter') && context.faults.inject('graph', 'filter-refused') !== undefined) {
    return respondBadRequest("Filter on property 'operatingSystem' is not supported.");
  }
  const offset = readOffset(request.query.get('$skiptoken'));
  const { pageSize } = context.graphOptions;
  const size = Math.min(toWholeNumber(request.query.get('$top'), 0) || pageSize, pageSize);
  if (offset > 0 && context.faults.inject('graph', 'drifting-pages') !== undefined) {
    replaceFirstWindowsDevice(context.devices());
  }
  const listed = filterDevices(context, request.query.get('$filter') ?? '');
  if ((offset > 0 || listed.length <= size) && context.faults.inject('graph', 'token-expired') !== undefined) {
    context.tokens.graph.revokeAll();
    return respondExpiredToken();
  }
  const page = listed.slice(offset, offset + size);
  const refusal = refuseSlowPage(context.faults, 'graph', page.length);
  if (refusal !== undefined) {
    return refusal;
  }
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

function filterDevices(context: PlatformContext, filter: string): ListedDevice[] {
  const devices = context.devices();
  const matches = parseODataFilter<ListedDevice>(filter, {
    operatingSystem: readOperatingSystem,
    serialNumber: (device) => device.serialNumber ?? '',
    deviceName: (device) => device.name ?? '',
    managementState: (device) => (isOtherDevice(device) ? 'managed' : device.managementState),
    lastSyncDateTime: (device) =>
      isOtherDevice(device) ? '' : formatGraphDate(computeWindowsSyncTime(devices, device)),
  });
  const listed = hideDevices(context, listAllDevices(devices));
  return context.graphOptions.ignoresFilter ? listed : listed.filter(matches);
}

/** The fault devices-hidden: a share of the devices, in percent, is neither listed nor counted. */
function hideDevices({ faults }: PlatformContext, listed: ListedDevice[]): ListedDevice[] {
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

function respondDevice(context: PlatformContext, request: PlatformRequest, id: string): PlatformResponse {
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
