/** The files that people keep: read as they save them, refused where they cannot be understood. */
import { describe, expect, it } from 'vitest';
import { parsePeopleFile } from '../../src/settings/people/people-files.ts';

const header = 'match,value,source,reason,owner,expires';
const read = (text: string) => parsePeopleFile('exemptions', text, 'exemptions.csv');

describe('the exemptions file', () => {
  it('is read row by row, as written', () => {
    const text = `${header}\nserial,C02XYZ,,"lab, second floor",it,2027-01-01\nuser,ada@example.com,windows,leave,hr,2026-12-31\n`;

    expect(read(text)).toEqual([
      { match: 'serial', value: 'C02XYZ', source: '', reason: 'lab, second floor', owner: 'it', expires: '2027-01-01' },
      {
        match: 'user',
        value: 'ada@example.com',
        source: 'windows',
        reason: 'leave',
        owner: 'hr',
        expires: '2026-12-31',
      },
    ]);
  });

  it.each([
    ['a byte order mark', `\ufeff${header}\nserial,X,,a,b,2027-01-01\n`],
    ['Windows line ends', `${header}\r\nserial,X,,a,b,2027-01-01\r\n`],
    ['no line end at the end', `${header}\nserial,X,,a,b,2027-01-01`],
    ['empty lines', `${header}\n\nserial,X,,a,b,2027-01-01\n\n\n`],
    ['spaces around', ` ${header.replaceAll(',', ' , ')} \n serial , X ,, a , b , 2027-01-01 \n`],
  ])('as spreadsheets and people save it: %s', (_, text) => {
    expect(read(text)).toEqual([
      { match: 'serial', value: 'X', source: '', reason: 'a', owner: 'b', expires: '2027-01-01' },
    ]);
  });

  it('with a header alone exempts no device', () => {
    expect(read(`${header}\n`)).toEqual([]);
  });

  it('keeps invalid rows, which runs ignore: reading does not judge them', () => {
    expect(read(`${header}\nhostname,,,,,\n`)).toEqual([
      { match: 'hostname', value: '', source: '', reason: '', owner: '', expires: '' },
    ]);
  });

  it.each([
    ['empty', '', 'its first line must be match,value,source,reason,owner,expires'],
    ['another header', 'serial,owner\n', 'its first line must be match,value,source,reason,owner,expires'],
    ['columns in another order', `value,match${header.slice(11)}\n`, 'its first line must be'],
    ['a column more', `${header},note\n`, 'its first line must be'],
    ['a header in capitals', `${header.toUpperCase()}\n`, 'its first line must be'],
    ['a row that is too short', `${header}\nserial,X\n`, 'line 2: it has another number of columns'],
    [
      'a row that is too long',
      `${header}\nserial,X,,a,b,2027-01-01,more\n`,
      'line 2: it has another number of columns',
    ],
    ['a quote that is never closed', `${header}\nserial,"X,,a,b,2027-01-01\n`, 'line 2: a quote is not closed'],
  ])('that cannot be read fails the run: %s', (_, text, why) => {
    const failure = () => read(text);

    expect(failure).toThrow(`Muster could not read the exemptions in exemptions.csv: `);
    expect(failure).toThrow(why);
    expect(failure).toThrow(expect.objectContaining({ code: 'exemptions-unreadable' }));
  });
});

describe('the notes file', () => {
  it('is read row by row, as spreadsheets and people save it', () => {
    expect(
      parsePeopleFile(
        'notes',
        '\ufeffdate,text\r\n2026-11-03,"New agent, version 8"\r\n\r\n2026-11-09,Move to Berlin',
        'notes.csv',
      ),
    ).toEqual([
      { date: '2026-11-03', text: 'New agent, version 8' },
      { date: '2026-11-09', text: 'Move to Berlin' },
    ]);
    expect(parsePeopleFile('notes', 'date,text\n', 'notes.csv')).toEqual([]);
  });

  it.each([
    ['another header', 'day,text\n', 'its first line must be date,text'],
    ['nothing', '', 'its first line must be date,text'],
    ['a day that is none', 'date,text\n2026-02-30,x\n', 'row 1: the date must be written as 2026-11-20'],
    ['an open quote', 'date,text\n2026-02-03,"x\n', 'it is not a CSV file'],
  ])('is refused with %s, and the run with it', (_, text, why) => {
    expect(() => parsePeopleFile('notes', text, 'notes.csv')).toThrow(
      expect.objectContaining({ code: 'notes-unreadable', message: expect.stringContaining(why) }),
    );
  });
});
