/** What an export's archive holds, whole or broken. */
import { type ReportRow, reportColumns } from '../graph/report-rows.ts';
import { type ArchiveMember, createZip } from './zip.ts';

const byteOrderMark = '\ufeff';

export function readSelectedColumns(request: Readonly<Record<string, unknown>>): string[] | undefined {
  const asked: unknown = request.select;
  if (!Array.isArray(asked) || asked.length === 0) {
    return [...reportColumns];
  }
  const names = asked.map(String);
  return names.every((name) => (reportColumns as readonly string[]).includes(name)) ? names : undefined;
}

export function createExportFile(
  id: string,
  rows: readonly ReportRow[],
  select: readonly string[],
  format: string,
  localized: boolean,
): ArchiveMember {
  if (format === 'json') {
    const values = rows.map((row) => Object.fromEntries(select.map((column) => [column, readCell(row, column)])));
    return { name: `${id}.json`, content: Buffer.from(JSON.stringify({ values }), 'utf8') };
  }
  return { name: `${id}.csv`, content: Buffer.from(renderCsv(rows, orderColumns(select, localized)), 'utf8') };
}

function readCell(row: ReportRow, column: string): string | number {
  return row[column.replace(/_loc$/, '')] ?? '';
}

function renderCsv(rows: readonly ReportRow[], names: readonly string[]): string {
  const lines = [names.join(','), ...rows.map((row) => names.map((name) => quoteCell(readCell(row, name))).join(','))];
  return `${byteOrderMark}${lines.join('\r\n')}\r\n`;
}

function quoteCell(value: string | number): string {
  return `"${String(value).replaceAll('"', '""')}"`;
}

/** The received order is not the asked order, and texts come with localized twins. */
function orderColumns(select: readonly string[], localized: boolean): string[] {
  const turned = [...select].reverse();
  return turned.flatMap((column) =>
    localized && column.startsWith('AppInstallState') ? [column, `${column}_loc`] : [column],
  );
}

/** 1 (and by default): one digit changed under an old checksum; 2: cut short; 3: no zip at all. */
export function createBrokenZip(member: ArchiveMember, way: number): Buffer {
  if (way === 2) {
    const whole = createZip(member);
    return whole.subarray(0, Math.floor(whole.length * 0.6));
  }
  if (way === 3) {
    return Buffer.from('<html><body>Not a zip</body></html>');
  }
  const changed = Buffer.from(member.content);
  const last = changed.lastIndexOf('"1"');
  const place = last < 0 ? changed.length - 1 : last + 1;
  changed[place] = (changed[place] ?? 0) ^ 2;
  return createZip({ ...member, content: changed, claimedContent: member.content });
}
