import { describe, expect, it } from 'vitest';
import { parsePeopleFile } from '../../src/settings/people/people-files.ts';

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
