/**
 * `muster.xlsx`: the tables again for those who live in spreadsheets, where text stays text whatever it looks like.
 * Written sheet by sheet and row by row, so that its size never has to fit into memory; every date in it is fixed.
 */
import { Readable } from 'node:stream';
import type { Night } from '../core/judged.ts';
import { buffered, type Report } from './report.ts';
import type { Table } from './table.ts';
import { tables } from './tables.ts';
import { contentTypes, packageRelations, workbook, workbookRelations } from './workbook/parts.ts';
import { type Sheet, sheetXml } from './workbook/sheet.ts';
import { styles } from './workbook/styles.ts';
import { summarySheet } from './workbook/summary.ts';

export const workbookReport: Report = {
  file: 'muster.xlsx',
  async *render(night) {
    // By its default, since a bundle does not see the names that a CommonJS package exports.
    const { ZipFile } = (await import('yazl')).default;
    const zip = new ZipFile();
    const out = zip.outputStream as Readable;
    zip.once('error', (error: Error) => out.destroy(error));
    // Written as local time, so it is made from local time: the same bytes in every zone.
    const fixed = { mtime: new Date(2000, 0, 1), forceDosTimestamp: true, mode: 0o100644 };
    for (const [name, texts] of partsOf(sheetsOf(night))) {
      zip.addReadStreamLazy(name, fixed, (take) => take(null, Readable.from(buffered(texts))));
    }
    zip.end();
    for await (const piece of out) yield piece;
  },
};

function partsOf(sheets: readonly Sheet[]): [name: string, texts: Iterable<string>][] {
  return [
    ['[Content_Types].xml', [contentTypes(sheets)]],
    ['_rels/.rels', [packageRelations]],
    ['xl/workbook.xml', [workbook(sheets)]],
    ['xl/_rels/workbook.xml.rels', [workbookRelations(sheets)]],
    ['xl/styles.xml', [styles]],
    ...sheets.map((sheet, place): [string, Iterable<string>] => [
      `xl/worksheets/sheet${place + 1}.xml`,
      sheetXml(sheet),
    ]),
  ];
}

const named: readonly (readonly [title: string, table: string])[] = [
  ['Not Installed', 'not-installed'],
  ['Devices', 'devices'],
  ['Changes', 'changes'],
  ['Groups', 'groups'],
  ['Deployment', 'deployment'],
];

function sheetsOf(night: Night): Sheet[] {
  const rest = named.flatMap(([title, name]) => {
    const table = tables.find((one) => one.name === name);
    return table === undefined ? [] : sheetsOfTable(title, table, night);
  });
  return [summarySheet(night), ...rest];
}

/** A sheet ends at 1,048,576 rows; a longer table goes on in a second one. */
const longest = 1_048_575;

function sheetsOfTable(title: string, table: Table, night: Night): Sheet[] {
  let count = 0;
  for (const _ of table.rows(night)) count += 1;
  const parts = Math.max(1, Math.ceil(count / longest));
  return Array.from({ length: parts }, (_, part) => ({
    title: part === 0 ? title : `${title} ${part + 1}`,
    columns: table.columns.map((column) => column.name),
    count: Math.min(longest, count - part * longest),
    rows: () => slice(table.rows(night), part * longest, (part + 1) * longest),
  }));
}

function* slice<T>(values: Iterable<T>, from: number, to: number): Generator<T> {
  let place = 0;
  for (const value of values) {
    if (place >= to) return;
    if (place >= from) yield value;
    place += 1;
  }
}
