/** Zip archives for tests, written by hand so that each field can be made to lie. */
import { crc32, deflateRawSync } from 'node:zlib';

interface Member {
  readonly name?: string;
  readonly content: Buffer;
  readonly method?: 0 | 8 | 12;
  readonly flags?: number;
  readonly declaredSize?: number;
}

export function archiveOf(...members: readonly Member[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const name = Buffer.from(member.name ?? 'report.csv');
    const method = member.method ?? 8;
    const packed = method === 0 ? member.content : deflateRawSync(member.content);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(member.flags ?? 0, 2);
    shared.writeUInt16LE(method, 4);
    shared.writeUInt32LE(crc32(member.content), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(member.declaredSize ?? member.content.length, 18);
    shared.writeUInt16LE(name.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    const body = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared, name, packed]);
    bodies.push(body);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), shared, tail, name]));
    offset += body.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, ...directory, end]);
}
