/** Splits a CSV text into lines of cells. A line with a broken quote is lost alone: reading starts again after it. */
import { CsvError, type Options, parse } from 'csv-parse/sync';
import { UnreadableTable } from './decode-text.ts';

export interface Line {
  /** Number of its first line, from 1. */
  readonly line: number;
  /** Empty where the line is not understood. */
  readonly cells: readonly string[];
  readonly problem?: string;
}

const mostLines = 1_000_000;
const mostLineCharacters = 65_536;
/** Broken lines after which a file is refused, since each can cost as much as the longest line. */
const mostBrokenLines = 1_000;

/** Whether the cells of a line are a valid row by themselves, below this header. */
export type RowTest = (header: readonly string[], cells: readonly string[]) => boolean;

/** Splits a text, without lines whose cells are all empty. A quote that would include a further row counts as not closed. */
export function splitLines(text: string, isRow: RowTest): Line[] {
  // Some spreadsheets name the separator in a line before the header.
  const [hint = '', separator] = /^sep=([,;|\t])(?=\r|\n)/i.exec(text) ?? [];
  const table = text.slice(hint.length);
  const options = { delimiter: separator ?? findDelimiter(table), ...parsing };
  const lines: Line[] = [];
  let rest = Buffer.from(table);
  let before = 0;
  for (let broken = 1; rest.length > 0; broken += 1) {
    const read = readUntilBroken(rest, { options, before, isRow }, lines);
    if (read.problem === undefined) {
      break;
    }
    if (broken > mostBrokenLines) {
      throw new UnreadableTable(`it has more than ${mostBrokenLines} lines with a broken quote`);
    }
    const end = findFirstLine(rest, read.bytes);
    lines.push({ line: before + read.lines + end.lines, cells: [], problem: read.problem });
    before += read.lines + end.lines;
    rest = rest.subarray(end.bytes);
  }
  return lines;
}

const parsing: Options = {
  record_delimiter: ['\r\n', '\n', '\r'],
  trim: true,
  relax_quotes: true,
  relax_column_count: true,
  skip_empty_lines: true,
  max_record_size: mostLineCharacters,
};

interface Reading {
  readonly options: Options;
  /** Number of lines before these bytes. */
  readonly before: number;
  readonly isRow: RowTest;
}

/** Adds readable lines to `lines`; returns the end of the last one, and the problem after it. */
function readUntilBroken(bytes: Buffer, { options, before, isRow }: Reading, lines: Line[]) {
  const read = { bytes: 0, lines: 0 };
  const addLine = (record: string[], context: { readonly bytes: number; readonly lines: number }) => {
    const isOfOneLine = context.lines === read.lines + 1;
    const [header] = lines;
    if (!isOfOneLine && header !== undefined) {
      const text = bytes.subarray(read.bytes, context.bytes).toString();
      if (splitLaterLines(text, options).some((cells) => isRow(header.cells, cells))) {
        throw new OpenQuote();
      }
    }
    read.bytes = context.bytes;
    read.lines = context.lines;
    const cells = record.map((cell) => cell.trim());
    if (cells.some((cell) => cell !== '')) {
      const first = context.lines - (isOfOneLine ? 0 : countLineBreaks(record.join('')));
      lines.push({ line: before + first, cells });
    }
    if (lines.length > mostLines + 1) {
      throw new UnreadableTable(`it has more than ${mostLines} rows`);
    }
    return null;
  };
  try {
    parse(bytes, { ...options, on_record: addLine });
    return { ...read, problem: undefined };
  } catch (error) {
    if (error instanceof OpenQuote) {
      return { ...read, problem: brokenLines.CSV_QUOTE_NOT_CLOSED };
    }
    if (!(error instanceof CsvError)) {
      throw error;
    }
    return { ...read, problem: brokenLines[error.code] ?? `it is not CSV (${error.code})` };
  }
}

class OpenQuote extends Error {}

/** Cells of each line after the first, read as if no quote were open. */
function splitLaterLines(text: string, options: Options): string[][] {
  const [, ...later] = text.trimStart().split(lineBreak);
  return later.flatMap((line) => {
    try {
      return parse(line, options);
    } catch {
      return [];
    }
  });
}

const lineBreak = /\r\n|\n|\r/;

/** Own sentences, because the parser's may quote a value, and with it a person's name. */
const brokenLines: Partial<Record<CsvError['code'], string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  CSV_MAX_RECORD_SIZE: `a quote is not closed, or it has more than ${mostLineCharacters} characters`,
  CSV_INVALID_CLOSING_QUOTE: 'a closing quote is followed by something other than a separator',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'a closing quote is followed by something other than a separator',
};

function countLineBreaks(text: string): number {
  return text.split(lineBreak).length - 1;
}

/** The end of the first line that is not blank, and its number, counted from `from`. */
function findFirstLine(bytes: Buffer, from: number): { readonly bytes: number; readonly lines: number } {
  let end = from;
  for (let lines = 1; ; lines += 1) {
    const start = end;
    while (end < bytes.length && bytes[end] !== 0x0a && bytes[end] !== 0x0d) {
      end += 1;
    }
    const isBlank = bytes.subarray(start, end).toString().trim() === '';
    end += bytes[end] === 0x0d && bytes[end + 1] === 0x0a ? 2 : 1;
    if (!isBlank || end >= bytes.length) {
      return { bytes: end, lines };
    }
  }
}

/** The delimiter that the header contains most often. */
function findDelimiter(text: string): string {
  const header = /^.*[^\s,;].*$/m.exec(text)?.[0].replace(/"[^"]*"/g, '') ?? '';
  const countIn = (delimiter: string) => header.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, one) => (countIn(one) > countIn(best) ? one : best));
}
