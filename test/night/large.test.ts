/** A hundred thousand devices: the whole way works, without a claim about time. */
import { expect, test } from 'vitest';
import { runNight } from '../../src/night.ts';
import { verifyRuns } from '../../src/storage/runs/verify.ts';
import { place } from './folder.ts';
import { look } from './reader.ts';
import { company, slots } from './small.ts';

const here = place();

test('two nights of 100,000 devices are published, compared and sound', async () => {
  const made = company();
  made.devices = 50_000;
  for (const slot of slots.slice(0, 2)) {
    const { exit, night } = await runNight(made.order(slot), made.parts(here.store));
    expect({ exit, devices: night?.devices.length }).toEqual({ exit: 0, devices: 100_000 });
  }
  const reports = (await look(here.path))?.reports ?? {};
  expect(reports['devices.csv']?.split('\n')).toHaveLength(100_002);
  // A sixth loses the agent each night, and the sixth before gets it back.
  expect(reports['coverage.csv']).toMatch(/^2026-11-02,all,all,complete,100000,100000,/m);
  expect(reports['changes.csv']?.split('\n').length).toBeGreaterThan(30_000);
  expect(await verifyRuns(here.store)).toMatchObject({ nights: 2, damage: [] });
});
