/** Installer packages and bundles, as bytes. */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { makeTarHeader } from '../../deployment/tar.ts';

interface XarHeader {
  readonly header?: number;
  readonly version?: number;
}

/** A flat package as xar(5) describes it. */
export function packXar(files: readonly Buffer[], changes: XarHeader = {}): Buffer {
  let offset = 20;
  const entries = files.map((data, index) => {
    const entry = `<file id="${index}"><name>${index}</name><data><length>${data.length}</length><offset>${offset}</offset></data></file>`;
    offset += data.length;
    return entry;
  });
  const xml = Buffer.from(`<?xml version="1.0"?><xar><toc>${entries.join('')}</toc></xar>`);
  return packXarWith(xml, files, changes);
}

export function packXarWith(
  xml: Buffer,
  files: readonly Buffer[] = [],
  { header = 28, version = 1 }: XarHeader = {},
): Buffer {
  const contents = deflateSync(xml);
  const head = Buffer.alloc(header);
  head.write('xar!');
  head.writeUInt16BE(head.length, 4);
  head.writeUInt16BE(version, 6);
  head.writeBigUInt64BE(BigInt(contents.length), 8);
  head.writeBigUInt64BE(BigInt(xml.length), 16);
  return Buffer.concat([head, contents, createHash('sha1').update(contents).digest(), ...files]);
}

/** An archive of one file. */
export function packTar(name: string, data: Buffer, magic?: string): Buffer {
  return Buffer.concat([makeTarHeader(name, data.length, magic), data, Buffer.alloc(1024 - (data.length % 512))]);
}
