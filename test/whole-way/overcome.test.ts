import { afterAll, beforeAll, expect, test } from 'vitest';
import { sample } from '../sampling.ts';
import { type Chain, first, openChain, second } from './chain.ts';
import { changeLine, compare, deviceLine, truthAt, truthLines } from './roll.ts';
import { allTables, removeFolders, tableRows } from './way.ts';

let chain: Chain;

beforeAll(async () => {
  chain = await openChain(second);
});

afterAll(async () => {
  await chain.way.close();
  await removeFolders();
});

/** Faults that pass, or that another way leads around. Without a platform, both have it. */
const overcome = [
  'throttled-date',
  'throttled-bare',
  'reset-mid-body',
  'truncated-json',
  'hang=0',
  'token-expired',
  'rows-hidden',
  'slow-pages:lasting',
  'jamf/large-rows:lasting',
  'jamf/account-errors',
  'down',
  'graph/export-stuck:lasting',
  'graph/export-failed:lasting',
  'graph/export-empty:lasting',
  'graph/download-expired:lasting',
  'graph/zip-broken:lasting',
  'graph/export-refused:lasting',
  'graph/action-gone:lasting',
  'graph/action-throttled:lasting',
  'graph/ids-respelled',
  'graph/sign-in-unsteady',
];

/** The contract of the sources shows each fault; what is shown here is that nothing of it reaches a table. */
test.each(sample(overcome, 5))('%s leaves no trace in any table', async (fault) => {
  const folder = await chain.afterOneNight();
  const { exit } = await chain.faulty(folder, second, [fault]);
  expect(exit).toBe(0);
  expect(await allTables(folder, second)).toEqual(chain.good(second));
});

test('many at once leave no trace either', async () => {
  const folder = await chain.afterOneNight();
  const faults = [
    'server-errors',
    'html-200',
    'token-expired',
    'rows-hidden',
    'graph/export-failed',
    'graph/zip-broken',
  ];
  const { exit } = await chain.faulty(folder, second, faults);
  expect(exit).toBe(0);
  expect(await allTables(folder, second)).toEqual(chain.good(second));
});

test('drifting-pages: every device that stayed or came, and no other', async () => {
  const folder = await chain.afterOneNight();
  const { exit } = await chain.faulty(folder, second, ['drifting-pages']);
  expect(exit).toBe(0);
  const truths = truthAt(chain.way.sandbox, second, chain.roll(first));
  chain.renewFleet();
  const rows = await tableRows(folder, second, 'devices');
  expect(rows.map(deviceLine).sort()).toEqual(truthLines(truths));
  const { changes } = compare(chain.roll(first), truths, second);
  expect((await tableRows(folder, second, 'changes')).map(changeLine).sort()).toEqual(changes);
});

test('clean-up: a job that deletes a Mac during every walk does not cost the night', async () => {
  const folder = await chain.afterOneNight();
  const { exit, night } = await chain.faulty(folder, second, ['jamf/clean-up:lasting']);
  expect(exit).toBe(0);
  const receipt = night?.sources.find(({ name }) => name === 'macs')?.receipt;
  expect(receipt?.walks).toBeGreaterThan(1);
  const shown = new Set((await tableRows(folder, second, 'devices')).map((row) => `${row.source} ${row.device_id}`));
  const truths = truthAt(chain.way.sandbox, second);
  chain.renewFleet();
  expect(truths.filter(({ source, device_id }) => !shown.has(`${source} ${device_id}`))).toEqual([]);
});
