/**
 * The contract of a report that is one file: a judged run → bytes. Pure: it reads nothing else.
 *
 * To add one: its own file that returns this object, its test, and one line in `src/compose/parts.ts`. A library that
 * only it uses is loaded when it renders.
 */
import type { Night } from '../core/facts/judged.ts';

export interface Report {
  /** The file's name below `reports/`, in `latest/`, and in `report/date=<slot>/` (tables and findings have their own). */
  readonly file: string;
  render(night: Night): AsyncIterable<Buffer>;
}

const chunkLength = 65_536;

/** Text in chunks of some 64 kB: a write for every line would cost more than the lines. */
export async function* toBuffers(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Buffer> {
  let batch = '';
  for await (const text of texts) {
    batch += text;
    if (batch.length < chunkLength) {
      continue;
    }
    yield Buffer.from(batch);
    batch = '';
  }
  if (batch !== '') {
    yield Buffer.from(batch);
  }
}
