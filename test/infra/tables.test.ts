/** The query tables against the files they are over, hostile cells among them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCell } from '../../src/reports/cell.ts';
import { tables } from '../../src/reports/tables.ts';
import { toCopyKeys } from '../../src/storage/keys.ts';
import { openCsv } from './open-csv.ts';
import { fileTables, glueViews, namedQueries } from './views.ts';

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
