/** Reads the notes file, a CSV of dates and texts that mark the trend. */
import { isCalendarDate } from '../core/calendar.ts';
import type { Note } from '../core/facts.ts';
import { MusterError } from '../errors.ts';
import { parsePeopleTable } from './people-table.ts';

const notesHeader = ['date', 'text'] as const;

export function parseNotes(text: string, file: string): Note[] {
  const notes = parsePeopleTable(text, notesHeader, (why) => createNotesError(file, why));
  const wrong = notes.findIndex(({ date }) => !isCalendarDate(date));
  if (wrong !== -1) {
    throw createNotesError(file, `row ${wrong + 1}: the date must be written as 2026-11-20`);
  }
  return notes;
}

export function createNotesError(file: string, why: string): MusterError {
  return new MusterError(
    'notes-unreadable',
    `Muster could not read the notes in ${file}: ${why}. Nothing was counted; fix the file and run the slot again.`,
  );
}
