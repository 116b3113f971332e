/** Lists of machines as consoles export them: read as they are, or said not to be readable; no run fails for one. */
import { mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLists } from '../../src/settings/people/list-files.ts';
import { isDeep } from '../sampling.ts';
import { least, parseSettings } from './least.ts';

const folder = mkdtempSync(join(tmpdir(), 'lists-'));
const now = new Date('2026-06-01T05:15:00Z');

async function readList(name: 'expected' | 'reporting', body: string | Buffer, settings = '') {
  writeFileSync(join(folder, 'list.csv'), body);
  utimesSync(join(folder, 'list.csv'), now, now);
  const yaml = `${least}lists: { ${name}: [{ file: ./list.csv${settings} }] }`;
  const found = (await readLists(parseSettings(yaml), folder, now))?.[name];
  const rows: readonly object[] | undefined = found?.rows;
  return { rows, readAt: found?.readAt, file: found?.files[0] };
}

const text = 'serial,owner,until\nC02A,"Example, Ada",2027-01-01\nC02B,,\n';
const read = [{ serial: 'C02A', owner: 'Example, Ada', until: '2027-01-01' }, { serial: 'C02B' }];
const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');

describe('a list is read', () => {
  it.each([
    ['as it is', text],
    ['with a byte order mark and Windows line ends [E5]', `\ufeff${text.replaceAll('\n', '\r\n')}`],
    ['with semicolons [E5]', 'serial;owner;until\nC02A;Example, Ada;2027-01-01\nC02B;;\n'],
    ['with tabs', 'serial\towner\tuntil\nC02A\tExample, Ada\t2027-01-01\nC02B\t\t\n'],
    ['in UTF-16 [E5]', utf16],
    ['in UTF-16 with the other order of bytes', Buffer.from(utf16).swap16()],
    ['with other columns, and without a line end at the end', `x,${text.trimEnd().replaceAll('\n', '\n1,')}`],
    ['with a header in other letters', text.replace('serial', ' Serial ')],
  ])('%s', async (_, body) => {
    expect(await readList('expected', body)).toMatchObject({ rows: read, readAt: now.toISOString() });
  });

  it('in Windows-1252, without empty rows, and with the lines that are not understood [E5, M2, M3]', async () => {
    const rows = 'C02A,J\xf6rg,31.12.2026\n,,\nC02B,,03/04/2027\nC02C,"x"y,\nC02D,,\n';
    const found = await readList('expected', Buffer.from(`Serial,Owner,Until\n${rows}`, 'latin1'));
    const written = { serial: 'C02A', owner: 'Jörg', until: '31.12.2026' };
    expect(found.rows).toEqual([written, { serial: 'C02B', until: '03/04/2027' }, { serial: 'C02D' }]);
    expect(found.file).toMatchObject({ rows: 3, notUnderstood: { rows: 2 } });
    expect(found.file?.notUnderstood?.first).toEqual([
      'line 4: until is "03/04/2027", which can mean 2027-03-04 or 2027-04-03; write one of these',
      'line 5: a closing quote is followed by something other than a separator',
    ]);
  });

  it('where a row is far too long, without it [E6]', async () => {
    const found = await readList('expected', `serial,note\nC02A,${'x'.repeat(70_000)}\nC02B,\n`);
    expect(found).toMatchObject({ rows: [{ serial: 'C02B' }], file: { notUnderstood: { rows: 1 } } });
  });

  it('with the columns that the settings name', async () => {
    const found = await readList(
      'reporting',
      'Host,"Serial Number","Last Seen, UTC"\npc-1,C02A,2026-06-01\n',
      ', columns: { serial: Serial Number, name: Host, seen_at: "Last Seen, UTC" }, maxAgeDays: 3',
    );
    expect(found.rows).toEqual([{ serial: 'C02A', name: 'pc-1', seen_at: '2026-06-01' }]);
    expect(found.file).toMatchObject({ name: 'list.csv', rows: 1, date: now.toISOString(), maxAgeDays: 3 });
    expect(found.file).toMatchObject({ columns: ['Host', 'Serial Number', 'Last Seen, UTC'] });
  });

  it('from several files, in their order', async () => {
    writeFileSync(join(folder, 'one.csv'), 'serial\nC02A\n');
    writeFileSync(join(folder, 'two.csv'), 'sn\nC02B\nC02C\n');
    const yaml = `${least}lists: { expected: [{ file: one.csv }, { file: two.csv, columns: { serial: sn } }] }`;
    const found = (await readLists(parseSettings(yaml), folder, now))?.expected;
    expect(found?.files.map(({ name, rows: count }) => [name, count])).toEqual([
      ['one.csv', 1],
      ['two.csv', 2],
    ]);
    expect(found?.rows).toEqual([{ serial: 'C02A' }, { serial: 'C02B' }, { serial: 'C02C' }]);
  });

  it('with many thousand rows', async () => {
    const length = isDeep ? 300_000 : 20_000;
    const many = Array.from({ length }, (_, index) => `C02${index},ada,2027-01-01\n`);
    const found = await readList('expected', `serial,owner,until\n${many.join('')}`);
    expect(found.rows).toHaveLength(length);
    expect(found.rows?.at(-1)).toMatchObject({ serial: `C02${length - 1}` });
  });

  it('with cells that a spreadsheet would take for formulas, as they are written [E6]', async () => {
    const found = await readList('expected', 'serial,__proto__\n"=cmd|\' /C calc\'!A0",x\nC02A,y\n');
    expect(found.rows).toEqual([{ serial: "=cmd|' /C calc'!A0" }, { serial: 'C02A' }]);
  });
});

describe('a list is said not to be sound', () => {
  it.each([
    ['a row that is cut off [E3]', `${text}C02C,a`, 'line 4: the file ends within this row, as one that is cut off'],
    ['a quote that is not closed', `${text}C02C,"Exam`, 'line 4: the file ends within this row'],
    ['most rows not understood', `serial,until\n${'C02A,soon\n'.repeat(11)}`, '11 of its 11 rows are not understood'],
    ['no rows and no header', '\n\n', 'it is empty'],
    ['no column with a serial number', 'Name,Site\na,b\n', 'it has no column "serial"'],
    ['two such columns [E4]', 'serial,Serial\na,b\n', 'it has several columns "serial"'],
    ['more than a million rows [E6]', `serial\n${'a\n'.repeat(1_000_001)}`, 'it has more than 1000000 rows'],
  ])('with %s', async (_, body, why) => {
    const { rows: none, file } = await readList('expected', body);
    expect(none).toEqual([]);
    expect(file?.problem).toMatchObject({ code: 'list-incomplete' });
    expect(file?.problem?.message).toContain(why);
    expect(file?.problem?.message).not.toContain('Ada');
  });

  it('without a column that the settings name', async () => {
    const { file } = await readList('expected', text, ', columns: { site: Office }');
    expect(file?.problem?.message).toContain('it has no column "Office"');
  });

  it('where a list of machines that report has no dates', async () => {
    const { file } = await readList('reporting', 'serial,last\nC02A,2026-06-01\n');
    expect(file?.problem?.message).toContain('it has no column "seen_at"');
  });

  it.each([
    [
      'in another encoding [E5]',
      Buffer.from('serial,owner\nC02A,J\x90rg\n', 'latin1'),
      'it is no text in UTF-8, UTF-16 or',
    ],
    ['cut off within a character', utf16.subarray(0, 41), 'it is cut off within a character'],
  ])('%s', async (_, body, why) => {
    const { file } = await readList('expected', body);
    expect(file?.problem).toMatchObject({ code: 'list-unreadable' });
    expect(file?.problem?.message).toContain(why);
  });

  it('where it is not there, without saying where it should be [E3]', async () => {
    const yaml = `${least}lists: { expected: [{ file: /secret-folder/gone.csv }] }`;
    const file = (await readLists(parseSettings(yaml), folder, now))?.expected?.files[0];
    expect(file?.problem).toMatchObject({ code: 'list-unreadable' });
    expect(file?.problem?.message).toContain('gone.csv of lists.expected could not be read: ENOENT.');
    expect(JSON.stringify(file)).not.toContain('secret-folder');
  });
});
