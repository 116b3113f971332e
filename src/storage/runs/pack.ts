/** Facts and state as files: gzipped JSON, in lines where it is long, with bounds for reading. */
import { createGunzip, gzipSync } from 'node:zlib';
import { batchTexts, gzipTexts } from '../../base/gzip-texts.ts';
import { createDamageError, parseJsonText, parseStoredJson, requireUtf8 } from '../stored-json.ts';

/** Bound of facts and state without their rows; Muster writes no larger ones. */
const maximumUnpackedBytes = 2 ** 28;
/** Bound of rows, enough for four million devices. */
const maximumLinesBytes = 2 ** 32;
/** Bound of one device's line. */
const maximumLineBytes = 2 ** 24;

/** Packs a value. Equal values give equal bytes, since Node's gzip writes no date. */
export function packJson(value: unknown): Buffer {
  return gzipSync(JSON.stringify(value));
}

export async function unpackJson(body: Buffer, where: string): Promise<unknown> {
  const pieces = await Array.fromAsync(unpackPieces(body, where, maximumUnpackedBytes));
  return parseStoredJson(Buffer.concat(pieces), where);
}

/** Compression level that takes half the time of the usual one for a sixth more bytes. */
const linesLevel = 3;

/** Packs values as gzipped lines of JSON, piece by piece. */
export function packLines(values: Iterable<unknown>): AsyncGenerator<Buffer> {
  const lines = Iterator.from(values).map((value) => `${JSON.stringify(value)}\n`);
  return gzipTexts(batchTexts(lines), { level: linesLevel, chunkSize: 65_536 });
}

/** Unpacks lines in batches, so that memory never holds the whole text or all values. */
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
  // The text ends with a line feed, after which there is no line.
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
