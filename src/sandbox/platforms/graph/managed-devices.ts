/** managedDevices: every device of the tenant, of any system, page by page through next links. */

import { serverError } from '../../control/inject-faults.ts';
import { graphDate, windowsSyncedAt } from '../../devices/contact-times.ts';
import { bearWindows } from '../../devices/create-device.ts';
import type { Fleet } from '../../devices/model.ts';
import { guid } from '../../devices/random.ts';
import type { World } from '../platform-context.ts';
import { type Answer, type Exchange, json, whole } from '../request.ts';
import { deviceBody, isOther, type Listed, systemOf } from './device-body.ts';
import { badRequest, expiredToken, noSuchResource, withoutPermission } from './graph-errors.ts';
import { ODataError, parseOData } from './odata-filter.ts';

/** Devices of other systems stand among the Windows ones, not at the end. */
function everyDevice(fleet: Fleet): Listed[] {
  const step = Math.max(1, Math.floor(fleet.windows.length / Math.max(1, fleet.others.length)));
  const devices: Listed[] = [];
  fleet.windows.forEach((device, index) => {
    const other = index % step === 0 ? fleet.others[index / step] : undefined;
    devices.push(...(other === undefined ? [] : [other]), device);
  });
  return devices;
}

function filtered(world: World, filter: string | null): Listed[] {
  const fleet = world.fleet();
  const devices = everyDevice(fleet);
  if (filter === null || filter === '') {
    return devices;
  }
  const keep = parseOData<Listed>(filter, {
    operatingSystem: systemOf,
    serialNumber: (device) => device.serial ?? '',
    deviceName: (device) => device.name ?? '',
    managementState: (device) => (isOther(device) ? 'managed' : device.managementState),
    lastSyncDateTime: (device) => (isOther(device) ? '' : graphDate(windowsSyncedAt(fleet, device))),
  });
  return world.graphOptions.ignoresFilter ? devices : devices.filter(keep);
}

function selected(body: Record<string, unknown>, select: string | null): Record<string, unknown> {
  if (select === null || select === '') {
    return body;
  }
  const names = select.split(',').map((name) => name.trim());
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
}

function offsetOf(token: string | null): number {
  return token === null ? 0 : whole(/^offset (\d+)$/.exec(Buffer.from(token, 'base64url').toString())?.[1], 0);
}

const tokenAt = (offset: number): string => Buffer.from(`offset ${offset}`).toString('base64url');

function nextLink(world: World, exchange: Exchange, offset: number): string {
  const query = new URLSearchParams(exchange.query);
  query.set('$skiptoken', tokenAt(offset));
  return `${world.urls.graph}${exchange.path}?${query}`;
}

/** Between two pages the first device leaves and a new one comes. */
function drift(fleet: Fleet): void {
  const leaver = fleet.windows.findIndex((device) => !device.pinned);
  fleet.windows = [...fleet.windows.filter((_, index) => index !== leaver), bearWindows(fleet, fleet.night)];
  fleet.version += 1;
}

function linkAfter(world: World, exchange: Exchange, offset: number, next: number | undefined): string | undefined {
  if (world.faults.strike('graph', 'next-link-loops') !== undefined) {
    return nextLink(world, exchange, offset);
  }
  if (world.faults.strike('graph', 'next-link-elsewhere') !== undefined) {
    return nextLink(world, exchange, next ?? offset).replace(world.urls.graph, world.urls.service);
  }
  return next === undefined ? undefined : nextLink(world, exchange, next);
}

function list(world: World, exchange: Exchange): Answer {
  const offset = offsetOf(exchange.query.get('$skiptoken'));
  const size = Math.min(
    whole(exchange.query.get('$top'), world.graphOptions.pageSize) || world.graphOptions.pageSize,
    world.graphOptions.pageSize,
  );
  if (offset > 0 && world.faults.strike('graph', 'drifting-pages') !== undefined) {
    drift(world.fleet());
  }
  const devices = filtered(world, exchange.query.get('$filter'));
  if ((offset > 0 || devices.length <= size) && world.faults.strike('graph', 'token-expired') !== undefined) {
    world.graphTokens.revokeAll();
    return expiredToken();
  }
  const rows = devices.slice(offset, offset + size);
  const slow = world.faults.find('graph', 'slow-pages');
  if (
    slow !== undefined &&
    rows.length > (slow.number ?? 100) &&
    world.faults.strike('graph', 'slow-pages') !== undefined
  ) {
    return serverError('graph', 504);
  }
  const next = offset + size < devices.length ? offset + size : undefined;
  const link = linkAfter(world, exchange, offset, next);
  const fleet = world.fleet();
  return json(200, {
    '@odata.context': `${world.urls.graph}/v1.0/$metadata#deviceManagement/managedDevices`,
    '@odata.count': devices.length,
    ...(link === undefined ? {} : { '@odata.nextLink': link }),
    value: rows.map((device) => selected(deviceBody(fleet, device), exchange.query.get('$select'))),
  });
}

function overview(world: World): Answer {
  const { windows, others } = world.fleet();
  const count = (system: string) => others.filter((device) => device.system === system).length;
  return json(200, {
    '@odata.context': `${world.urls.graph}/v1.0/$metadata#deviceManagement/managedDeviceOverview/$entity`,
    id: guid(505),
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

export function deviceRoute(world: World, exchange: Exchange): Answer | undefined {
  const managed = '/v1.0/deviceManagement/managedDevices';
  if (exchange.method !== 'GET' || !exchange.path.startsWith('/v1.0/deviceManagement/managedDevice')) {
    return undefined;
  }
  const refusal = withoutPermission(world, 'DeviceManagementManagedDevices.Read.All');
  if (refusal !== undefined) {
    return refusal;
  }
  if (exchange.path === '/v1.0/deviceManagement/managedDeviceOverview') {
    return overview(world);
  }
  if (exchange.path !== managed) {
    const id = /^\/([^/]+)$/.exec(exchange.path.slice(managed.length))?.[1];
    if (id === undefined) {
      return undefined;
    }
    const device = everyDevice(world.fleet()).find((candidate) => candidate.id === id);
    return device === undefined
      ? noSuchResource(id)
      : json(200, selected(deviceBody(world.fleet(), device), exchange.query.get('$select')));
  }
  try {
    return list(world, exchange);
  } catch (error) {
    if (error instanceof ODataError) {
      return badRequest(error.message);
    }
    throw error;
  }
}
