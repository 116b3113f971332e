/** The made-up company: its ids and names, the same on both platforms and in its settings. */
export const company = {
  /** The environment of the Jamf Platform that has its Jamf Pro server. */
  environmentId: '22222222-3333-4444-5555-666666666666',
  tenantId: '11111111-2222-3333-4444-555555555555',
  /** The mailbox from which the application for mail may send. */
  mailbox: 'muster@example.com',
  appId: '99999999-8888-7777-6666-555555555555',
  newAppId: '99999999-8888-7777-6666-000000000002',
  assignedGroupId: 'aaaaaaaa-0000-0000-0000-000000000001',
  attributeName: 'Agent Status',
  teamIdentifier: 'TEAM123456',
  applicationIdentifier: 'com.example.agent',
  applicationFolder: '/Applications/Agent.app',
  circleId: 'circle-42',
  memberRoleId: 'operator',
  policyName: 'Deploy endpoint agent',
  scriptName: 'enroll.sh',
  directoryScriptName: 'deploy-directory.sh',
  extensionProfileName: 'Agent kernel extension',
  fileAccessProfileName: 'Agent file access',
} as const;
