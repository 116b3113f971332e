/** Shows the progress of a reading as its receipt grows, and keeps its findings up to date after each part. */
import type { Finding } from '../../core/facts/facts.ts';
import type { ReadContext, SourceReading } from '../source.ts';

export class ReadingProgress {
  readonly #context: ReadContext;
  readonly #receipt: SourceReading['receipt'];
  #doing = '';

  constructor(context: ReadContext, reading: SourceReading) {
    this.#context = context;
    this.#receipt = reading.receipt;
  }

  begin(doing: string): void {
    this.#doing = doing;
    this.report();
  }

  report(): void {
    const { pages, received, retries } = this.#receipt;
    this.#context.progress({ pages, rows: received, retries, doing: this.#doing });
  }

  readonly onRetry = (): void => {
    this.#receipt.retries += 1;
    this.report();
  };
}

/** Takes a part of what the checks need. */
export type Recorder<Read> = (part: Partial<Read>) => void;

export function createRecorder<Read>(
  reading: SourceReading,
  empty: Read,
  check: (read: Read) => Finding[],
): Recorder<Read> {
  let read = empty;
  const record: Recorder<Read> = (part) => {
    read = { ...read, ...part };
    reading.findings = check(read);
  };
  record({});
  return record;
}
