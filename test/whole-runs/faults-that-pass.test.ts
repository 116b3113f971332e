import { afterAll, beforeAll, expect, test } from 'vitest';
import { isDeep, sample } from '../sampling.ts';
import { expectTables } from './expect-tables.ts';
import { expectRun, observe } from './expected-runs.ts';
import { cells, ownPassing, passingRows, writeLasting, writePassing } from './fault-table.ts';
import { openReferenceRuns, type ReferenceRuns, second } from './reference-runs.ts';
import { readAllTables, readTableRows, removeFolders } from './simulator-runs.ts';

let reference: ReferenceRuns;

beforeAll(async () => {
  reference = await openReferenceRuns(second);
});

afterAll(async () => {
  await reference.setup.close();
  await removeFolders();
});

/** The contract of the sources shows each fault; what is shown here is that nothing of it reaches a table. */
async function expectNoTrace(faults: readonly string[]): Promise<void> {
  const folder = await reference.copyAfterFirstRun();
  const { exit } = await reference.runWithFaults(folder, second, faults);
  expect(exit).toBe(0);
  expect(await readAllTables(folder, second)).toEqual(reference.readTables(second));
}

test.each(passingRows.map((row) => row.map(writePassing)))('%s, %s, …: no trace in any table', async (...faults) => {
  await expectNoTrace(faults);
});

test.each(sample(ownPassing, 2))('%s leaves no trace in any table', async (fault) => {
  await expectNoTrace([fault]);
});

/** One at a time, on both platforms at once, and downloads for as long as they are tried. */
const alone = isDeep
  ? [
      ...cells.map(writePassing),
      ...new Set(cells.map(({ kind }) => (kind === 'hang' ? 'hang=0' : kind))),
      ...cells.filter(({ request }) => request === 'download').map(writeLasting),
    ]
  : ['graph/html-200@download:lasting'];

test.each(alone)('%s alone leaves no trace in any table', async (fault) => {
  await expectNoTrace([fault]);
});

test('many at once leave no trace either', async () => {
  const report = ['graph/export-failed', 'graph/zip-broken'];
  await expectNoTrace(['server-errors', 'html-200', 'token-expired', 'rows-hidden', ...report]);
});

test('drifting-pages: every device that stayed or came, and no other', async () => {
  const { setup, firstRun } = reference;
  const folder = await reference.copyAfterFirstRun();
  const { exit } = await reference.runWithFaults(folder, second, ['drifting-pages']);
  expect(exit).toBe(0);
  const run = expectRun(second, observe(setup.simulator), { past: [[firstRun]] });
  reference.renewDevices();
  // Who is in a group is asked before or after a Mac goes.
  await expectTables(folder, second, run, { tables: ['devices', 'not-installed', 'changes', 'coverage'] });
});

test('clean-up: a job that deletes a Mac during every walk does not cost the run', async () => {
  const folder = await reference.copyAfterFirstRun();
  const { exit, night } = await reference.runWithFaults(folder, second, ['jamf/clean-up:lasting']);
  expect(exit).toBe(0);
  const receipt = night?.sources.find(({ name }) => name === 'macs')?.receipt;
  expect(receipt?.walks).toBeGreaterThan(1);
  const shown = new Set(
    (await readTableRows(folder, second, 'devices')).map((row) => `${row.source} ${row.device_id}`),
  );
  const records = reference.setup.simulator.listRecords();
  reference.renewDevices();
  expect(records.filter(({ source, id }) => !shown.has(`${source} ${id}`))).toEqual([]);
});
