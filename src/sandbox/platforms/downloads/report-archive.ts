/** What an export's archive holds, whole or broken. */

import { columns, type ReportRow } from '../graph/report-rows.ts';
import { type Member, zip } from './zip.ts';

const bom = '\ufeff';

function quoted(value: string | number): string {
  return `"${String(value).replaceAll('"', '""')}"`;
}

/** The received order is not the asked order, and texts come with localized twins. */
function received(select: readonly string[], localized: boolean): string[] {
  const turned = [...select].reverse();
  return turned.flatMap((column) =>
    localized && column.startsWith('AppInstallState') ? [column, `${column}_loc`] : [column],
  );
}

function cell(row: ReportRow, column: string): string | number {
  return row[column.replace(/_loc$/, '')] ?? '';
}

function csv(rows: readonly ReportRow[], names: readonly string[]): string {
  const lines = [names.join(','), ...rows.map((row) => names.map((name) => quoted(cell(row, name))).join(','))];
  return `${bom}${lines.join('\r\n')}\r\n`;
}

export function selectOf(request: Readonly<Record<string, unknown>>): string[] | undefined {
  const asked: unknown = request.select;
  if (!Array.isArray(asked) || asked.length === 0) {
    return [...columns];
  }
  const names = asked.map(String);
  return names.every((name) => (columns as readonly string[]).includes(name)) ? names : undefined;
}

export function exportFile(
  id: string,
  rows: readonly ReportRow[],
  select: readonly string[],
  format: string,
  localized: boolean,
): Member {
  if (format === 'json') {
    const values = rows.map((row) => Object.fromEntries(select.map((column) => [column, cell(row, column)])));
    return { name: `${id}.json`, content: Buffer.from(JSON.stringify({ values }), 'utf8') };
  }
  return { name: `${id}.csv`, content: Buffer.from(csv(rows, received(select, localized)), 'utf8') };
}

/** 1 (and by default): one digit changed under an old checksum; 2: cut short; 3: no zip at all. */
export function brokenZip(member: Member, way: number): Buffer {
  if (way === 2) {
    const whole = zip(member);
    return whole.subarray(0, Math.floor(whole.length * 0.6));
  }
  if (way === 3) {
    return Buffer.from('<html><body>Not a zip</body></html>');
  }
  const changed = Buffer.from(member.content);
  const last = changed.lastIndexOf('"1"');
  const place = last < 0 ? changed.length - 1 : last + 1;
  changed[place] = (changed[place] ?? 0) ^ 2;
  return zip({ ...member, content: changed, claimed: member.content });
}
