/** Facts and state as files: gzipped JSON, line by line where it is long, bounded when read back. */
import { createGunzip, gzipSync } from 'node:zlib';
import { batchTexts, gzipTexts } from '../../base/gzip-texts.ts';
import { createDamageError, parseJsonText, parseStoredJson, requireUtf8 } from '../stored-json.ts';

/** Facts and state without their rows. What is larger was not written by us. */
const maximumUnpackedBytes = 2 ** 28;
/** Four million devices' rows. */
const maximumLinesBytes = 2 ** 32;
/** One device's line. */
const maximumLineBytes = 2 ** 24;

/** The same contents give the same bytes: Node's gzip carries no date. */
export function packJson(value: unknown): Buffer {
  return gzipSync(JSON.stringify(value));
}

export async function unpackJson(body: Buffer, where: string): Promise<unknown> {
  const pieces = await Array.fromAsync(unpackPieces(body, where, maximumUnpackedBytes));
  return parseStoredJson(Buffer.concat(pieces), where);
}

/** A sixth larger than at the usual level, in half the time. */
const linesLevel = 3;

/** One JSON value a line, gzipped as it goes. */
export function packLines(values: Iterable<unknown>): AsyncGenerator<Buffer> {
  const lines = Iterator.from(values).map((value) => `${JSON.stringify(value)}\n`);
  return gzipTexts(batchTexts(lines), { level: linesLevel, chunkSize: 65_536 });
}

/** The values of some lines at a time, so that neither the whole text nor all values are ever in memory. */
export async function* unpackLines(body: Buffer, where: string): AsyncGenerator<unknown[]> {
  let count = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of unpackPieces(body, where, maximumLinesBytes)) {
    const text = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const end = text.lastIndexOf(lineFeed) + 1;
    const lines = text.subarray(0, end);
    requireUtf8(lines, where);
    const values = parseLines(lines.toString('utf8'), count, where);
    yield values;
    count += values.length;
    rest = text.subarray(end);
    if (rest.length > maximumLineBytes) {
      throw createDamageError(where, `line ${count + 1} is too long`);
    }
  }
  if (rest.length > 0) {
    throw createDamageError(where, 'its last line is cut off');
  }
}

const lineFeed = 10;

function parseLines(text: string, linesBefore: number, where: string): unknown[] {
  // What follows the last line feed is no line.
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line, index) => parseJsonText(line, where, `line ${linesBefore + index + 1} is not JSON`));
}

async function* unpackPieces(body: Buffer, where: string, maximum: number): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 262_144 });
  gunzip.end(body);
  let bytes = 0;
  try {
    for await (const piece of gunzip) {
      bytes += piece.length;
      if (bytes > maximum) {
        throw new RangeError(`More than ${maximum} bytes.`);
      }
      yield piece;
    }
  } catch {
    throw createDamageError(where, 'it cannot be unpacked');
  }
}
