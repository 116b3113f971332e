/** Joins or compresses texts in pieces, so that neither is ever in memory as a whole. */
import { pipeline } from 'node:stream/promises';
import { createGzip, type ZlibOptions } from 'node:zlib';

/** Compresses texts. Equal texts give equal bytes, as gzip here has no date. An error of `texts` is thrown after the last byte. */
export async function* gzipTexts(texts: Iterable<string>, options: ZlibOptions): AsyncGenerator<Buffer> {
  const gzip = createGzip(options);
  const packing = pipeline(texts, gzip);
  packing.catch((error) => gzip.destroy(error));
  yield* gzip;
  await packing;
}

/** Joins texts to strings of some 64 kB: a write, or a stream step, for every line would cost more than the lines. */
export function* batchTexts(texts: Iterable<string>): Generator<string> {
  let batch = '';
  for (const text of texts) {
    batch += text;
    if (batch.length >= 65_536) {
      yield batch;
      batch = '';
    }
  }
  if (batch !== '') {
    yield batch;
  }
}
