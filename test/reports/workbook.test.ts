/** The workbook, read back by an independent reader, and by LibreOffice where it is installed. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { read, utils, type WorkBook, type WorkSheet } from '@e965/xlsx';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import type { Night } from '../../src/core/facts/judged.ts';
import { type Cell, toPrintableText } from '../../src/reports/cell.ts';
import { getReportDocument } from '../../src/reports/document/document.ts';
import type { ColumnType } from '../../src/reports/table.ts';
import { renderWorksheet } from '../../src/reports/workbook/worksheet.ts';
import { workbookReport } from '../../src/reports/workbook.ts';
import { at, judgeOnce, makeFacts, makeMac, makeSource } from '../core/make-facts.ts';
import { needProgram } from '../needs.ts';
import { bytesOf, tableOf } from './csv.ts';
import { nightOf } from './fleet.ts';
import { hostileNight } from './hostile-fleet.ts';

/** Each sheet of a table, and its rows: all, or those that somebody should look at. */
const sheets: Readonly<Record<string, readonly [table: string, shows?: (read: Read) => boolean]>> = {
  'Not Installed': ['not-installed'],
  'In doubt or not counted': ['devices', (read) => read('counted') === 'false' || read('proven') === 'false'],
  Changes: ['changes'],
  Groups: ['groups', (read) => read('change') !== 'stayed' || !/^(agrees|derived)$/.test(read('verdict'))],
  'Coverage by': ['coverage-by'],
  Deployment: ['deployment', (read) => read('result') !== 'not-checked'],
  'Enrolled nowhere': ['unenrolled'],
};
type Read = (column: string) => string;
const nights: readonly (readonly [name: string, make: () => Night])[] = [
  ['an ordinary night', () => nightOf({ devices: 300, nights: 4, missing: 10 })],
  ['hostile names', hostileNight],
  ['an empty fleet', () => nightOf({ devices: 0, nights: 1 })],
];

/** The CSV's values before its formula guard; a cell holds 32,767 characters at most. */
function expectedRows(title: string, night: Night): string[][] {
  const [name, shows = () => true] = sheets[title] ?? [''];
  const { columns, rows: listRows } = tableOf(name);
  const rows = [...listRows(night)]
    .filter((cells) => shows((column) => plain(cells[columns.findIndex((one) => one.name === column)])))
    .map((cells) => cells.map((cell, index) => toShown(cell, columns[index]?.type)));
  return [columns.map(({ name }) => name), ...rows];
}

/** A date as the sheet shows it: to the minute. */
function toShown(cell: Cell, type: ColumnType | undefined): string {
  const value = plain(cell);
  return type === 'time' && value !== ''
    ? `${new Date(value).toISOString().slice(0, 16).replace('T', ' ')} UTC`
    : value;
}

function plain(cell: string | number | boolean | undefined): string {
  const text = cell === undefined ? '' : toPrintableText(String(cell)).toWellFormed();
  return text.length > 32_767 ? `${text.slice(0, 32_766)}…` : text;
}

function readRows(sheet: WorkSheet | undefined): string[][] {
  return utils.sheet_to_json<string[]>(sheet ?? {}, { header: 1, raw: false, defval: '' });
}

/** The parts of an archive whose names fit, as text. */
async function readParts(archive: Buffer, names: RegExp): Promise<string[]> {
  const zip = await fromBufferPromise(archive);
  const parts: string[] = [];
  for await (const entry of zip.eachEntry()) {
    if (names.test(entry.fileName)) {
      parts.push(await text(await zip.openReadStreamPromise(entry)));
    }
  }
  return parts;
}

describe.each(nights)('the workbook of %s', (name, make) => {
  const hasList = name === 'hostile names';
  const tableTitles = Object.keys(sheets).filter((title) => title !== 'Enrolled nowhere' || hasList);
  const titles = ['Overview', 'Summary', ...tableTitles];
  let night: Night;
  let bytes: Buffer;
  let book: WorkBook;

  beforeAll(async () => {
    night = make();
    bytes = await bytesOf(workbookReport, night);
    book = read(bytes, { cellFormula: true, cellText: true, cellStyles: true });
  });

  it('has its sheets, each table with a head, a filter, text that is text and dates that are dates', () => {
    expect(book.SheetNames).toEqual(titles);
    for (const title of tableTitles) {
      const sheet = book.Sheets[title] ?? {};
      // A blank cell keeps the place of the next one.
      const cells = Object.entries(sheet).filter(([at, cell]) => !at.startsWith('!') && cell.t !== 'z');
      expect(cells.length).toBeGreaterThan(0);
      const columns = tableOf(sheets[title]?.[0] ?? '').columns;
      const isNumber = ({ c }: { c: number }) => ['time', 'slot', 'count', 'percent'].includes(columns[c]?.type ?? '');
      const wrong = cells.filter(
        ([at, cell]) =>
          cell.f !== undefined || (utils.decode_cell(at).r > 0 && (cell.t === 'n') !== isNumber(utils.decode_cell(at))),
      );
      expect(wrong).toEqual([]);
      expect(sheet['!autofilter']?.ref).toMatch(/^A1:[A-Z]+\d+$/);
    }
  });

  it('begins with a sheet for managers: the number, the reasons, the platforms, the longest missing', () => {
    const lines = readRows(book.Sheets.Overview);
    const document = getReportDocument(night);
    const all = document.coverage.at(-1);
    const find = (name: string) => lines.find(([first]) => first === name)?.[1];
    expect(find('Coverage, %')).toBe(all?.coverage?.toFixed(2) ?? '');
    expect(find('Needs action')).toBe(String(all?.notInstalled));
    const rows = [...tableOf('not-installed').rows(night)];
    const head = lines.findIndex(([first]) => first === 'Name');
    expect(lines.slice(head + 1, head + 1 + Math.min(10, rows.length)).map((line) => line[2])).toEqual(
      rows.slice(0, 10).map((row) => plain(row[5])),
    );
  });

  it('is printed landscape, as wide as the paper', async () => {
    const sheets = await readParts(bytes, /^xl\/worksheets\/sheet\d+\.xml$/);
    expect(sheets).toHaveLength(titles.length);
    for (const sheet of sheets) {
      expect(sheet).toContain('<pageSetUpPr fitToPage="1"/>');
      expect(sheet).toContain('orientation="landscape" fitToWidth="1" fitToHeight="0"');
    }
  });

  it.each(tableTitles)('%s equals the CSV before its formula guard', (title) => {
    expect(readRows(book.Sheets[title])).toEqual(expectedRows(title, night));
  });

  it('has the figures of coverage.csv as numbers in its summary', () => {
    const toNumber = (cell: Cell) => (cell === '' || Number.isNaN(Number(cell)) ? (cell ?? '') : Number(cell));
    const found = utils.sheet_to_json<(string | number)[]>(book.Sheets.Summary ?? {}, { header: 1, defval: '' });
    for (const [place, cells] of [...tableOf('coverage').rows(night)].entries()) {
      const shown = found[place + 1]?.slice(1, cells.length).map(toNumber);
      expect(shown).toEqual(cells.slice(1).map(toNumber));
    }
  });

  it('has the same bytes whenever it is made', async () => {
    expect((await bytesOf(workbookReport, make())).equals(bytes)).toBe(true);
  });

  it('opens in LibreOffice: every value the same, no formula [N4]', async ({ skip }) => {
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
      for (const title of tableTitles) {
        const csv = await readFile(join(folder, `muster-${title}.csv`), 'utf8');
        expect(parse(csv, { relaxColumnCount: true })).toEqual(expectedRows(title, night));
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

it('has the machines that are enrolled nowhere only where there is a list, and silent devices among those to look at', async () => {
  const file = { name: 'list.csv', rows: 1, columns: [], maxAgeDays: 2, date: at(1) };
  const expected = { readAt: at(1), files: [file], rows: [{ serial: 'C02BOXED1' }] };
  const reporting = { readAt: at(1), files: [file], rows: [{ serial: 'C02FX1', seen_at: at(1, -30) }] };
  const policy = { ...makeFacts(1).policy, reportingWithinDays: 7 };
  const sources = [makeSource('macs', [makeMac('1')])];
  const book = read(await bytesOf(workbookReport, judgeOnce({ sources, policy, lists: { expected, reporting } })));
  const rowsIn = (title: string) => readRows(book.Sheets[title]).length;
  expect(book.SheetNames.at(-1)).toBe('Enrolled nowhere');
  expect([rowsIn('Enrolled nowhere'), rowsIn('In doubt or not counted')]).toEqual([2, 2]);
});

describe('a sheet', () => {
  type Cells = readonly (string | number | undefined)[];
  const render = (cells: Cells, type: ColumnType = 'text') => {
    const columns = cells.map((_, place) => ({ name: `c${place}`, type }));
    return [...renderWorksheet({ title: 'T', columns, rows: [cells] })].join('');
  };
  const inline = (shown: string) => `<c t="inlineStr"><is><t>${shown}</t></is></c>`;

  it('names columns beyond Z', () => {
    expect(render(Array.from({ length: 28 }, () => 'x'))).toContain('<autoFilter ref="A1:AB2"/>');
  });

  it('leaves out what is not known, and writes numbers as numbers', () => {
    expect(render([undefined, 5])).toContain('<row><c/><c s="1"><v>5</v></c></row>');
  });

  it.each<[ColumnType, string, string]>([
    ['slot', '2026-11-20', '<c s="4"><v>46346</v></c>'],
    ['time', '2026-11-20T12:00:59Z', '<c s="5"><v>46346.5</v></c>'],
    ['time', 'yesterday', inline('yesterday')],
    ['time', '0001-01-01T00:00:00Z', inline('0001-01-01T00:00:00Z')],
  ])('a %s: %s', (type, text, cell) => {
    expect(render([text], type)).toContain(`<row>${cell}</row>`);
  });

  it('escapes what XML cannot hold, and what looks like such an escape', () => {
    expect(render(['\uffff<&>_x0041_'])).toContain('_xFFFF_&lt;&amp;&gt;_x005F_x0041_');
  });
});
