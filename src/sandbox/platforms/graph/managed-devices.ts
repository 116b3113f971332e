/** managedDevices: every device of the tenant, of any system, page by page through next links. */
import { respondServerError } from '../../control/inject-faults.ts';
import { computeWindowsSyncTime, formatGraphDate } from '../../devices/contact-times.ts';
import { createWindowsDevice } from '../../devices/create-device.ts';
import type { SimulatedDevices } from '../../devices/model.ts';
import { drawGuid } from '../../devices/random.ts';
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, type PlatformResponse, respondJson, toWholeNumber } from '../request.ts';
import { isOtherDevice, type ListedDevice, readOperatingSystem, toDeviceBody } from './device-body.ts';
import {
  refuseMissingPermission,
  respondBadRequest,
  respondExpiredToken,
  respondResourceNotFound,
} from './graph-errors.ts';
import { ODataError, parseODataFilter } from './odata-filter.ts';

export function routeManagedDevices(context: PlatformContext, request: PlatformRequest): PlatformResponse | undefined {
  const managed = '/v1.0/deviceManagement/managedDevices';
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
  if (request.path !== managed) {
    const id = /^\/([^/]+)$/.exec(request.path.slice(managed.length))?.[1];
    if (id === undefined) {
      return undefined;
    }
    const device = listAllDevices(context.devices()).find((candidate) => candidate.id === id);
    return device === undefined
      ? respondResourceNotFound(id)
      : respondJson(200, selectProperties(toDeviceBody(context.devices(), device), request.query.get('$select')));
  }
  try {
    return respondDevicePage(context, request);
  } catch (error) {
    if (error instanceof ODataError) {
      return respondBadRequest(error.message);
    }
    throw error;
  }
}

function respondOverview(context: PlatformContext): PlatformResponse {
  const { windows, others } = context.devices();
  const count = (system: string) => others.filter((device) => device.operatingSystem === system).length;
  return respondJson(200, {
    '@odata.context': `${context.urls.graph}/v1.0/$metadata#deviceManagement/managedDeviceOverview/$entity`,
    id: drawGuid(505),
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

/** Devices of other systems stand among the Windows ones, not at the end. */
function listAllDevices(fleet: SimulatedDevices): ListedDevice[] {
  const step = Math.max(1, Math.floor(fleet.windows.length / Math.max(1, fleet.others.length)));
  const devices: ListedDevice[] = [];
  fleet.windows.forEach((device, index) => {
    const other = index % step === 0 ? fleet.others[index / step] : undefined;
    devices.push(...(other === undefined ? [] : [other]), device);
  });
  return devices;
}

function selectProperties(body: Record<string, unknown>, select: string | null): Record<string, unknown> {
  if (select === null || select === '') {
    return body;
  }
  const names = select.split(',').map((name) => name.trim());
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
}

function respondDevicePage(context: PlatformContext, request: PlatformRequest): PlatformResponse {
  const offset = readOffset(request.query.get('$skiptoken'));
  const size = Math.min(
    toWholeNumber(request.query.get('$top'), context.graphOptions.pageSize) || context.graphOptions.pageSize,
    context.graphOptions.pageSize,
  );
  if (offset > 0 && context.faults.inject('graph', 'drifting-pages') !== undefined) {
    replaceFirstWindowsDevice(context.devices());
  }
  const devices = filterDevices(context, request.query.get('$filter'));
  if ((offset > 0 || devices.length <= size) && context.faults.inject('graph', 'token-expired') !== undefined) {
    context.graphTokens.revokeAll();
    return respondExpiredToken();
  }
  const rows = devices.slice(offset, offset + size);
  const slow = context.faults.find('graph', 'slow-pages');
  if (
    slow !== undefined &&
    rows.length > (slow.number ?? 100) &&
    context.faults.inject('graph', 'slow-pages') !== undefined
  ) {
    return respondServerError('graph', 504);
  }
  const next = offset + size < devices.length ? offset + size : undefined;
  const link = chooseNextLink(context, request, offset, next);
  const fleet = context.devices();
  return respondJson(200, {
    '@odata.context': `${context.urls.graph}/v1.0/$metadata#deviceManagement/managedDevices`,
    '@odata.count': devices.length,
    ...(link === undefined ? {} : { '@odata.nextLink': link }),
    value: rows.map((device) => selectProperties(toDeviceBody(fleet, device), request.query.get('$select'))),
  });
}

function readOffset(token: string | null): number {
  return token === null ? 0 : toWholeNumber(/^offset (\d+)$/.exec(Buffer.from(token, 'base64url').toString())?.[1], 0);
}

/** Between two pages the first device leaves and a new one comes. */
function replaceFirstWindowsDevice(devices: SimulatedDevices): void {
  const leaver = devices.windows.findIndex((device) => !device.isEdgeCase);
  devices.windows = [
    ...devices.windows.filter((_, index) => index !== leaver),
    createWindowsDevice(devices, devices.night),
  ];
  devices.revision += 1;
}

function filterDevices(context: PlatformContext, filter: string | null): ListedDevice[] {
  const fleet = context.devices();
  const devices = listAllDevices(fleet);
  if (filter === null || filter === '') {
    return devices;
  }
  const keep = parseODataFilter<ListedDevice>(filter, {
    operatingSystem: readOperatingSystem,
    serialNumber: (device) => device.serialNumber ?? '',
    deviceName: (device) => device.name ?? '',
    managementState: (device) => (isOtherDevice(device) ? 'managed' : device.managementState),
    lastSyncDateTime: (device) => (isOtherDevice(device) ? '' : formatGraphDate(computeWindowsSyncTime(fleet, device))),
  });
  return context.graphOptions.ignoresFilter ? devices : devices.filter(keep);
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
  query.set('$skiptoken', createSkipToken(offset));
  return `${context.urls.graph}${request.path}?${query}`;
}

function createSkipToken(offset: number): string {
  return Buffer.from(`offset ${offset}`).toString('base64url');
}
