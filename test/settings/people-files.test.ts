/** The files that people keep: read as spreadsheets save them, row by row, refused where too little is understood. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePeopleFile } from '../../src/settings/people/people-files.ts';
import { isDeep } from '../sampling.ts';

const header = 'match,value,source,reason,owner,expires';
const good = 'serial,X,,a,b,2027-01-01';
const text = `${header}\nserial,X,,"lab, 2nd",Jürgen,2027-01-01\n`;
const row = { match: 'serial', value: 'X', source: '', reason: 'lab, 2nd', owner: 'Jürgen', expires: '2027-01-01' };
const read = (body: string | Buffer) => parsePeopleFile('exemptions', Buffer.from(body), 'exemptions.csv');
const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
const separated = (separator: string) => text.replaceAll(/,(?! )/g, separator);

describe('an exemptions file', () => {
  it.each([
    ['with commas', text],
    ['with semicolons', separated(';')],
    ['with tabs', separated('\t')],
    ['with a line that names the separator', `sep=|\n${separated('|')}`],
    ['in UTF-8 with its mark', `\ufeff${text}`],
    ['in UTF-16', utf16],
    ['in UTF-16 with the other order of bytes', Buffer.from(utf16).swap16()],
    ['in UTF-16 without its mark', utf16.subarray(2)],
    ['in Windows-1252', Buffer.from(text, 'latin1')],
    ['with capitals in the header', text.replace(header, header.toUpperCase())],
    ['with more columns', text.replace(header, `id,${header},note`).replace('serial,X', '7,serial,X')],
    ['with capitals in `match`', text.replace('serial', 'Serial')],
    ['with columns in another order', text.replace('match,value', 'value,match').replace('serial,X', 'X,serial')],
    ['without a column that may be empty', text.replace('source,', '').replace('X,,', 'X,')],
    ['with Windows line ends', text.replaceAll('\n', '\r\n')],
    ['with line ends of both kinds', text.replace('\n', '\r\n')],
    ['without a line end at the end', text.trimEnd()],
    ['with spaces around', text.replaceAll(/,(?! )/g, ' , ')],
    ['with empty cells at the end of a row', text.replace('01-01', '01-01,,')],
  ])('is read as it is saved: %s [M2]', (_, body) => {
    expect(read(body)).toMatchObject([row]);
  });

  it('has no row where a spreadsheet left emptied ones [M3]', () => {
    expect(read(`${header}\n,,,,,\n${good}\n\n ,,, ,,\n;\n,,,,,`.replace(';\n', ''))).toMatchObject([
      { match: 'serial', line: 3 },
    ]);
  });

  it('with a header alone exempts no device', () => {
    expect(read(`${header}\n`)).toEqual([]);
  });

  it.each([
    ['another word', 'hostname,X,,a,b,2027-01-01', 'match is "hostname"; it must be one of'],
    ['a date of two readings', 'serial,X,,a,b,01/02/2027', 'which can mean 2027-01-02 or 2027-02-01'],
    ['too few values', 'serial,X', 'owner is empty'],
    ['too many values', 'serial,X,,lab, second floor,b,2027-01-01', 'more values than the first line has columns'],
    ['a quote that is never closed', 'serial,"X,,a,b,2027-01-01', 'a quote is not closed'],
    ['a quote that is closed too early', 'serial,"X"Y,,a,b,2027-01-01', 'a closing quote is followed by'],
  ])('has one row that is not understood, by its line: %s [M2]', (_, line, why) => {
    const rows = read(`${header}\n${good}\n\n${line}\n${good}\n`);
    expect(rows).toMatchObject([{ line: 2 }, { line: 4, problem: expect.stringContaining(why) }, { line: 5 }]);
    expect(rows.filter(({ problem }) => problem !== undefined)).toHaveLength(1);
  });

  it('loses no row to a quote that is not closed, where a later cell ends with one [M2]', () => {
    const open = 'serial,X,,"lost, see ticket,a,2027-01-01';
    const rows = read(`${header}\n${open}\n${good}\n\nserial,Z,,screen 13",b,2027-01-01\n`);
    expect(rows).toMatchObject([
      { line: 2, problem: 'a quote is not closed' },
      { line: 3, value: 'X' },
      { line: 5, value: 'Z', reason: 'screen 13"' },
    ]);
  });

  it.each([
    ['the next row ends with one', `${good}"`, 'expires is "2027-01-01"'],
    ['the next row is not understood either', `${good.replace('serial', 'hostname')}"`, 'match is "hostname"'],
  ])('names both rows where a quote of the last column is not closed and %s [M2]', (_, next, why) => {
    const rows = read(`${header}\n${good.replace('2027', '"2027')}\n${next}\n${good}\n`);
    expect(rows).toMatchObject([
      { line: 2, problem: 'a quote is not closed' },
      { line: 3, problem: expect.stringContaining(why) },
      { line: 4, value: 'X' },
    ]);
  });

  it('has reasons of several lines', () => {
    const rows = read(`${header}\nserial,X,,"lab,\n2nd, 3rd, ""4th"", 5th, 6th",b,2027-01-01\n${good}\n`);
    expect(rows).toMatchObject([{ line: 2, value: 'X', owner: 'b' }, { line: 4 }]);
    expect(rows.filter(({ problem }) => problem !== undefined)).toEqual([]);
  });

  it('loses no row but the one into which a quote was put, wherever that is', () => {
    const cell = fc.constantFrom('lab', '"lab, 2nd"', '""', '"a ""b"""', 'screen 13"', '');
    fc.assert(
      fc.property(fc.array(cell, { minLength: 2, maxLength: 6 }), fc.nat(), fc.nat(), (reasons, which, at) => {
        const rows = reasons.map((reason, index) => `serial,X${index},,${reason},it,2027-01-01`);
        const broken = which % rows.length;
        const place = at % (rows[broken]?.length ?? 1);
        const lines = rows.map((line, index) =>
          index === broken ? `${line.slice(0, place)}"${line.slice(place)}` : line,
        );
        const found = read(`${header}\n${lines.join('\n')}\n`).map(({ value }) => value);
        const kept = rows.flatMap((_, index) => (index === broken ? [] : [`X${index}`]));
        expect(found).toEqual(expect.arrayContaining(kept));
      }),
      { numRuns: isDeep ? 20_000 : 300, seed: 7 },
    );
  });

  it('counts lines in a file whose cells have line breaks', () => {
    expect(read(`${header}\nserial,X,,"a\nb",b,2027-01-01\n\nserial,Y,,"a"b,b,2027-01-01\n${good}\n`)).toMatchObject([
      { line: 2, reason: 'a\nb' },
      { line: 5, value: '' },
      { line: 6, value: 'X' },
    ]);
  });

  it('is refused where more than ten rows and more than half are not understood [M2]', () => {
    const file = (bad: number, other: number) =>
      read(`${header}\n${'serial,X,,a,b,01/02/2027\n'.repeat(bad)}${`${good}\n`.repeat(other)}`);
    expect(file(10, 0)).toHaveLength(10);
    expect(file(11, 11)).toHaveLength(22);
    expect(() => file(11, 10)).toThrow('11 of its 21 rows are not understood (line 2: expires is "01/02/2027"');
  });

  it.each([
    ['empty', '', 'it is empty'],
    ['emptied', '\n,,,,,\n', 'it is empty'],
    [
      'another header',
      'serial,owner\n',
      'it has no column "match". Nothing was counted; fix the file, whose columns are match,value,source,',
    ],
    ['a column twice', `${header},Owner\n`, 'it has several columns "owner"'],
    ['a broken header', `"match,value\n${good}\n`, 'line 1: a quote is not closed'],
    ['cut off', `${header}\n${good}\nserial,X,,a`, 'line 3: the file ends within this row'],
    ['cut off in a quote', `${header}\n${good}\nserial,"X,,a`, 'line 3: the file ends within this row'],
    ['UTF-8 that is cut off', Buffer.from(`${header}\nserial,X,,ü,é`).subarray(0, -1), 'it is no text in UTF-8'],
    ['no text', Buffer.from([0x61, 0x81, 0x0a, 0x01]), 'it is no text in UTF-8, UTF-16 or Windows-1252'],
    ['half a character', utf16.subarray(0, -1), 'it is cut off within a character'],
    ['a thousand broken quotes', `${header}\n${'"a"b\n'.repeat(1_002)}`, 'more than 1000 lines with a broken quote'],
  ])('that cannot be read fails the run: %s [M2]', (_, body, why) => {
    const failure = () => read(body);

    expect(failure).toThrow(`Muster could not read the exemptions in exemptions.csv: `);
    expect(failure).toThrow(why);
    expect(failure).toThrow(expect.objectContaining({ code: 'exemptions-unreadable' }));
  });
});

describe('other files', () => {
  it('an acknowledgements file needs neither ticket nor note, and a short last row is whole where it is understood', () => {
    const file = (body: string) => parsePeopleFile('acknowledged', Buffer.from(body), 'acknowledged.csv');
    expect(file('Serial;By;Until\nC02X;ada;31.12.2026')).toMatchObject([{ serial: 'C02X', ticket: '', line: 2 }]);
    expect(file('serial,by,until,ticket\nC02X,ada,2027-01-01')).toMatchObject([{ until: '2027-01-01', ticket: '' }]);
  });

  it('a note whose date is not understood is that note alone [M2]', () => {
    const body = Buffer.from('\ufeffDate;Text\r\n3.11.2026;"New agent; version 8"\r\n30.2.2026;x\r\n;;\r\n');
    expect(parsePeopleFile('notes', body, 'notes.csv')).toEqual([
      { date: '3.11.2026', text: 'New agent; version 8', line: 2 },
      { date: '30.2.2026', text: 'x', line: 3, problem: 'date is "30.2.2026"; it must be a date such as 2026-12-31' },
    ]);
    expect(() => parsePeopleFile('notes', Buffer.from('day,text\n'), 'notes.csv')).toThrow(
      expect.objectContaining({ code: 'notes-unreadable' }),
    );
  });
});
