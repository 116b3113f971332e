/** Shows the progress of a reading as its receipt grows, and keeps its findings up to date after each part. */
import { type Check, type CheckContext, runChecks } from '../../deployment/checks/check.ts';
import type { ReadContext, SourceReading } from '../source.ts';

export type ReadingProgress = ReturnType<typeof createProgress>;

export function createProgress(context: ReadContext, { receipt }: SourceReading) {
  let doing = '';
  const report = () => {
    const { pages, received, retries } = receipt;
    context.progress({ pages, rows: received, retries, doing });
  };
  return {
    report,
    begin(step: string) {
      doing = step;
      report();
    },
    onRetry() {
      receipt.retries += 1;
      report();
    },
  };
}

export type Recorder<Read> = (part: Partial<Read>) => void;

/** `read` is what is known before anything was read. */
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
