/** Facts and state as files: gzipped JSON, line by line where it is long, bounded when read back. */
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, gunzipSync, gzipSync } from 'node:zlib';
import { createDamageError } from './records.ts';

/** A million devices' rows; what is larger was not written by us. */
const maximumUnpackedBytes = 2 ** 31 - 1;

/** Node's gzip carries no date, so the same contents give the same bytes. */
export function packJson(value: unknown): Buffer {
  return gzipSync(JSON.stringify(value));
}

export function unpackJson(body: Buffer, where: string): unknown {
  const bytes = unpack(body, where);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw createDamageError(where, 'it holds no JSON');
  }
}

/** One JSON value a line, gzipped as it goes. */
export async function* packLines(values: Iterable<unknown>): AsyncGenerator<Buffer> {
  const gzip = createGzip();
  const packing = pipeline(Readable.from(batchLines(values)), gzip);
  packing.catch((error) => gzip.destroy(error));
  for await (const piece of gzip) {
    yield piece;
  }
  await packing;
}

/** Strings of some 64 kB: a stream step for every line would cost more than the lines. */
function* batchLines(values: Iterable<unknown>): Generator<string> {
  let batch = '';
  for (const value of values) {
    batch += `${JSON.stringify(value)}\n`;
    if (batch.length < 65_536) {
      continue;
    }
    yield batch;
    batch = '';
  }
  if (batch !== '') {
    yield batch;
  }
}

export function unpackLines(body: Buffer, where: string): unknown[] {
  const bytes = unpack(body, where);
  const values: unknown[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start);
    if (end === -1) {
      throw createDamageError(where, 'its last line is cut off');
    }
    try {
      values.push(JSON.parse(bytes.toString('utf8', start, end)));
    } catch {
      throw createDamageError(where, `line ${values.length + 1} is not JSON`);
    }
    start = end + 1;
  }
  return values;
}

function unpack(body: Buffer, where: string): Buffer {
  const bytes = gunzip(body, where);
  if (!isUtf8(bytes)) {
    throw createDamageError(where, 'it is not UTF-8 text');
  }
  return bytes;
}

function gunzip(body: Buffer, where: string): Buffer {
  try {
    return gunzipSync(body, { maxOutputLength: maximumUnpackedBytes });
  } catch {
    throw createDamageError(where, 'it cannot be unpacked');
  }
}
