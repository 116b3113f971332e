/** What administrators have created in the simulated tenant, which tests may change, and the clients' export jobs. */
import { company } from '../company.ts';
import type { OriginName } from '../platforms.ts';
import type { Secrets } from '../secrets.ts';
import { createFromTemplate, fillTemplate } from '../templates.ts';
import objects from './templates/objects.json' with { type: 'json' };

export interface AppRule {
  [property: string]: unknown;
  ruleType: 'detection' | 'requirement';
}

export interface AppAssignment {
  id: string;
  intent: 'available' | 'required' | 'uninstall' | 'availableWithoutEnrollment';
  settings: Record<string, unknown> | null;
  target: Record<string, unknown>;
}

export interface MobileApp {
  id: string;
  displayName: string;
  type: string;
  installCommandLine: string;
  uninstallCommandLine: string;
  setupFile?: string;
  publishingState?: string;
  rules: AppRule[];
  assignments: AppAssignment[];
}

export interface DirectoryGroup {
  id: string;
  displayName: string;
}

export interface GraphObjects {
  apps: MobileApp[];
  groups: DirectoryGroup[];
}

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

/** Called once the origins listen, since the install command names the service. */
export function createGraphObjects(
  { serviceApiKey }: Pick<Secrets, 'serviceApiKey'>,
  { service }: Readonly<Record<OriginName, string>>,
): GraphObjects {
  const filled = fillTemplate(objects, { ...company, service, serviceApiKey });
  return {
    groups: filled.groups,
    apps: filled.apps.map((own) => createFromTemplate<MobileApp>(filled.app, own)),
  };
}
