/** A part of `muster check`'s report, about the store, the lists or the channels. */
import { toMusterError } from '../../base/errors.ts';

export interface CheckReport {
  readonly facts: readonly string[];
  readonly problems: readonly string[];
  /** Lines for a person to copy into a file, printed unchanged. */
  readonly lines?: readonly string[];
}

/** Runs an attempt and returns its report; its failure becomes a problem. */
export async function tryOut(doing: string, attempt: () => Promise<Partial<CheckReport>>): Promise<CheckReport> {
  try {
    return { facts: [], problems: [], ...(await attempt()) };
  } catch (error) {
    return { facts: [], problems: [toMusterError(error, doing).message] };
  }
}

export function joinReports(reports: readonly CheckReport[]): CheckReport {
  const lines = reports.flatMap((report) => report.lines ?? []);
  return {
    facts: reports.flatMap(({ facts }) => facts),
    problems: reports.flatMap(({ problems }) => problems),
    ...(lines.length === 0 ? {} : { lines }),
  };
}

export function formatCheckReport(title: string, { facts, problems, lines = [] }: CheckReport): string[] {
  return ['', title, ...facts.map((line) => `  ${line}`), ...problems.map((line) => `  to do: ${line}`), ...lines];
}
