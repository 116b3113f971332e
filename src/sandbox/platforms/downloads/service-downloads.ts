/** The service's two downloads for macOS: an installer package and a gzip tar archive, with their ETags, also in part. */
import { createHash } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import { type PlatformRequest, readHeader } from '../request.ts';
import type { PlatformResponse } from '../response.ts';

/** What the service serves; tests may change any of it while it runs. */
export interface ServiceFiles {
  package: Buffer;
  bundle: Buffer;
  /** Instead of the files, where it is set: another status, with a header. */
  instead: { readonly status: number; readonly headers?: Readonly<Record<string, string>> } | undefined;
}

export function createServiceHandler(files: ServiceFiles): (request: PlatformRequest) => PlatformResponse {
  return (request) => {
    const file = findServiceFile(files, request.path);
    if (file === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) {
      return { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not found' };
    }
    if (files.instead !== undefined) {
      return { status: files.instead.status, headers: files.instead.headers ?? {}, body: '' };
    }
    return respondFile(request, file);
  };
}

function findServiceFile(files: ServiceFiles, path: string): Buffer | undefined {
  if (path === '/download/mac/fhfs.pkg') {
    return files.package;
  }
  return path === '/download/mac/resources/bundle.dat' ? files.bundle : undefined;
}

function respondFile(request: PlatformRequest, file: Buffer): PlatformResponse {
  const etag = `"${createHash('md5').update(file).digest('hex')}"`;
  const headers = { 'content-type': 'application/octet-stream', 'accept-ranges': 'bytes', etag };
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(readHeader(request, 'range')) ?? [];
  if (from === undefined || request.method === 'HEAD') {
    return { status: 200, headers, body: file };
  }
  const part = file.subarray(Number(from), Number(to) + 1);
  if (part.length === 0) {
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${file.length}` }, body: '' };
  }
  const range = `bytes ${from}-${Number(from) + part.length - 1}/${file.length}`;
  return { status: 206, headers: { ...headers, 'content-range': range }, body: part };
}

export function createServiceFiles(): ServiceFiles {
  return {
    package: createXarArchive(['Distribution', 'fhfs-component.pkg'], 'made-up payload\n'),
    bundle: gzipSync(createTarArchive('enroll', '#!/bin/sh\n')),
    instead: undefined,
  };
}

/** A flat package is a xar archive: header, compressed table of contents, the files' data. */
function createXarArchive(names: readonly string[], content: string): Buffer {
  const data = Buffer.from(content, 'utf8');
  const files = names.map(
    (name, index) =>
      `<file id="${index + 1}"><data><length>${data.length}</length><offset>20</offset><size>${data.length}</size></data><name>${name}</name><type>file</type></file>`,
  );
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<xar><toc><checksum style="sha1"><offset>0</offset><size>20</size></checksum>${files.join('')}</toc></xar>`;
  const contents = deflateSync(Buffer.from(xml, 'utf8'));
  const head = Buffer.alloc(28);
  head.write('xar!', 0);
  head.writeUInt16BE(28, 4);
  head.writeUInt16BE(1, 6);
  head.writeBigUInt64BE(BigInt(contents.length), 8);
  head.writeBigUInt64BE(BigInt(Buffer.byteLength(xml)), 16);
  head.writeUInt32BE(1, 24);
  return Buffer.concat([head, contents, createHash('sha1').update(contents).digest(), data]);
}

function createTarArchive(name: string, content: string): Buffer {
  const head = Buffer.alloc(512);
  const data = Buffer.from(content, 'utf8');
  head.write(name, 0);
  head.write('0000755\0', 100);
  head.write('0000000\0', 108);
  head.write('0000000\0', 116);
  head.write(`${data.length.toString(8).padStart(11, '0')}\0`, 124);
  head.write('14000000000\0', 136);
  head.write('        ', 148);
  head.write('0', 156);
  head.write('ustar\u000000', 257);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([head, data, Buffer.alloc((512 - (data.length % 512)) % 512), Buffer.alloc(1024)]);
}
