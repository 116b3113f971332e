/** Reads the notes file, a CSV of dates and texts that mark the trend. */
import { parse } from 'csv-parse/sync';
import { isCalendarDate } from '../core/calendar.ts';
import type { Note } from '../core/facts.ts';
import { MusterError } from '../errors.ts';

const header = 'date,text';

export function parseNotes(text: string, file: string): Note[] {
  const [first, ...rows] = parseRows(text, file);
  if (first?.join() !== header) {
    throw createNotesError(file, `its first line must be ${header}`);
  }
  return rows.map(([date = '', note = ''], index) => {
    if (!isCalendarDate(date)) {
      throw createNotesError(file, `row ${index + 1}: the date must be written as 2026-11-20`);
    }
    return { date, text: note };
  });
}

function parseRows(text: string, file: string): string[][] {
  try {
    return parse(text, { bom: true, trim: true, skip_empty_lines: true });
  } catch {
    throw createNotesError(file, `it is not a CSV file with the columns ${header}`);
  }
}

export function createNotesError(file: string, why: string): MusterError {
  return new MusterError(
    'notes-unreadable',
    `Muster could not read the notes in ${file}: ${why}. Nothing was counted; fix the file and run the slot again.`,
  );
}
