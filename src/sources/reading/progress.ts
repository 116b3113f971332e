/** Shows the progress of a reading as its receipt grows, and keeps its findings up to date after each part. */
import { type Check, runChecks } from '../../deployment/checks/check.ts';
import { type DeploymentSettings, emptyDeploymentSettings } from '../../settings/deployment/deployment.ts';
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

interface RecorderOptions<Read> {
  readonly checks: readonly Check<Read>[];
  /** Before anything was read. */
  readonly empty: Read;
  readonly deployment: DeploymentSettings | undefined;
}

export function createRecorder<Read>(
  reading: SourceReading,
  { slot, moment }: ReadContext,
  { checks, empty, deployment: settings = emptyDeploymentSettings }: RecorderOptions<Read>,
): Recorder<Read> {
  let read = empty;
  const record: Recorder<Read> = (part) => {
    read = { ...read, ...part };
    reading.findings = runChecks(checks, read, { settings, slot, moment });
  };
  record({});
  return record;
}
