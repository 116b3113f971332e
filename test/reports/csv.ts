/** The tables as they are published, and read back. */
import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import type { Night } from '../../src/core/facts/judged.ts';
import { renderCsv } from '../../src/reports/csv.ts';
import type { Report } from '../../src/reports/report.ts';
import { tables } from '../../src/reports/tables.ts';

export type Row = Readonly<Record<string, string>>;

export async function rowsOf(name: string, night: Night): Promise<Row[]> {
  const table = tables.find((one) => one.name === name);
  if (table === undefined) {
    throw new Error(`no table ${name}`);
  }
  return parse(await buffer(renderCsv(table, night)), { columns: true });
}

export function bytesOf(report: Report, night: Night): Promise<Buffer> {
  return buffer(report.render(night));
}
