/** The typed views and the saved queries on files of real nights, hostile cells among them. */
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../src/compose/read-settings.ts';
import { tables } from '../../src/reports/tables.ts';
import { isCounted } from '../model/rows.ts';
import { judgeDevices } from '../whole-runs/expected-runs.ts';
import {
  makeFolder,
  openSimulator,
  type Row,
  readTableRows,
  removeFolders,
  runSlot,
  type SimulatorSetup,
  toMoment,
} from '../whole-runs/simulator-runs.ts';
import { type Duck, openDuck } from './duck.ts';
import { glueViews, namedQueries, prestoView } from './views.ts';

const views = glueViews.map((input) => ({ name: input.Name, sql: prestoView(input).originalSql }));
const tableOf = (name: string) => name.replaceAll('-', '_');

describe('the views and saved queries, on files of real nights', () => {
  const slots = Array.from({ length: 6 }, (_, index) => `2026-03-0${index + 1}`);
  const names = ['CORP\\alice', 'a ""quoted"" Mac', '=cmd|calc', 'ends \\', 'comma, name'];
  let setup: SimulatorSetup;
  let folder: string;
  let duck: Duck;
  let devices: Row[];

  beforeAll(async () => {
    setup = await openSimulator({ devices: 120 });
    const columns = '{ serial: Serial Number, seen_at: Last Seen }';
    const lists = `lists: { expected: [{ file: machines.csv }], reporting: [{ file: console.csv, columns: ${columns} }] }`;
    const { settings = setup.settings } = readSettings(
      `${setup.simulator.settings()}${lists}\n`,
      setup.simulator.environment,
    );
    setup = { ...setup, settings };
    folder = await makeFolder();
    const macs = judgeDevices(setup.simulator).flatMap((row) =>
      row.source === 'macs' && isCounted(row) ? [row.facts.id] : [],
    );
    names.forEach((name, index) => {
      setup.simulator.changeDevice('macs', macs[index] ?? '', { name });
    });
    const restless = macs[7] ?? '';
    for (const [index, slot] of slots.entries()) {
      if (index > 0) {
        setup.simulator.changeDevice('macs', restless, { agent: index % 2 === 0 ? 'installed' : 'missing' });
      }
      if (index === 3) {
        setup.simulator.changeDevice('macs', macs[8] ?? '', { gone: true });
      }
      setup.simulator.setMoment(toMoment(slot));
      const { expected, reporting } = setup.simulator.machineLists();
      // One machine more is bought for the fourth run.
      await writeFile(join(folder, 'machines.csv'), index < 3 ? expected : `${expected}C02BOXED001,,,,,,\n`);
      await writeFile(join(folder, 'console.csv'), reporting);
      for (const name of ['machines.csv', 'console.csv']) {
        await utimes(join(folder, name), toMoment(slot), toMoment(slot));
      }
      await runSlot(setup, folder, slot);
    }
    devices = await readTableRows(folder, slots.at(-1) ?? '', 'devices');
    duck = await openDuck(join(folder, 'muster-data'), views);
  });

  afterAll(async () => {
    duck?.close();
    await setup.close();
    await removeFolders();
  });

  const query = (name: string): string => {
    const found = namedQueries.find(({ Name }) => Name === name);
    if (found === undefined) {
      throw new Error(`there is no saved query "${name}"`);
    }
    return found.QueryString;
  };

  it.each(tables.map(({ name }) => name))('read every cell of %s as it is in the files', async (name) => {
    const rows = await duck.ask(`SELECT * FROM ${tableOf(name)} WHERE "date" = '${slots.at(-1)}'`);
    const wanted = (await readTableRows(folder, slots.at(-1) ?? '', name as 'devices')).map((row) => ({
      ...row,
      date: slots.at(-1),
    }));
    expect(sorted(rows)).toEqual(sorted(wanted));
  });

  it('have the hostile names among them', () => {
    const found = devices.map(({ device_name }) => device_name);
    expect(found).toEqual(expect.arrayContaining(['CORP\\alice', 'a ""quoted"" Mac', "'=cmd|calc", 'ends \\']));
  });

  it.each(glueViews.map((input) => [input.Name, input] as const))(
    '%s has the types that it tells Athena, and every row',
    async (name, input) => {
      const { columns, catalog, schema } = prestoView(input);
      expect([catalog, schema]).toEqual(['awsdatacatalog', 'muster_prod']);
      expect(input.Parameters.presto_view).toBe('true');
      const hive = input.StorageDescriptor.Columns.map(({ Name, Type }) => ({ name: Name, type: Type }));
      expect(columns.map(({ name, type }) => ({ name, type: hiveType(type) }))).toEqual(hive);
      const types = await duck.typesOf(name);
      expect(columns.map(({ name, type }) => [name, duckType(type)])).toEqual([...types]);
      const [typed] = await duck.ask(`SELECT count(*) AS rows, count(slot) AS slots FROM ${name}`);
      const [plain] = await duck.ask(`SELECT count(*) AS rows FROM ${name.replace('typed_', '')}`);
      expect(typed).toEqual({ rows: plain?.rows, slots: plain?.rows });
    },
  );

  it('typed_coverage has numbers where there are numbers', async () => {
    const rows = await duck.ask(`SELECT * FROM typed_coverage WHERE source = 'all' ORDER BY slot`);
    expect(rows).toHaveLength(slots.length);
    expect(Number(rows[0]?.coverage)).toBeGreaterThan(50);
    // Their sum over nothing known is nothing known, not zero.
    const [sum] = await duck.ask(`SELECT sum(CAST(NULLIF('', '') AS bigint)) AS sum`);
    expect(sum?.sum).toBe('');
  });

  it('say who has been missing longest', async () => {
    const rows = await duck.ask(query('Who has been Not Installed longest'));
    const wanted = (await readTableRows(folder, slots.at(-1) ?? '', 'not-installed')).map(({ device_id }) => device_id);
    expect(rows.map(({ device_id }) => device_id)).toEqual(wanted);
    expect(rows[0]).toMatchObject({ not_installed_since: '2026-03-01', days_missing: '5' });
  });

  it('say coverage by week', async () => {
    const rows = await duck.ask(query('Coverage by week'));
    const all = rows.filter(({ source }) => source === 'all');
    expect(all.map(({ week, nights }) => [week, nights])).toEqual([
      ['2026-03-02', '5'],
      ['2026-02-23', '1'],
    ]);
    const coverage = (await readTableRows(folder, slots.at(-1) ?? '', 'coverage')).find(
      ({ source }) => source === 'all',
    );
    expect(all[0]).toMatchObject({
      coverage_at_end: coverage?.coverage,
      counted_at_end: coverage?.counted,
      complete_nights: '5',
    });
  });

  it('say which devices flap', async () => {
    const rows = await duck.ask(query('Flapping devices'));
    expect(rows.length).toBeGreaterThan(0);
    expect(rows[0]).toMatchObject({ source: 'macs', times_lost: '3', times_recovered: '2', last_change: slots.at(-1) });
  });

  it('say a device’s history by its serial number, however it is written', async () => {
    const known = devices.find(({ device_name }) => device_name === 'CORP\\alice');
    const ask = (since: string) =>
      duck.ask(query("A device's history by serial number"), [` ${known?.serial_number?.toLowerCase()} `, since]);
    const rows = await ask(slots[0] ?? '');
    expect(rows.map(({ slot }) => slot)).toEqual(slots);
    // The partition's own column, so that Athena reads no run before it.
    expect((await ask(slots[3] ?? '')).map(({ slot }) => slot)).toEqual(slots.slice(3));
    expect(new Set(rows.map(({ device_name }) => device_name))).toEqual(new Set(['CORP\\alice']));
  });

  it('say what left the count', async () => {
    const rows = await duck.ask(query('What was removed from scope'));
    expect(rows.filter(({ change, slot }) => change === 'removed' && slot === '2026-03-04')).not.toEqual([]);
    const wanted: string[] = [];
    for (const slot of slots) {
      for (const { change, device_id } of await readTableRows(folder, slot, 'changes')) {
        if (change === 'removed' || change === 'excluded') {
          wanted.push(`${slot} ${device_id}`);
        }
      }
    }
    expect(rows.map(({ slot, device_id }) => `${slot} ${device_id}`).sort()).toEqual(wanted.sort());
  });

  it('say which machines were bought and never enrolled, and since which run', async () => {
    const rows = await duck.ask(query('Bought and never enrolled'));
    const wanted = await readTableRows(folder, slots.at(-1) ?? '', 'unenrolled' as 'devices');
    expect(rows.map((row) => row.serial_number).sort()).toEqual(wanted.map((row) => row.serial_number).sort());
    expect(rows.find((row) => row.serial_number === 'C02BOXED001')).toMatchObject({ since: slots[3] });
    expect(rows[0]).toMatchObject({ since: slots[0], list: 'machines.csv' });
  });

  it('say which devices have been silent for longest', async () => {
    const rows = await duck.ask(query('Not checking in for longest'));
    const silent = devices.filter((row) => row.silent === 'true');
    expect(silent.length).toBeGreaterThan(1);
    expect(rows.map((row) => row.device_id).sort()).toEqual(silent.map((row) => row.device_id).sort());
    const days = rows.flatMap(({ days_silent: one }) => (one === '' ? [] : [Number(one)]));
    expect(days).toEqual(days.toSorted((left, right) => right - left));
  });

  it('are each tried here', () => {
    expect(namedQueries.map(({ Name }) => Name)).toHaveLength(7);
  });
});

function sorted(rows: readonly object[]): string[] {
  return rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
}

function hiveType(type: string): string {
  return type === 'varchar' ? 'string' : type.replace('(3)', '');
}

function duckType(type: string): string {
  return type.replace('timestamp(3)', 'TIMESTAMP').toUpperCase();
}
