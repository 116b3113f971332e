/** Texts → gzip, both in pieces, so that neither is ever in memory as a whole. */
import { pipeline } from 'node:stream/promises';
import { createGzip, type ZlibOptions } from 'node:zlib';

/** Node's gzip carries no date, so the same texts give the same bytes. An error of `texts` is thrown where they end. */
export async function* gzipTexts(texts: Iterable<string>, options: ZlibOptions): AsyncGenerator<Buffer> {
  const gzip = createGzip(options);
  const packing = pipeline(texts, gzip);
  packing.catch((error) => gzip.destroy(error));
  yield* gzip;
  await packing;
}
