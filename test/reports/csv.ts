/** The tables as they are published, and read back. */
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
  const pieces: Buffer[] = [];
  for await (const piece of renderCsv(table, night)) {
    pieces.push(piece);
  }
  return parse(Buffer.concat(pieces), { columns: true });
}

export async function bytesOf(report: Report, night: Night): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of report.render(night)) {
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
