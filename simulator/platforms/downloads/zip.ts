/** Writes a zip archive with one deflated file, as report exports are. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ArchiveMember {
  readonly name: string;
  readonly content: Buffer;
  /** The content that size and checksum are computed from; where it is not the content itself, the archive is broken. */
  readonly claimedContent?: Buffer;
}

// 1 January 2020, midnight, in the format of MS-DOS.
const dosDate = ((2020 - 1980) << 9) | (1 << 5) | 1;

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
