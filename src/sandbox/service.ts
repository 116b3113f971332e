/** The service's two downloads for macOS: an installer package and a gzip tar archive. */
import { gzipSync } from 'node:zlib';
import type { Answer, Exchange } from './exchange.ts';

/** A tar archive with one small file. */
function tar(name: string, content: string): Buffer {
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

const downloads: Readonly<Record<string, Buffer>> = {
  // A flat package is a xar archive; only its first bytes are real here.
  '/download/mac/fhfs.pkg': Buffer.concat([Buffer.from('xar!\0\x1c\0\x01', 'latin1'), Buffer.alloc(1016)]),
  '/download/mac/resources/bundle.dat': gzipSync(tar('enroll', '#!/bin/sh\n')),
};

export function serviceHandler(exchange: Exchange): Answer {
  const body = downloads[exchange.path];
  if (body === undefined || (exchange.method !== 'GET' && exchange.method !== 'HEAD')) {
    return { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not found' };
  }
  return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body };
}
