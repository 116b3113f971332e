/** Far more devices than a page of any platform: the whole way works. More of them are in `bench/`. */
import { expect, test } from 'vitest';
import { runNight } from '../../src/night.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { place } from './folder.ts';
import { look } from './reader.ts';
import { companyOfAllTables, slots } from './small.ts';

const here = place();

test('two nights of 20,000 devices are published, compared and sound [P20, S22]', async () => {
  const made = companyOfAllTables();
  made.devices = 10_000;
  for (const slot of slots.slice(0, 2)) {
    const { exit, night } = await runNight(made.order(slot), made.parts(here.store));
    expect({ exit, devices: night?.devices.length }).toEqual({ exit: 0, devices: 20_000 });
  }
  const reports = (await look(here.path))?.reports ?? {};
  expect(reports['devices.csv']?.split('\n')).toHaveLength(20_002);
  // A sixth loses the agent each night, and the sixth before gets it back.
  expect(reports['coverage.csv']).toMatch(/^2026-11-02,all,all,complete,20000,20000,/m);
  expect(reports['changes.csv']?.split('\n').length).toBeGreaterThan(6_000);
  expect(await verifyRuns(here.store)).toMatchObject({ nights: 2, damage: [] });
});
