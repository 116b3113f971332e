/** Devices that come and go while they are read. */
import { expect, test } from 'vitest';
import type { IntuneSettings } from '../../../src/sources/intune/settings.ts';
import type { PreviousReading } from '../../../src/sources/source.ts';
import { always, device, readNight, reply, useTenant, walk } from './tenant.ts';

const tenant = useTenant();

const night = (settings: Partial<IntuneSettings> = {}, remembered: PreviousReading = {}) =>
  readNight(tenant, { settings, remembered });

/** When the list is asked for a page for the second time, or the given one, something happens to the tenant. */
function meanwhile(happens: () => void, moment = 2): void {
  let pages = 0;
  const before = tenant.content.mischief;
  tenant.content.mischief = (seen) => {
    if (seen.path.endsWith('/managedDevices')) {
      pages += 1;
      if (pages === moment) {
        happens();
      }
    }
    return before(seen);
  };
}

test('devices that come and go between pages: none is skipped, and one that left is removed [P3]', async () => {
  meanwhile(() => {
    tenant.content.devices = [...tenant.content.devices.slice(2), device(40), device(41)];
  });
  const { error, reading } = await night();
  expect(error).toBeUndefined();
  expect(reading.devices.map(({ id }) => id)).toEqual(tenant.content.devices.map(({ id }) => id));
  expect(reading.devices[8]).toMatchObject({ name: 'PC-11', answers: [{ value: '1' }] });
  expect(reading.receipt).toMatchObject({ received: 25, walks: 2 });
});

test.each([2, 3, 4, 5, 6])(
  'one leaves and one comes before page %i of both walks: no count shows it, and none is skipped [P3]',
  async (moment) => {
    tenant.content.count = () => tenant.content.devices.length;
    meanwhile(() => {
      tenant.content.devices = [...tenant.content.devices.slice(1), device(40)];
    }, moment);
    const { error, reading } = await night();
    expect(error).toBeUndefined();
    const read = new Set(reading.devices.map(({ id }) => id));
    expect(tenant.content.devices.filter(({ id }) => id !== device(40).id && !read.has(String(id)))).toEqual([]);
  },
);

test('only a clear answer that a device is gone takes it away', async () => {
  meanwhile(() => {
    tenant.content.devices = tenant.content.devices.slice(1);
  });
  tenant.strike(`GET graph /v1.0/deviceManagement/managedDevices/${String(device(1).id)}`, always, reply({}, 400));
  const { error, reading } = await night();
  expect(error).toBeUndefined();
  expect(reading.receipt.received).toBe(25);
});

test('two walks that have little in common prove nothing', async () => {
  let walks = 0;
  tenant.strike(walk, always, (seen) => {
    walks += seen.url.searchParams.has('$skiptoken') ? 0 : 1;
    const value = Array.from({ length: 60 }, (_, index) => device(walks * 1000 + index));
    const next = '/v1.0/deviceManagement/managedDevices?$skiptoken=1';
    return seen.url.searchParams.has('$skiptoken')
      ? reply({ value: [] })
      : reply({ value, '@odata.nextLink': `${next}&walk=${walks}` });
  });
  const { error, reading } = await night();
  expect(error).toMatchObject({ code: 'paging-broken' });
  expect(String(error)).toContain('120 devices in only one of two readings');
  expect(reading.receipt.walks).toBe(4);
});
