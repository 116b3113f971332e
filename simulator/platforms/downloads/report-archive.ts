/** The file in a report export's archive, and the archive when it is broken. */
import type { SimulatedReportRow } from '../graph/report-rows.ts';
import { type ArchiveMember, createZip } from './zip.ts';

const byteOrderMark = '\ufeff';
/** What is left of an archive that is cut short. */
const keptArchiveShare = 0.6;

export function createReportFile(
  id: string,
  rows: readonly SimulatedReportRow[],
  columns: readonly string[],
  format: string,
  localized: boolean,
): ArchiveMember {
  if (format === 'json') {
    const values = rows.map((row) => Object.fromEntries(columns.map((column) => [column, readCell(row, column)])));
    return { name: `${id}.json`, content: Buffer.from(JSON.stringify({ values }), 'utf8') };
  }
  return {
    name: `${id}.csv`,
    content: Buffer.from(renderReportCsv(rows, reorderReportColumns(columns, localized)), 'utf8'),
  };
}

function renderReportCsv(rows: readonly SimulatedReportRow[], names: readonly string[]): string {
  const lines = [names.join(','), ...rows.map((row) => names.map((name) => quoteCell(readCell(row, name))).join(','))];
  return `${byteOrderMark}${lines.join('\r\n')}\r\n`;
}

function quoteCell(value: string | number): string {
  return `"${String(value).replaceAll('"', '""')}"`;
}

function readCell(row: SimulatedReportRow, column: string): string | number {
  return row[column.replace(/_loc$/, '')] ?? '';
}

/** The order is not the requested one, and a localized column follows that of each text. */
function reorderReportColumns(columns: readonly string[], localized: boolean): string[] {
  return columns
    .toReversed()
    .flatMap((column) => (localized && column.startsWith('AppInstallState') ? [column, `${column}_loc`] : [column]));
}

/** Kind 2: the archive is cut short; 3: it is no archive at all; otherwise one digit is not what the checksum says. */
export function createBrokenArchive(member: ArchiveMember, kind: number): Buffer {
  if (kind === 2) {
    const whole = createZip(member);
    return whole.subarray(0, Math.floor(whole.length * keptArchiveShare));
  }
  if (kind === 3) {
    return Buffer.from('<html><body>Not a zip</body></html>');
  }
  const changed = Buffer.from(member.content);
  const last = changed.lastIndexOf('"1"');
  const position = last < 0 ? changed.length - 1 : last + 1;
  changed[position] = (changed[position] ?? 0) ^ 2;
  return createZip({ ...member, content: changed, claimedContent: member.content });
}
