/** What real tenants do that a simple one does not: other spellings, refusals of what is not needed, no licence. */
import { describe, expect, test } from 'vitest';
import { always, appId, device, readNight, reply, useTenant, windowsApp } from './tenant.ts';

const tenant = useTenant();

const refused = reply({ error: { code: 'BadRequest' } }, 400);
const forbidden = reply({ error: { code: 'Forbidden' } }, 403);
const appPath = `/v1.0/deviceAppManagement/mobileApps/${appId}`;

test('the overview counts Windows devices alone', async () => {
  const summary = { windowsCount: 31, windowsMobileCount: 4, iosCount: 50, macOSCount: 60, unknownCount: 7 };
  tenant.strike(
    'managedDeviceOverview',
    always,
    reply({ enrolledDeviceCount: 152, deviceOperatingSystemSummary: summary }),
  );
  const { reading, error } = await readNight(tenant);
  expect(error).toBeUndefined();
  expect(reading.receipt.overview).toBe(31);
});

describe('the device list', () => {
  test('whose filter is refused is asked for without, and other systems are left out here', async () => {
    const expected = (await readNight(tenant)).reading.devices;
    tenant.content.devices.push(device(30, { operatingSystem: 'iOS' }), device(31, { operatingSystem: 'macOS' }));
    tenant.content.count = () => tenant.content.devices.length;
    const usual = tenant.content.mischief;
    tenant.content.mischief = (seen) => (seen.url.searchParams.has('$filter') ? refused : usual(seen));
    const { reading, error } = await readNight(tenant);
    expect(error).toBeUndefined();
    expect(reading.devices).toEqual(expected);
    expect(reading.receipt).toMatchObject({ received: 27, claimed: 27, walks: 3 });
  });

  test('that is shorter than it was counted, since devices left, is counted again', async () => {
    tenant.content.count = () => tenant.content.devices.length;
    let pages = 0;
    const usual = tenant.content.mischief;
    tenant.content.mischief = (seen) => {
      pages += Number(seen.path.endsWith('/managedDevices'));
      // The last device leaves between the count and the last page of the second walk.
      tenant.content.devices = pages === 6 ? tenant.content.devices.slice(0, 24) : tenant.content.devices;
      return usual(seen);
    };
    const { reading, error } = await readNight(tenant);
    expect(error).toBeUndefined();
    expect(reading.receipt).toMatchObject({ received: 24, claimed: 24, walks: 2 });
  });

  test('is walked a second time beside the first walk, one page behind it', async () => {
    tenant.content.devices = Array.from({ length: 100 }, (_, index) => device(index + 1));
    const { reading, error } = await readNight(tenant);
    expect(error).toBeUndefined();
    expect(reading.receipt).toMatchObject({ received: 100, pages: 20, walks: 2 });
    const pages = tenant.seen
      .filter(({ path }) => path.endsWith('/managedDevices'))
      .map(({ url }) => url.searchParams.get('$skiptoken') ?? url.searchParams.get('$select') ?? '');
    const [first, second] = [pages.findIndex((page) => page.startsWith('id,deviceName')), pages.indexOf('id')];
    expect(first).toBe(0);
    // Not before the first walk has two pages, and not after it has ended.
    expect(second).toBeGreaterThan(pages.indexOf('10'));
    expect(second).toBeLessThan(pages.indexOf('90'));
    for (const skip of ['10', '20', '30', '40', '50', '60', '70', '80']) {
      const next = String(Number(skip) + 10);
      // The second walk asks for a page when the first has the one after it.
      expect(pages.lastIndexOf(skip)).toBeGreaterThan(pages.indexOf(next));
    }
  });
});

describe('what the checks alone need', () => {
  test('assignments are read on their own where they cannot be expanded', async () => {
    const expected = (await readNight(tenant)).reading;
    for (const refusal of [refused, forbidden, reply({}, 404), reply({}, 500)]) {
      tenant.content.mischief = (seen) => {
        if (seen.url.searchParams.has('$expand')) {
          return refusal;
        }
        return seen.path === `${appPath}/assignments` ? reply({ value: windowsApp.assignments }) : undefined;
      };
      const { reading, error } = await readNight(tenant);
      expect(error).toBeUndefined();
      expect(reading.findings).toEqual(expected.findings);
      expect(reading.instrument).toEqual(expected.instrument);
    }
  });
});

describe('assignment filters', () => {
  const withFilters = (exist: string | number | undefined) => {
    tenant.content.rows = tenant.content.rows.map((row) => ({
      ...row,
      ...(exist === undefined ? {} : { AssignmentFilterIdsExist: exist }),
    }));
  };
  const shown = async () => {
    const { reading } = await readNight(tenant);
    const finding = reading.findings.find(({ check }) => check === 'windows.assignment');
    return { found: finding?.found, fingerprint: reading.instrument.fingerprint };
  };

  test('are shown as the report has them, and belong to the fingerprint', async () => {
    const unknown = await shown();
    expect(unknown.found).toMatch(/; assignment filters: not known$/);
    withFilters(0);
    const none = await shown();
    expect(none.found).toMatch(/; assignment filters: none$/);
    expect(none.fingerprint).toBe(unknown.fingerprint);
    for (const word of [1, 'True', 'true', '1']) {
      withFilters(word);
      const used = await shown();
      expect(used.found).toMatch(/; assignment filters: in use$/);
      expect(used.fingerprint).not.toBe(none.fingerprint);
    }
  });

  test('that one run cannot see are taken to be as they were', async () => {
    const without = (await shown()).fingerprint;
    withFilters(1);
    const remembered = { instrument: (await readNight(tenant)).reading.instrument };
    withFilters('?');
    const later = await readNight(tenant, { remembered });
    expect(remembered.instrument.fingerprint).not.toBe(without);
    expect(later.reading.instrument).toEqual(remembered.instrument);
    // Also where the report cannot be read at all.
    tenant.strike('/reports/', always, forbidden);
    const incomplete = await readNight(tenant, { remembered });
    expect(incomplete.error).toMatchObject({ code: 'permission-missing' });
    expect(incomplete.reading.instrument).toEqual(remembered.instrument);
    expect((await readNight(tenant)).reading.instrument.fingerprint).toBe(without);
  });
});

test('a tenant without a licence for Intune is called so', async () => {
  const message = 'Request not applicable to target tenant.';
  tenant.strike('/device', always, reply({ error: { code: 'BadRequest', message } }, 400));
  const { reading, error } = await readNight(tenant);
  expect(error).toMatchObject({ code: 'licence-missing' });
  expect(String(error)).toContain('no active Microsoft Intune licence');
  expect(reading.findings[0]).toMatchObject({
    check: 'windows.app',
    result: 'unknown',
    found: 'the tenant has no active Microsoft Intune licence',
  });
});
