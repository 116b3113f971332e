/** Fleets that change while they are read in ranges: nothing is lost that two serial walks would have found. */
import { expect, test } from 'vitest';
import { computeEnrolmentDates } from '../../../src/core/source/enrolment-dates.ts';
import { readDevices } from '../../../src/sources/intune/list/devices.ts';
import { readOverviewCount } from '../../../src/sources/intune/list/inventory.ts';
import type { ListedDevice } from '../../../src/sources/intune/parse.ts';
import type { PreviousReading } from '../../../src/sources/source.ts';
import { isDeep } from '../../sampling.ts';
import { createEmptyReading } from '../empty-reading.ts';
import { type ChangingTenant, type ChangingTenantOptions, drawOptions, openChangingTenant } from './changing-tenant.ts';

const fleets = isDeep ? 30_000 : 300;

interface Reading {
  readonly tenant: ChangingTenant;
  /** Undefined where the reading failed, which is no matter here: it says so. */
  readonly listed: readonly ListedDevice[] | undefined;
  readonly way: string | undefined;
  /** Windows devices that were there all the time. */
  readonly lost: readonly string[];
}

async function read(options: ChangingTenantOptions, rememberedOf = remember): Promise<Reading> {
  const tenant = openChangingTenant(options);
  const { graph } = tenant;
  const { receipt } = createEmptyReading();
  const listing = await readDevices({
    graph,
    remembered: rememberedOf(tenant),
    receipt,
    onPage: () => undefined,
    reports: Promise.resolve(new Map([...tenant.reported].map((id) => [id, []]))),
    overview: readOverviewCount(graph),
  }).catch(() => undefined);
  const listed = listing?.devices;
  expect(tenant.mostAtOnce()).toBeLessThanOrEqual(4);
  const ids = new Set(listed?.map(({ id }) => id));
  const now = new Set(tenant.devices);
  const stayed = tenant.atStart.filter((device) => device.system === 'Windows' && now.has(device));
  const lost = listed === undefined ? [] : stayed.map(({ id }) => id).filter((id) => !ids.has(id));
  return { tenant, listed, way: receipt.listed, lost };
}

/** A large last run of the devices that were there then: what is read is small. */
function remember({ lastRun }: ChangingTenant): PreviousReading {
  const dates = lastRun.flatMap(({ date }) => (date === null ? [] : [date.replace('Z', '.000Z')]));
  const devices = dates.map((enrolledAt, id) => ({
    id: `${id}`,
    operatingSystem: 'windows' as const,
    enrolledAt,
    answers: [],
  }));
  return {
    listing: { received: 2000, overview: 2000 },
    enrolment: computeEnrolmentDates(devices),
    readLastDevices: async () => ({ ids: lastRun.map(({ id }) => id), unlisted: [] }),
  };
}

/**
 * Whether a device can have been lost in ranges: nothing else knows it, and either reading was disturbed. Where pages are
 * keys, only the device's own change disturbs, and two serial walks lose it by the same; by position, any change does.
 */
function isExcused(id: string, { lastRun, reported, ever, events }: ChangingTenant, paging: string): boolean {
  if (reported.has(id) || lastRun.some((device) => device.id === id)) {
    return false;
  }
  if (/^[1-9]/.test(ever.get(id)?.date ?? '')) {
    return [events.early, events.late].every((one) => one.some((event) => paging !== 'by key' || event.id === id));
  }
  // A device without a date is seen by counts alone, which one that comes and one that leaves can hide.
  const kinds = [...events.early, ...events.late].map(({ kind }) => kind);
  return kinds.includes('enrolled') && kinds.includes('left');
}

test(`of ${fleets} fleets that change while they are read, none loses a device in ranges that serial walks would find [P3, P26]`, async () => {
  const lost = { inRanges: 0, serially: 0 };
  const ways = new Map<string, number>();
  for (let seed = 0; seed < fleets; seed += 1) {
    const options = drawOptions(seed);
    const reading = await read(options);
    const { tenant, listed = [], way = '' } = reading;
    const name = JSON.stringify(options);
    ways.set(way, (ways.get(way) ?? 0) + 1);
    expect(
      listed.filter(({ id }) => !tenant.ever.has(id)),
      name,
    ).toEqual([]);
    expect(new Set(listed.map(({ id }) => id)).size, name).toBe(listed.length);
    if (way === 'in ranges') {
      expect(['applied', 'only the dates'], name).toContain(options.filter);
      expect(
        reading.lost.filter((id) => !isExcused(id, tenant, options.paging)),
        name,
      ).toEqual([]);
      lost.inRanges += reading.lost.length;
      lost.serially += (await read(options, () => ({}))).lost.length;
    } else if (options.change === 0) {
      expect(reading.lost, name).toEqual([]);
    }
  }
  expect(lost.inRanges).toBeLessThanOrEqual(lost.serially);
  expect(ways.get('in ranges')).toBeGreaterThan(fleets * 0.3);
});
