/** What `muster check` found of the store, the lists or the channels, and what is to be done. */
import { toMusterError } from '../../base/errors.ts';

export interface CheckReport {
  readonly facts: readonly string[];
  readonly problems: readonly string[];
  /** Lines for a person to copy into a file, which are printed as they are. */
  readonly lines?: readonly string[];
}

/** What was tried reports for itself; where it fails, the failure is to be mended. */
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
