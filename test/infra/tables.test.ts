/** The query tables against the files they are over, hostile cells among them. */
import { readFileSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../src/compose/read-settings.ts';
import { formatCell } from '../../src/reports/cell.ts';
import { tables } from '../../src/reports/tables.ts';
import { toCopyKeys } from '../../src/storage/keys.ts';
import { isCounted } from '../model/rows.ts';
import { judgeDevices } from '../whole-runs/expected-runs.ts';
import {
  makeFolder,
  openSandbox,
  type Row,
  readTableRows,
  removeFolders,
  runSlot,
  type SandboxSetup,
  toMoment,
} from '../whole-runs/sandbox-runs.ts';
import { type Duck, openDuck } from './duck.ts';
import { fileTables, glueViews, namedQueries, prestoView } from './views.ts';

const views = glueViews.map((input) => ({ name: input.Name, sql: prestoView(input).originalSql }));
const tableOf = (name: string) => name.replaceAll('-', '_');

describe('the tables', () => {
  it('are those that a night writes, column by column, all text', () => {
    const ours = tables.map(({ name, columns }) => [tableOf(name), columns.map((column) => column.name)]);
    const glue = fileTables.map(({ Name, StorageDescriptor }) => [
      Name,
      StorageDescriptor.Columns.map((one) => one.Name),
    ]);
    expect(glue).toEqual(ours);
    const types = fileTables.flatMap(({ StorageDescriptor }) => StorageDescriptor.Columns.map(({ Type }) => Type));
    expect([...new Set(types)]).toEqual(['string']);
  });

  it.each(tables.map(({ name }) => name))('%s stands over its own copies, a partition a date', (name) => {
    const input = fileTables.find(({ Name }) => Name === tableOf(name));
    const [dated] = toCopyKeys(`${name}.csv`, '2026-11-20');
    const template = input?.Parameters['storage.location.template'] ?? '';
    expect(template.replace(/\$\{date\}/, '2026-11-20')).toBe(
      `s3://acme-muster/prod/${dated.slice(0, dated.lastIndexOf('/'))}`,
    );
    expect(template.startsWith(input?.StorageDescriptor.Location ?? 'nothing')).toBe(true);
    expect(input?.PartitionKeys.map(({ Name, Type }) => [Name, Type])).toEqual([['date', 'string']]);
    expect(input?.Parameters).toMatchObject({
      'projection.enabled': 'true',
      'projection.date.type': 'date',
      'projection.date.format': 'yyyy-MM-dd',
      'projection.date.range': 'NOW-432DAYS,NOW+1DAYS',
      'skip.header.line.count': '1',
    });
    expect(input?.StorageDescriptor.SerdeInfo).toMatchObject({
      SerializationLibrary: 'org.apache.hadoop.hive.serde2.OpenCSVSerde',
      Parameters: { separatorChar: ',', quoteChar: '"', escapeChar: '\t' },
    });
  });

  it('have an escape character that no cell can hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        expect(formatCell(`${text}\t`)).not.toContain('\t');
      }),
    );
  });

  const written = (cells: readonly string[]) => stringify([['2026-11-20', ...cells.map(formatCell)]]).trimEnd();
  it('give back any row as it was written', () => {
    const nasty = fc.string({ unit: fc.constantFrom('"', '\\', ',', "'", 'a', ' ', '\t', 'é', '=', '\n') });
    const rows = fc.array(fc.oneof(nasty, fc.string({ unit: 'grapheme' })), { minLength: 1, maxLength: 8 });
    const giveBack = fc.property(rows, (cells) => {
      expect(openCsv(written(cells), '\t')).toEqual(['2026-11-20', ...cells.map(formatCell)]);
    });
    const examples: [string[]][] = [
      [['CORP\\alice', '', 'C02']],
      [['\\', '\\\\', '\\"']],
      [['a ""quoted"" name', '"', '","']],
    ];
    fc.assert(giveBack, { numRuns: 2_000, examples });
  });

  it('would lose a backslash, and a row, under the default escape', () => {
    expect(openCsv(written(['CORP\\alice']), '\\')).toEqual(['2026-11-20', 'CORPalice']);
    expect(openCsv(written(['a,\\', 'b']), '\\')).not.toEqual(['2026-11-20', 'a,\\', 'b']);
  });
});

it('docs/queries.md names every table, view and saved query', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/queries.md'), 'utf8');
  for (const { Name } of [...fileTables, ...glueViews]) {
    expect(page).toContain(`\`${Name}\``);
  }
  const told = [...page.matchAll(/^\| ([A-Z][A-Za-z' ]+) \| /gm)].map((match) => match[1]);
  expect(told.sort()).toEqual(namedQueries.map(({ Name }) => Name).sort());
});

describe('the views and saved queries, on files of real nights', () => {
  const slots = Array.from({ length: 6 }, (_, index) => `2026-03-0${index + 1}`);
  const names = ['CORP\\alice', 'a ""quoted"" Mac', '=cmd|calc', 'ends \\', 'comma, name'];
  let setup: SandboxSetup;
  let folder: string;
  let duck: Duck;
  let devices: Row[];

  beforeAll(async () => {
    setup = await openSandbox({ devices: 120 });
    const columns = '{ serial: Serial Number, seen_at: Last Seen }';
    const lists = `lists: { expected: [{ file: machines.csv }], reporting: [{ file: console.csv, columns: ${columns} }] }`;
    const { settings = setup.settings } = readSettings(
      `${setup.sandbox.settings()}${lists}\n`,
      setup.sandbox.environment,
    );
    setup = { ...setup, settings };
    folder = await makeFolder();
    const macs = judgeDevices(setup.sandbox).flatMap((row) =>
      row.source === 'macs' && isCounted(row) ? [row.facts.id] : [],
    );
    names.forEach((name, index) => {
      setup.sandbox.changeDevice('macs', macs[index] ?? '', { name });
    });
    const restless = macs[7] ?? '';
    for (const [index, slot] of slots.entries()) {
      if (index > 0) {
        setup.sandbox.changeDevice('macs', restless, { agent: index % 2 === 0 ? 'installed' : 'missing' });
      }
      if (index === 3) {
        setup.sandbox.changeDevice('macs', macs[8] ?? '', { gone: true });
      }
      setup.sandbox.setMoment(toMoment(slot));
      const { expected, reporting } = setup.sandbox.machineLists();
      // One machine more is bought for the fourth run.
      await writeFile(join(folder, 'machines.csv'), index < 3 ? expected : `${expected}C02BOXED001,,,,,\n`);
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
    const rows = await duck.ask(query('Who has been missing longest'));
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
    const rows = await duck.ask(query('Silent for longest'));
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

/**
 * How OpenCSVSerDe takes a line apart, written after the behaviour of the library inside it (opencsv 2): a quote
 * doubled within quotes is one, the escape character swallows itself before a quote or another escape and is dropped
 * before anything else, a quote in the middle of a plain cell stays. Cells come out as text, empty where there is none.
 */
function openCsv(line: string, swallowing: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let inQuotes = false;
  let inField = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? '';
    const next = line[at + 1];
    const isWithin = inQuotes || inField;
    if (character === swallowing) {
      if (isWithin && (next === '"' || next === swallowing)) {
        cell += next;
        at += 1;
      }
    } else if (character === '"') {
      if (isWithin && next === '"') {
        cell += '"';
        at += 1;
      } else {
        inQuotes = !inQuotes;
        const isInside = at > 2 && line[at - 1] !== ',' && next !== undefined && next !== ',';
        if (isInside) {
          cell = cell.trim() === '' ? '' : `${cell}"`;
        }
      }
      inField = !inField;
    } else if (character === ',' && !inQuotes) {
      cells.push(cell);
      cell = '';
      inField = false;
    } else {
      cell += character;
      inField = true;
    }
  }
  return [...cells, cell].map((text) => text.replace(/^[ \t]+/, ''));
}
