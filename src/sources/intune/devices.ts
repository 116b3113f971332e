/**
 * Every Windows device of the tenant: https://learn.microsoft.com/graph/api/intune-devices-manageddevice-list.
 * A walk whose pages contradict each other, or that ends short of the service's own count, is walked once more.
 */
import { MusterError } from '../../errors.ts';
import { unreadable } from '../../http/body.ts';
import type { Sheet } from '../source.ts';
import { type Graph, isRecord, objectOf, pagesOf } from './graph.ts';
import { deviceFields, deviceKey, isWindows, type ManagedDevice } from './parse.ts';

const path = '/v1.0/deviceManagement/managedDevices';
/** Only operators that the metadata lists; `ne` is known to be ignored silently. */
const query = `$filter=${encodeURIComponent("operatingSystem eq 'Windows'")}&$select=${deviceFields.join(',')}`;
const maximumWalks = 2;
/** The documented page size, and smaller ones for a service that times out over it. */
const pageSizes = [1000, 333, 111, 37];
const overviewPath = '/v1.0/deviceManagement/managedDeviceOverview';
/** Milliseconds; nobody should wait long for a number that proves nothing. */
const overviewPatience = 10_000;

type Receipt = Sheet['receipt'];

export async function readDevices(graph: Graph, receipt: Receipt, onPage: () => void): Promise<ManagedDevice[]> {
  let tooLarge = 0;
  for (let walks = 1; ; ) {
    const isLastWalk = walks >= maximumWalks;
    receipt.walks += 1;
    try {
      const devices = await walk(graph, pageSizes[tooLarge] ?? 0, receipt, onPage);
      const claimed = receipt.claimed ?? 0;
      if (claimed <= devices.length) return devices.filter(isWindows);
      if (isLastWalk) throw rowsMissing(graph.who, claimed, devices.length);
      walks += 1;
    } catch (error) {
      const code = error instanceof MusterError ? error.code : undefined;
      if (code === 'request-timed-out' && tooLarge + 1 < pageSizes.length) tooLarge += 1;
      else if (code === 'paging-broken' && !isLastWalk) walks += 1;
      else throw error;
    }
  }
}

async function walk(graph: Graph, top: number, receipt: Receipt, onPage: () => void): Promise<ManagedDevice[]> {
  const devices = new Map<string, ManagedDevice>();
  receipt.received = 0;
  delete receipt.claimed;
  delete receipt.firstId;
  delete receipt.lastId;
  let isFirst = true;
  for await (const page of pagesOf(graph, path, `${query}&$top=${top}`)) {
    receipt.pages += 1;
    // Some answers count only their own page; such a number claims nothing about the list.
    const countsTheList = isFirst && (page.isLast || page.count !== page.rows.length);
    if (countsTheList && page.count !== undefined) receipt.claimed = page.count;
    isFirst = false;
    for (const row of page.rows) {
      const device = managedDevice(row, graph.who);
      const key = deviceKey(device.id);
      if (devices.has(key)) throw repeated(graph.who);
      devices.set(key, device);
      receipt.firstId ??= device.id;
      receipt.lastId = device.id;
    }
    receipt.received = devices.size;
    onPage();
  }
  return [...devices.values()];
}

function managedDevice(row: Record<string, unknown>, who: string): ManagedDevice {
  if (typeof row.id !== 'string' || row.id.trim() === '') throw unreadable(who, 'a device without an id');
  const fields = deviceFields.map((field) => [field, row[field]]);
  return { ...Object.fromEntries(fields), id: row.id };
}

/** The service's own count of Windows devices: shown beside, proves nothing, and missing it harms nobody. */
export async function readOverview(graph: Graph): Promise<number | undefined> {
  try {
    const body = await graph.client.ask({ url: overviewPath, idle: overviewPatience, shrinks: true }, (answer) =>
      objectOf(answer, graph.who),
    );
    const summary = body.deviceOperatingSystemSummary;
    const count = isRecord(summary) ? summary.windowsCount : undefined;
    return typeof count === 'number' && Number.isSafeInteger(count) ? count : undefined;
  } catch {
    return undefined;
  }
}

function repeated(who: string): MusterError {
  return new MusterError(
    'paging-broken',
    `${who} listed the same device twice, so another may be missing: ${path}. Try again when the tenant is calmer.`,
  );
}

function rowsMissing(who: string, claimed: number, received: number): MusterError {
  return new MusterError(
    'rows-missing',
    `${who} counts ${claimed} devices but listed ${received}, twice: ${path}. The account may not see all of them.`,
  );
}
