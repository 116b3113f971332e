/** What administrators have created in the simulated tenant; tests may change any of it while it runs. */
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
