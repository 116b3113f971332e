/** Objects that administrators have created in the simulated tenant, which tests may change, and the clients' export jobs. */
import { company } from '../company.ts';
import type { OriginName } from '../platforms.ts';
import type { Secrets } from '../secrets.ts';

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

export interface SentMail {
  readonly from: string;
  readonly message: Readonly<Record<string, unknown>>;
  /** True where the sender's Sent items keep it. */
  readonly isKept: boolean;
}

export interface ReportQuery {
  readonly application: string;
  /** Requested columns; all by default. */
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

/** Makes the objects once the origins listen, since the install command names the service. */
export function createGraphObjects(
  { serviceApiKey }: Pick<Secrets, 'serviceApiKey'>,
  { service }: Readonly<Record<OriginName, string>>,
): GraphObjects {
  const { appId, newAppId, assignedGroupId, circleId, memberRoleId } = company;
  const circle = `-circleid ${circleId} -MemberRoleId ${memberRoleId}`;
  const usual = {
    type: '#microsoft.graph.win32LobApp',
    installCommandLine: `${powershell} -fqdn ${service} -ApiKey ${serviceApiKey} ${circle}`,
    uninstallCommandLine: 'C:\\Program Files (x86)\\Vendor\\uninstall.exe /S',
  };
  const createApp = (own: Pick<MobileApp, 'id' | 'displayName'> & Partial<MobileApp>): MobileApp => ({
    ...usual,
    rules: [{ ...detectionRule }],
    assignments: [],
    ...own,
  });
  const assignment = createAssignment(appId, assignedGroupId);
  return {
    groups: [
      { id: assignedGroupId, displayName: 'Agent users' },
      { id: 'aaaaaaaa-0000-0000-0000-000000000002', displayName: "People's machines" },
    ],
    apps: [
      createApp({ id: appId, displayName: 'Endpoint agent', assignments: [assignment] }),
      createApp({ id: newAppId, displayName: 'Endpoint agent 8' }),
      createApp({
        id: '99999999-8888-7777-6666-000000000003',
        displayName: "People's browser",
        installCommandLine: 'setup.exe /S',
        rules: [{ ...detectionRule, path: 'C:\\Program Files\\Browser', fileOrFolderName: 'browser.exe' }],
      }),
      createApp({
        id: '99999999-8888-7777-6666-000000000004',
        displayName: 'Notes',
        type: '#microsoft.graph.iosStoreApp',
        rules: [],
      }),
    ],
  };
}

/** Updates an app as packagers do: with a new object of the same name, to which the assignments move. */
export function updateApp({ apps }: GraphObjects): void {
  const [old, updated] = apps;
  if (old !== undefined && updated !== undefined) {
    updated.displayName = old.displayName;
    updated.assignments = old.assignments.map((assignment) => ({
      ...assignment,
      id: assignment.id.replace(old.id, updated.id),
    }));
    old.assignments = [];
  }
}

const powershell =
  '%SystemRoot%\\sysnative\\WindowsPowerShell\\v1.0\\powershell.exe -ExecutionPolicy bypass -File Install-Agent.ps1';

const detectionRule: AppRule = {
  '@odata.type': '#microsoft.graph.win32LobAppFileSystemRule',
  ruleType: 'detection',
  path: 'C:\\Windows\\System32\\drivers',
  fileOrFolderName: 'fhfs.sys',
  check32BitOn64System: false,
  operationType: 'exists',
  operator: 'notConfigured',
  comparisonValue: null,
};

export function createAssignment(appId: string, groupId: string): AppAssignment {
  return {
    id: `${groupId}_0_0_${appId}`,
    intent: 'available',
    settings: {
      '@odata.type': '#microsoft.graph.win32LobAppAssignmentSettings',
      notifications: 'showAll',
      restartSettings: null,
      installTimeSettings: null,
      deliveryOptimizationPriority: 'notConfigured',
    },
    target: { '@odata.type': '#microsoft.graph.groupAssignmentTarget', groupId },
  };
}
