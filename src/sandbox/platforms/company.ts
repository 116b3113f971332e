/** The made-up company: its ids and names, the same on both platforms and in its settings. */

export const tenantId = '11111111-2222-3333-4444-555555555555';
export const appId = '99999999-8888-7777-6666-555555555555';
export const newAppId = '99999999-8888-7777-6666-000000000002';
export const assignedGroupId = 'aaaaaaaa-0000-0000-0000-000000000001';
export const attributeName = 'Agent Status';
export const teamIdentifier = 'TEAM123456';
export const applicationIdentifier = 'com.example.agent';
export const applicationFolder = '/Applications/Agent.app';
export const circleId = 'circle-42';
export const memberRoleId = 'operator';
export const policyName = 'Deploy endpoint agent';
export const scriptName = 'enroll.sh';
export const directoryScriptName = 'deploy-directory.sh';
export const extensionProfileName = 'Agent kernel extension';
export const fileAccessProfileName = 'Agent file access';
