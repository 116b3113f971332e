import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import type { Night } from '../../src/core/facts/judged.ts';
import { formatCell } from '../../src/reports/cell.ts';
import { renderCsv } from '../../src/reports/csv.ts';
import type { Table } from '../../src/reports/table.ts';
import { tables } from '../../src/reports/tables.ts';
import { at, judgeOnce, makeExemption, makeFinding, makeMac, makeSource } from '../core/make-facts.ts';
import { needProgram } from '../needs.ts';
import { tableOf } from './csv.ts';
import { hostileNames } from './names.ts';
import { picture } from './picture.ts';

const golden = join(import.meta.dirname, '..', 'golden');

const bytesOf = (table: Table, night: Night) => buffer(renderCsv(table, night));

const deviceHeader =
  'slot,source,platform,device_id,device_name,serial_number,user,os_version,model,status,reason,value,detail,value_at,last_seen_at,enrolled_at,proven,stale,counted,excluded_because,not_installed_since,answered_on,site,department,building,category';

/**
 * What was ever published stays, by name and place: people and programs know columns by both. A release adds what is new;
 * until then the golden files hold it.
 */
const headers: [string, string][] = [
  ['devices', deviceHeader],
  ['not-installed', deviceHeader],
  ['changes', 'slot,source,platform,device_id,device_name,serial_number,change,from_status,to_status,reason'],
  ['groups', 'slot,source,platform,group,device_id,device_name,in_platform_group,in_picture,verdict,why,change'],
  [
    'coverage',
    'slot,source,platform,soundness,devices,counted,excluded,exempt,stale,installed,not_installed,proven_installed,proven_not_installed,coverage,coverage_low,coverage_high,lost,recovered,joined,left',
  ],
  [
    'coverage-by',
    'slot,field,value,devices,counted,installed,not_installed,proven_installed,proven_not_installed,coverage,coverage_low,coverage_high',
  ],
  ['exemptions', 'slot,match,value,source,reason,owner,expires,devices,result'],
  ['deployment', 'slot,source,check,result,expected,found,advice'],
  ['unenrolled', 'slot,serial_number,owner,site,bought,until,note,list'],
];

const namesOf = (table: Table) => table.columns.map(({ name }) => name);
const createTextTable = (rows: Table['rows']): Table => ({
  ...{ name: 'texts', description: '', columns: [{ name: 'text', type: 'text', description: '' }] },
  rows,
});

describe('the tables', () => {
  it('are these, in this order', () => {
    expect(tables.map(({ name }) => name)).toEqual(headers.map(([name]) => name));
  });

  it.each(headers)('%s begins with the columns it was published with, also on an empty night', async (name, header) => {
    const empty = await bytesOf(tableOf(name), judgeOnce({ sources: [] }));

    expect(namesOf(tableOf(name)).join()).toMatch(new RegExp(`^${header}(,|$)`));
    expect(empty.toString().split('\n')[0]).toBe(namesOf(tableOf(name)).join());
  });

  // Made anew with GOLDEN=write; the difference is then for a person to read.
  it.each(headers)('%s is byte for byte what it was', async (name) => {
    const bytes = await bytesOf(tableOf(name), picture());
    const file = join(golden, `${name}.csv`);
    if (process.env.GOLDEN === 'write') {
      await writeFile(file, bytes);
    }

    expect(bytes.toString()).toBe((await readFile(file)).toString());
    expect(bytes.equals(await readFile(file))).toBe(true);
    expect(bytes.subarray(0, 3)).not.toEqual(Buffer.from('\ufeff'));
    expect(bytes.includes('\r')).toBe(false);
    expect(bytes.at(-1)).toBe(10);
  });

  it('a row that cannot be made fails the reader', async () => {
    const rows = function* () {
      yield ['fine'];
      throw new Error('this row cannot be made');
    };

    await expect(bytesOf(createTextTable(rows), judgeOnce())).rejects.toThrow('this row cannot be made');
  });

  it('a reader may leave early', async () => {
    const many = createTextTable(() => Array.from({ length: 50_000 }, () => ['x']));
    for await (const piece of renderCsv(many, judgeOnce())) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
  });

  it('100,000 rows stream in pieces, without being held [P20]', async () => {
    let made = 0;
    const many = createTextTable(function* () {
      for (; made < 100_000; made += 1) {
        yield ['some text of a device'];
      }
    });
    let read = 0;
    let ahead = 0;
    for await (const piece of renderCsv(many, judgeOnce())) {
      read += piece.toString().split('\n').length - 1;
      ahead = Math.max(ahead, made - read);
    }

    expect(read).toBe(100_001);
    expect(ahead).toBeLessThan(10_000);
  });
});

/** The documented form of a text in a cell, said in other words than the code does. */
function documented(text: string): string {
  const spaced = [...text.toWellFormed()].map((character) => (isControl(character) ? '\n' : character)).join('');
  const plain = spaced.replaceAll(/\n+/g, ' ').trim();
  // Of the hostile texts, one alone has a formula in a later part, and a tab is a space by then.
  const parts = text.startsWith('a\t=') ? plain.replace('a =', "a '=") : plain.replace(';=', ";'=");
  return beginsFormula(plain) ? `'${parts}` : parts;
}

function beginsFormula(plain: string): boolean {
  const seen = [...plain].find((character) => !/["\s\u200b\u2066\u202e]/.test(character)) ?? ' ';
  return '=+-@\uff1d\uff0b\uff0d\uff20'.includes(seen) && !/^[+-](\d+\.)?\d+$|^[+-]\.\d+$/.test(plain);
}

function isControl(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x20 || (code >= 0x7f && code <= 0x9f) || code === 0x2028 || code === 0x2029;
}

describe('hostile texts', () => {
  const devices = hostileNames.map((name, index) => {
    const id = String(index).padStart(4, '0');
    return makeMac(id, name, { name, serialNumber: `${name}#${id}`, user: name, model: name, osVersion: name });
  });
  const finding = { ...makeFinding('pass'), expected: '=1+1\n', found: '@x', advice: '\t-x' };
  const groups = [{ holds: 'Installed' as const, name: '=Agent\r\nInstalled', members: ['=1', '@2\n'] }];
  const night = judgeOnce({
    sources: [makeSource('macs', devices, { findings: [finding], groups })],
    exemptions: hostileNames.map((name) => makeExemption('device_id', name, { reason: name, owner: name })),
  });

  it.each(headers.map(([name]) => name))('%s: read back, every row and column is there [N1, N2]', async (name) => {
    const table = tableOf(name);
    const [head, ...rows] = parse(await bytesOf(table, night), { relax_column_count: false }) as string[][];

    expect(head).toEqual(namesOf(table));
    const expected = [...table.rows(night)].map((row) =>
      row.map((value) => (typeof value === 'string' ? documented(value) : value === undefined ? '' : String(value))),
    );
    expect(rows).toEqual(expected);
    const dangerous = rows.flat().filter((value) => /^[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(value));
    expect(dangerous.filter((value) => !/^[+-]?(\d+(\.\d+)?|\.\d+)$/.test(value))).toEqual([]);
    expect(rows.flat().filter((value) => [...value].some(isControl))).toEqual([]);
  });

  it('A11: no part begins as a formula where a semicolon or a tab ends one [N16, R10]', async () => {
    const texts: readonly (readonly [string, string])[] = [
      ['a;=1+1', "a;'=1+1"],
      ['a;=1+1;b;@x', "a;'=1+1;b;'@x"],
      ['=1;=2', "'=1;'=2"],
      ['a\t=1+1', "a '=1+1"],
      ['a;\t=1', "a; '=1"],
      ['a; =1', "a; '=1"],
      ['a;"=1+1;b', 'a;\'"=1+1;b'],
      ['a;\u200b\u00ad=1', "a;'\u200b\u00ad=1"],
      ['a;\uff1d1', "a;'\uff1d1"],
      ['a;-1', 'a;-1'],
      ['-1;x', "'-1;x"],
      ['a;b=1', 'a;b=1'],
      ['-1.5', '-1.5'],
    ];
    const devices = texts.map(([name], index) => makeMac(String(index).padStart(2, '0'), 'Installed', { name }));
    const bytes = await bytesOf(tableOf('devices'), judgeOnce({ sources: [makeSource('macs', devices)] }));
    const [head = [], ...rows] = parse(bytes) as string[][];
    expect(rows.map((row) => row[head.indexOf('device_name')])).toEqual(texts.map(([, written]) => written));
    for (const separator of [';', '\t']) {
      const options = { delimiter: separator, relax_column_count: true, relax_quotes: true };
      const cells = (parse(bytes, options) as string[][]).flat();
      expect(
        cells.filter((cell) => /^[\s"\p{C}]*[=+\-@\uff1d]/u.test(cell) && !/^-[\d.]+$/.test(cell.split(',')[0] ?? '')),
      ).toEqual([]);
    }
  });

  it.each(['\u200b', '\ufeff', '\u00ad', '\u202e', '\u2066', '\u2060', '\u3164', '\u0301', '\ud800', '"'])(
    'A15: %j before a sign hides no formula [N2]',
    (hidden) => {
      for (const sign of ['=', '+', '-', '@', '\uff1d']) {
        expect(formatCell(`${hidden}${sign}cmd`)).toMatch(/^'/);
        expect(formatCell(`a;${hidden}${sign}cmd`)).toMatch(/^a;\s*'/);
      }
      expect(formatCell(`${hidden}abc`)).not.toMatch(/'/);
    },
  );

  it('another reader sees the same [N1]', async ({ skip }) => {
    needProgram(skip, 'python3');
    const bytes = await bytesOf(tableOf('devices'), night);
    const program =
      'import csv,io,json,sys;csv.field_size_limit(1<<20);t=io.TextIOWrapper(sys.stdin.buffer,"utf-8",newline="");print(json.dumps(list(csv.reader(t,strict=True))))';
    const { stdout, status } = spawnSync('python3', ['-c', program], {
      input: bytes,
      encoding: 'utf8',
      maxBuffer: 1e9,
    });

    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual(parse(bytes));
  });

  it.each<[unknown, string]>([
    ['-1', '-1'],
    ['-1.5', '-1.5'],
    ['-1.', "'-1."],
    ['-', "'-"],
    ['\uff0d1', "'\uff0d1"],
    [' \t =1', "'=1"],
    ['a\r\n\t\u0000b', 'a b'],
    ['a \n b', 'a   b'],
    ['\u2028', ''],
    ["'=1", "'=1"],
    [undefined, ''],
    [true, 'true'],
    [-1, '-1'],
  ])('%j becomes %j', (value, expected) => {
    expect(formatCell(value as string)).toBe(expected);
  });

  it('a time stays a time, and what is not known stays empty', async () => {
    const { enrolledAt: _, ...bare } = makeMac('1', null);
    const [, row] = parse(
      await bytesOf(tableOf('devices'), judgeOnce({ sources: [makeSource('macs', [bare])] })),
    ) as string[][];
    const values = Object.fromEntries(namesOf(tableOf('devices')).map((column, index) => [column, row?.[index]]));

    expect(values).toMatchObject({ value: '', value_at: at(1, -1), enrolled_at: '', user: '', proven: 'false' });
  });
});
