/**
 * The contract of a report that is one file: a judged run → bytes. Pure.
 *
 * To add one: its own file that returns this object, its test, and one line in `src/compose/parts.ts`. A library that
 * only it uses is loaded when it renders.
 */
import { batchTexts } from '../base/gzip-texts.ts';
import type { Night } from '../core/facts/judged.ts';

export interface Report {
  /** The file's name below `reports/`, in `latest/`, and in `report/date=<slot>/` (tables and findings have their own). */
  readonly file: string;
  render(night: Night): AsyncIterable<Buffer>;
}

export async function* toBuffers(texts: Iterable<string>): AsyncGenerator<Buffer> {
  for (const batch of batchTexts(texts)) {
    yield Buffer.from(batch);
  }
}
