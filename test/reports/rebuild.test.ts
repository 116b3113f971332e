/** Page, workbook, report.json and metrics of a published night: beside its tables, copied, verified, and the same when made again. */
import { expect, test } from 'vitest';
import { reports } from '../../src/compose/parts.ts';
import { sourceRules } from '../../src/compose/source-kinds.ts';
import { runNight } from '../../src/night.ts';
import { tables } from '../../src/reports/tables.ts';
import { rebuildRun } from '../../src/run/rebuild.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { place } from '../night/folder.ts';
import { companyOfAllTables, slots } from '../night/small.ts';

const here = place();

test('a night’s reports are published with it, and rebuilt from its facts to the same bytes', async () => {
  const small = companyOfAllTables();
  const [first = '', second = ''] = slots;
  for (const slot of [first, second]) {
    await runNight(small.order(slot), { ...small.parts(here.store), reports });
  }
  expect(await verifyRuns(here.store)).toMatchObject({ nights: 2, damage: [] });
  const target = createFolderStore(`${here.path}-again`);
  const { files } = await rebuildRun(here.store, first, { target, tables, reports, rules: sourceRules });
  expect(files).toEqual(expect.arrayContaining(['report.json', 'index.html', 'muster.xlsx', 'metrics.prom']));
  for (const file of ['report.json', 'index.html', 'muster.xlsx', 'metrics.prom']) {
    const again = await target.digest(file);
    expect(again).toBe(await here.store.digest(`report/date=${first}/${file}`));
    expect(again).not.toBe(await here.store.digest(`latest/${file}`));
    expect(await here.store.digest(`latest/${file}`)).toBe(await here.store.digest(`report/date=${second}/${file}`));
  }
});
