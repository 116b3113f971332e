/** The tables as they are published, and read back. */
import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import type { Night } from '../../src/core/facts/judged.ts';
import { renderCsv } from '../../src/reports/csv.ts';
import type { Report } from '../../src/reports/report.ts';
import type { Table } from '../../src/reports/table.ts';
import { tables } from '../../src/reports/tables.ts';

export type Row = Readonly<Record<string, string>>;

export function tableOf(name: string): Table {
  const table = tables.find((one) => one.name === name);
  if (table === undefined) {
    throw new Error(`no table ${name}`);
  }
  return table;
}

export async function rowsOf(name: string, night: Night): Promise<Row[]> {
  return parse(await buffer(renderCsv(tableOf(name), night)), { columns: true });
}

export function bytesOf(report: Report, night: Night): Promise<Buffer> {
  return buffer(report.render(night));
}
