/** The workbook, read back by an independent reader, and by LibreOffice where it is installed. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { read, utils, type WorkBook, type WorkSheet } from '@e965/xlsx';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Night } from '../../src/core/judged.ts';
import { toPrintableText } from '../../src/reports/cell.ts';
import { tables } from '../../src/reports/tables.ts';
import type { Worksheet } from '../../src/reports/workbook/worksheet.ts';
import { renderWorksheet } from '../../src/reports/workbook/worksheet.ts';
import { workbookReport } from '../../src/reports/workbook.ts';
import { needProgram } from '../needs.ts';
import { bytesOf } from './csv.ts';
import { nightOf } from './fleet.ts';
import { hostileNight } from './hostile-fleet.ts';

const titles = ['Summary', 'Not Installed', 'Devices', 'Changes', 'Groups', 'Deployment'];
const nights: readonly (readonly [name: string, make: () => Night])[] = [
  ['an ordinary night', () => nightOf({ devices: 300, nights: 4, missing: 10 })],
  ['hostile names', hostileNight],
  ['an empty fleet', () => nightOf({ devices: 0, nights: 1 })],
];

/** The CSV's values before its formula guard; a cell holds 32,767 characters at most. */
function expectedRows(title: string, night: Night): string[][] {
  const name = title.toLowerCase().replace(' ', '-');
  const table = tables.find((one) => one.name === name);
  const rows = [...(table?.rows(night) ?? [])].map((cells) => cells.map((cell) => plain(cell)));
  return [(table?.columns ?? []).map(({ name }) => name), ...rows];
}

function plain(cell: string | number | boolean | undefined): string {
  const text = cell === undefined ? '' : toPrintableText(String(cell)).toWellFormed();
  return text.length > 32_767 ? `${text.slice(0, 32_766)}…` : text;
}

function readRows(sheet: WorkSheet | undefined): string[][] {
  return utils.sheet_to_json<string[]>(sheet ?? {}, { header: 1, raw: false, defval: '' });
}

describe.each(nights)('the workbook of %s', (_, make) => {
  let night: Night;
  let bytes: Buffer;
  let book: WorkBook;

  beforeAll(async () => {
    night = make();
    bytes = await bytesOf(workbookReport, night);
    book = read(bytes, { cellFormula: true, cellText: true, cellStyles: true });
  });

  it('has the six sheets, each with a head, a filter, and text that is text', () => {
    expect(book.SheetNames).toEqual(titles);
    for (const title of titles.slice(1)) {
      const sheet = book.Sheets[title] ?? {};
      const cells = Object.entries(sheet).filter(([at]) => !at.startsWith('!'));
      expect(cells.length).toBeGreaterThan(0);
      expect(cells.filter(([, cell]) => cell.f !== undefined || cell.t !== 's')).toEqual([]);
      expect(sheet['!autofilter']?.ref).toMatch(/^A1:[A-Z]+\d+$/);
    }
  });

  it.each(titles.slice(1))('%s equals the CSV before its formula guard', (title) => {
    expect(readRows(book.Sheets[title])).toEqual(expectedRows(title, night));
  });

  it('has the figures of coverage.csv as numbers in its summary', () => {
    const table = tables.find(({ name }) => name === 'coverage');
    const rows = [...(table?.rows(night) ?? [])];
    const found = utils.sheet_to_json<(string | number)[]>(book.Sheets.Summary ?? {}, { header: 1, defval: '' });
    for (const [place, cells] of rows.entries()) {
      const shown = found[place + 1]
        ?.slice(0, cells.length)
        .map((cell) => (cell === '' ? '' : Number.isNaN(Number(cell)) ? cell : Number(cell)));
      expect(shown).toEqual(
        cells.map((cell) =>
          cell === '' || cell === undefined ? '' : Number.isNaN(Number(cell)) ? cell : Number(cell),
        ),
      );
    }
  });

  it('has the same bytes whenever it is made', async () => {
    expect((await bytesOf(workbookReport, make())).equals(bytes)).toBe(true);
  });

  it('opens in LibreOffice: every value the same, no formula', async ({ skip }) => {
    needProgram(skip, 'soffice');
    const folder = await mkdtemp(join(tmpdir(), 'muster-xlsx-'));
    try {
      await writeFile(join(folder, 'muster.xlsx'), bytes);
      const profile = `-env:UserInstallation=file://${folder}/profile`;
      const quoted = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,false,true,false,false,-1';
      execFileSync(
        'soffice',
        [profile, '--headless', '--convert-to', quoted, '--outdir', folder, join(folder, 'muster.xlsx')],
        { stdio: 'ignore' },
      );
      const files = (await readdir(folder)).filter((file) => file.endsWith('.csv'));
      expect(files.sort()).toEqual(titles.map((title) => `muster-${title}.csv`).sort());
      for (const title of titles.slice(1)) {
        const text = await readFile(join(folder, `muster-${title}.csv`), 'utf8');
        expect(parse(text, { relaxColumnCount: true })).toEqual(expectedRows(title, night));
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('a sheet', () => {
  const sheet = (cells: readonly (string | number | undefined)[]): Worksheet => ({
    ...{ title: 'T', columns: cells.map((_, place) => `c${place}`), count: 1, rows: () => [cells] },
  });
  const xmlOf = (cells: readonly (string | number | undefined)[]) => [...renderWorksheet(sheet(cells))].join('');

  it('names columns beyond Z', () => {
    expect(xmlOf(Array.from({ length: 28 }, () => 'x'))).toContain('<c r="AB2"');
  });

  it('leaves out what is not known, and writes numbers as numbers', () => {
    expect(xmlOf([undefined, 5])).toContain('<row r="2"><c r="B2" s="0"><v>5</v></c></row>');
  });

  it('escapes what XML cannot hold, and what looks like such an escape', () => {
    expect(xmlOf(['\uffff<&>_x0041_'])).toContain('_xFFFF_&lt;&amp;&gt;_x005F_x0041_');
  });
});
