/** The archive of a report export: a zip with one deflated file, whole or broken. */
import { crc32, deflateRawSync } from 'node:zlib';
import type { SimulatedReportRow } from './report-rows.ts';

export interface ArchiveMember {
  readonly name: string;
  readonly content: Buffer;
  /** The content that size and checksum are computed from; where it is not the content itself, the archive is broken. */
  readonly claimedContent?: Buffer;
}

const byteOrderMark = '\ufeff';
/** What is left of an archive that is cut short. */
const keptArchiveShare = 0.6;
// 1 January 2020, midnight, in the format of MS-DOS.
const dosDate = ((2020 - 1980) << 9) | (1 << 5) | 1;

/** The order of the columns is not the requested one, and a localized column follows that of each text. */
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

export function createZip(member: ArchiveMember): Buffer {
  const name = Buffer.from(member.name, 'utf8');
  const packed = deflateRawSync(member.content);
  const claimed = member.claimedContent ?? member.content;
  // From "version needed" to the name's length, both headers hold the same 26 bytes.
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(20, 0);
  shared.writeUInt16LE(0x0800, 2);
  shared.writeUInt16LE(8, 4);
  shared.writeUInt16LE(0, 6);
  shared.writeUInt16LE(dosDate, 8);
  shared.writeUInt32LE(crc32(claimed), 10);
  shared.writeUInt32LE(packed.length, 14);
  shared.writeUInt32LE(claimed.length, 18);
  shared.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared, name, packed]);
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), shared, Buffer.alloc(14), name]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}
