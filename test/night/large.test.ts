/** Far more devices than a page of any platform: the whole way works. More of them are in `bench/`. */
import { expect, test } from 'vitest';
import { runNight } from '../../src/night.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { isDeep } from '../sampling.ts';
import { place } from './folder.ts';
import { look } from './reader.ts';
import { companyOfAllTables, slots } from './small.ts';

const here = place();

// `npm run test:deep` has twenty thousand.
const devices = isDeep ? 20_000 : 4_000;

test('two nights of thousands of devices are published, compared and sound [P20, S22]', async () => {
  const made = companyOfAllTables();
  made.devices = devices / 2;
  for (const slot of slots.slice(0, 2)) {
    const { exit, night } = await runNight(made.order(slot), made.parts(here.store));
    expect({ exit, devices: night?.devices.length }).toEqual({ exit: 0, devices });
  }
  const reports = (await look(here.path))?.reports ?? {};
  expect(reports['devices.csv']?.split('\n')).toHaveLength(devices + 2);
  // A sixth loses the agent each night, and the sixth before gets it back.
  expect(reports['coverage.csv']).toContain(`\n2026-11-02,all,all,complete,${devices},${devices},`);
  expect(reports['changes.csv']?.split('\n').length).toBeGreaterThan(0.3 * devices);
  expect(await verifyRuns(here.store)).toMatchObject({ nights: 2, damage: [] });
});
