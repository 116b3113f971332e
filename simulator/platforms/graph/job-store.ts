/** The export jobs that clients have created, and the links to their archives. */

export interface ReportQuery {
  readonly application: string;
  /** All of them by default. */
  readonly columns: readonly string[];
}

export interface SimulatedExportJob {
  readonly id: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly query: ReportQuery;
  readonly requested: string;
  readonly outcome: 'complete' | 'stuck' | 'failed' | 'empty' | 'short';
  polls: number;
}

export interface ExportJobs {
  readonly byId: Map<string, SimulatedExportJob>;
  readonly linksBySignature: Map<string, { readonly job: SimulatedExportJob; readonly expires: number }>;
  /** Counts jobs and links, for their ids. */
  count: number;
}

export function createExportJobs(): ExportJobs {
  return { byId: new Map(), linksBySignature: new Map(), count: 0 };
}
