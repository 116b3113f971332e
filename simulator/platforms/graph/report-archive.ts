/** The archive of a report export: a zip with one deflated file, whole or broken. */
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { ZipFile } from 'yazl';
import type { SimulatedReportRow } from './report-rows.ts';

export interface ArchiveMember {
  readonly name: string;
  readonly content: Buffer;
}

const byteOrderMark = '\ufeff';
/** Share of an archive that is sent when it is cut short. */
const keptArchiveShare = 0.6;

/** Makes the file; its columns are not in the requested order, and a localized column follows each text. */
export function createReportFile(
  id: string,
  rows: readonly SimulatedReportRow[],
  columns: readonly string[],
): ArchiveMember {
  const names = columns
    .toReversed()
    .flatMap((column) => (column.startsWith('AppInstallState') ? [column, `${column}_loc`] : [column]));
  const lines = [names.join(','), ...rows.map((row) => names.map((name) => quoteCell(row, name)).join(','))];
  return { name: `${id}.csv`, content: Buffer.from(`${byteOrderMark}${lines.join('\r\n')}\r\n`, 'utf8') };
}

function quoteCell(row: SimulatedReportRow, column: string): string {
  return `"${String(row[column.replace(/_loc$/, '')] ?? '').replaceAll('"', '""')}"`;
}

/** Kind 2: the archive is cut short; 3: it is not an archive; otherwise one digit contradicts the checksum. */
export async function createBrokenArchive(member: ArchiveMember, kind: number): Promise<Buffer> {
  if (kind === 2) {
    const whole = await createZip(member);
    return whole.subarray(0, Math.floor(whole.length * keptArchiveShare));
  }
  if (kind === 3) {
    return Buffer.from('<html><body>Not a zip</body></html>');
  }
  const changed = Buffer.from(member.content);
  const position = changed.lastIndexOf('"1"') + 1;
  changed[position] = (changed[position] ?? 0) ^ 2;
  const broken = await createZip({ ...member, content: changed });
  // Both headers keep the checksum of the original content.
  for (const place of [14, broken.lastIndexOf('PK\x01\x02') + 16]) {
    broken.writeUInt32LE(crc32(member.content), place);
  }
  return broken;
}

export function createZip({ name, content }: ArchiveMember): Promise<Buffer> {
  const zip = new ZipFile();
  zip.addBuffer(content, name, { mtime: new Date('2020-01-01T00:00:00Z') });
  zip.end();
  return buffer(zip.outputStream);
}
