/** What administrators have created in the simulated tenant; tests may change any of it while it runs. */
import { appId, assignedGroupId, circleId, memberRoleId, newAppId, type Secrets } from '../company.ts';

export interface Rule {
  [property: string]: unknown;
  ruleType: 'detection' | 'requirement';
}

export interface Assignment {
  id: string;
  intent: 'available' | 'required' | 'uninstall' | 'availableWithoutEnrollment';
  settings: Record<string, unknown> | null;
  target: Record<string, unknown>;
}

export interface App {
  id: string;
  displayName: string;
  type: string;
  installCommandLine: string;
  uninstallCommandLine: string;
  setupFile?: string;
  publishingState?: string;
  rules: Rule[];
  assignments: Assignment[];
}

export interface DirectoryGroup {
  id: string;
  displayName: string;
}

export interface GraphObjects {
  apps: App[];
  groups: DirectoryGroup[];
}

function detectionRule(): Rule {
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

function assignment(app: string, group: string): Assignment {
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

export function graphObjects(secrets: Secrets, service: string): GraphObjects {
  const install = [
    '%SystemRoot%\\sysnative\\WindowsPowerShell\\v1.0\\powershell.exe -ExecutionPolicy bypass -File Install-Agent.ps1',
    `-fqdn ${service} -ApiKey ${secrets.serviceApiKey} -circleid ${circleId} -MemberRoleId ${memberRoleId}`,
  ].join(' ');
  const win32 = (id: string, displayName: string): App => ({
    id,
    displayName,
    type: '#microsoft.graph.win32LobApp',
    installCommandLine: install,
    uninstallCommandLine: 'C:\\Program Files (x86)\\Vendor\\uninstall.exe /S',
    rules: [detectionRule()],
    assignments: [assignment(id, assignedGroupId)],
  });
  return {
    groups: [
      { id: assignedGroupId, displayName: 'Agent users' },
      { id: 'aaaaaaaa-0000-0000-0000-000000000002', displayName: "People's machines" },
    ],
    apps: [
      win32(appId, 'Endpoint agent'),
      { ...win32(newAppId, 'Endpoint agent 8'), assignments: [] },
      {
        ...win32('99999999-8888-7777-6666-000000000003', "People's browser"),
        installCommandLine: 'setup.exe /S',
        assignments: [],
      },
      {
        ...win32('99999999-8888-7777-6666-000000000004', 'Notes'),
        type: '#microsoft.graph.iosStoreApp',
        rules: [],
        assignments: [],
      },
    ],
  };
}
