/** The lines of a run's files, and of what commands print, each with what it stands under. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { read, utils } from '@e965/xlsx';
import type { Line } from './line.ts';

/** The sheet for managers, and the table of coverage; the other sheets are the tables themselves. */
export function listWorkbookLines(reports: string): Line[] {
  const book = read(readFileSync(join(reports, 'muster.xlsx')), { sheets: ['Overview', 'Summary'] });
  const rowsOf = (name: string) =>
    utils.sheet_to_json<string[]>(book.Sheets[name] ?? {}, { header: 1, raw: false, defval: '' });
  return [...nameCells(rowsOf('Overview'), 'overview'), ...nameCells(rowsOf('Summary'), 'summary')].map((text) => ({
    place: 'workbook',
    text: `sheet › ${text}`,
  }));
}

/** A row of several cells is below the last row of words; each of its cells has the row's first word and its column's. */
function nameCells(rows: readonly (readonly string[])[], sheet: string): string[] {
  let heads: readonly string[] = [];
  return rows.flatMap((row) => {
    const cells = row.filter((cell) => cell !== '');
    if (cells.length === 0) {
      heads = [];
      return [];
    }
    if (cells.length > 2 && heads.length === 0) {
      heads = row;
      return cells;
    }
    const name = sheet === 'summary' ? `summary › ${row[1]}` : `overview › ${row[0]}`;
    return heads.length === 0
      ? [cells.join(' › ')]
      : row.flatMap((cell, at) => (at === 0 ? [cell] : cell === '' ? [] : [`${name} › ${heads[at]} › ${cell}`]));
  });
}

/** A share as percent. */
export function listMetricLines(reports: string): Line[] {
  const lines = readFileSync(join(reports, 'metrics.prom'), 'utf8').matchAll(
    /^muster_(\w+)\{source="(\w+)".*\} (\S+)$/gm,
  );
  return [...lines].map(([, name = '', source, value]) => ({
    place: 'metrics',
    text: `metrics › ${source} › ${name} › ${name.endsWith('_ratio') ? (Number(value) * 100).toFixed(2) : value}`,
  }));
}

export function listDocumentLines(reports: string): Line[] {
  const document = JSON.parse(readFileSync(join(reports, 'report.json'), 'utf8')) as Record<string, unknown>;
  const { coverage, unproven, coverageBy, openFor } = document as Record<string, Record<string, unknown>[]>;
  const rows = [
    ...(coverage ?? []).map((row) => [`coverage › ${row.source}`, row] as const),
    ...(unproven ?? []).map((row) => [`unproven › ${row.because}${row.repairedOn ?? ''}`, row] as const),
    ...(coverageBy ?? []).map(
      (row) => [`breakdown › ${row.field} › ${row.value === '' ? 'not known' : row.value}`, row] as const,
    ),
    ...(openFor ?? []).map((row) => [`openFor › ${row.days}`, { devices: row.devices }] as const),
  ];
  return rows.flatMap(([name, row]) =>
    Object.entries(row).flatMap(([key, value]) =>
      typeof value === 'number'
        ? [
            {
              place: 'report.json',
              text: `report.json › ${name} › ${key === 'reporting' ? 'reporting devices' : key} › ${value}`,
            },
          ]
        : [],
    ),
  );
}

export function listTableLines(rows: readonly Readonly<Record<string, string>>[]): Line[] {
  return rows.flatMap(({ source, ...row }) =>
    Object.entries(row).flatMap(([column, cell]) =>
      /^[\d.]+$/.test(cell) ? [{ place: 'coverage.csv', text: `coverage.csv › ${source} › ${column} › ${cell}` }] : [],
    ),
  );
}

export function listPrintedLines({ printed }: { readonly printed: readonly string[] }): Line[] {
  return printed.flatMap((text) => text.split('\n')).map((text) => ({ place: 'run', text: `run › ${text.trim()}` }));
}

/** What a command printed; the figures of two runs beside each other are lines of their own. */
export function listTerminalLines(command: string, output: string): Line[] {
  const [name = '', ...slots] = command.split(' ');
  return output.split('\n').flatMap((text) => {
    const [, row, ...both] =
      name === 'diff'
        ? (/^ {2}(coverage|certainly|at most|counted|needs action) +([\d.,]+(?: %)?) +([\d.,]+(?: %)?)$/.exec(text) ??
          [])
        : [];
    // Payloads of a preview are read as the channels render them.
    const texts =
      row === undefined
        ? text.startsWith('{')
          ? []
          : [text.trim()]
        : both.map((figure, at) => `${slots[at]} › ${row} › ${figure}`);
    return texts.map((line) => ({ place: command, text: `${name} › ${line}` }));
  });
}
