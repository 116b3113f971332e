/** What administrators have created in the simulated tenant; tests may change any of it while it runs. */
import { appId, assignedGroupId, circleId, memberRoleId, newAppId } from '../company.ts';
import type { OriginName } from '../request.ts';
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

export function createGraphObjects(secrets: Secrets, urls: Readonly<Record<OriginName, string>>): GraphObjects {
  const installCommandLine = [
    '%SystemRoot%\\sysnative\\WindowsPowerShell\\v1.0\\powershell.exe -ExecutionPolicy bypass -File Install-Agent.ps1',
    `-fqdn ${urls.service} -ApiKey ${secrets.serviceApiKey} -circleid ${circleId} -MemberRoleId ${memberRoleId}`,
  ].join(' ');
  return {
    groups: [
      { id: assignedGroupId, displayName: 'Agent users' },
      { id: 'aaaaaaaa-0000-0000-0000-000000000002', displayName: "People's machines" },
    ],
    apps: [
      createWin32App(appId, 'Endpoint agent', installCommandLine),
      { ...createWin32App(newAppId, 'Endpoint agent 8', installCommandLine), assignments: [] },
      {
        ...createWin32App('99999999-8888-7777-6666-000000000003', "People's browser", 'setup.exe /S'),
        assignments: [],
      },
      {
        ...createWin32App('99999999-8888-7777-6666-000000000004', 'Notes', installCommandLine),
        type: '#microsoft.graph.iosStoreApp',
        rules: [],
        assignments: [],
      },
    ],
  };
}

function createWin32App(id: string, displayName: string, installCommandLine: string): MobileApp {
  return {
    id,
    displayName,
    type: '#microsoft.graph.win32LobApp',
    installCommandLine,
    uninstallCommandLine: 'C:\\Program Files (x86)\\Vendor\\uninstall.exe /S',
    rules: [createDetectionRule()],
    assignments: [createAssignment(id, assignedGroupId)],
  };
}

function createDetectionRule(): AppRule {
  return {
    '@odata.type': '#microsoft.graph.win32LobAppFileSystemRule',
    ruleType: 'detection',
    path: 'C:\\Windows\\System32\\drivers',
    fileOrFolderName: 'fhfs.sys',
    check32BitOn64System: false,
    operationType: 'exists',
    operator: 'notConfigured',
    comparisonValue: null,
  };
}

function createAssignment(app: string, group: string): AppAssignment {
  return {
    id: `${group}_0_0_${app}`,
    intent: 'available',
    settings: {
      '@odata.type': '#microsoft.graph.win32LobAppAssignmentSettings',
      notifications: 'showAll',
      restartSettings: null,
      installTimeSettings: null,
      deliveryOptimizationPriority: 'notConfigured',
    },
    target: { '@odata.type': '#microsoft.graph.groupAssignmentTarget', groupId: group },
  };
}
