/** Shows the progress of a reading as its receipt grows, and keeps its findings up to date after each part. */
import { type Check, type CheckContext, runChecks } from '../../deployment/checks/check.ts';
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

export type Recorder<Read> = (part: Partial<Read>) => void;

/** Makes a recorder of findings; `read` are facts that are known before reading. */
export function createRecorder<Read>(
  reading: SourceReading,
  checks: readonly Check<Read>[],
  context: CheckContext,
  read: Read,
): Recorder<Read> {
  let all = read;
  const record: Recorder<Read> = (part) => {
    all = { ...all, ...part };
    reading.findings = runChecks(checks, all, context);
  };
  record({});
  return record;
}
