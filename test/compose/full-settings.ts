/** Settings with every block, and the problems that settings have. */
import { expect } from 'vitest';
import { readSettings } from '../../src/compose/read-settings.ts';
import { least } from '../settings/least.ts';

export function listProblems(yaml: string, environment?: Record<string, string>): readonly string[] {
  return readSettings(yaml, environment).problems;
}

/** The least settings with one line changed or added. */
export function changed(from: string | RegExp, to: string): string {
  const yaml = least.replace(from, to);
  expect(yaml).not.toBe(least);
  return yaml;
}

export const full = `
agent: { name: Endpoint agent }
sources:
  - name: macs
    platform: jamf
    url: https://example.jamfcloud.com
    auth: { username: env:JAMF_USER, password: env:JAMF_PASSWORD }
    extensionAttribute: Agent Status
    groups: { installed: Agent Installed, notInstalled: Agent Not Installed }
    site: ""
  - name: windows
    platform: intune
    tenantId: 11111111-2222-3333-4444-555555555555
    auth: { clientId: env:GRAPH_CLIENT_ID, federated: aws }
    app: [99999999-8888-7777-6666-555555555555, Endpoint agent]
    population: company
    cloud: global
    endpoints:
      login: https://login.microsoftonline.com
      graph: https://graph.microsoft.com
      downloads: https://*.blob.core.windows.net
store: s3://bucket/prefix
audit: s3://bucket
retention: { nights: 400 }
policy:
  staleAfterDays: 30
  windowsStateMaxAgeDays: 90
  graceHours: 72
  overdueAfterDays: 14
  minimumCoverage: 95
  breaker: { maximumFleetDropPercent: 20, maximumFlipPercent: 20, minimumDevices: 10 }
exemptions: exemptions.csv
alerts:
  channels:
    - { type: sns, topicArn: "arn:aws:sns:eu-west-1:111122223333:alerts" }
    - { type: slack, url: env:SLACK_WEBHOOK }
  reportUrl: https://reports.example.com/muster
  heartbeat: env:HEARTBEAT_URL
schedule: { cron: "15 5 * * *", timezone: UTC }
privacy: { users: hash, key: env:PRIVACY_KEY }
deployment:
  identity: email
  service: https://files.example.com
  macos:
    applicationFolder: /Applications/Agent.app
    applicationIdentifier: com.example.agent
    teamIdentifier: TEAM123456
    policy: Deploy endpoint agent
    script: enroll.sh
    profiles: { extension: Agent kernel extension, fileAccess: Agent file access }
    tools: false
    agentFile: /opt/agent/bin/agent
    toolsFile: /opt/agent/bin/tools
  windows:
    vendorFolder: Vendor
    platformFolder: Microsoft/IntuneManagementExtension
    circleId: circle-42
    memberRoleId: operator
    groups: [aaaaaaaa-0000-0000-0000-000000000001]
    uninstallFile: 'C:\\Agent\\uninstall.exe'
    detection: { file: agent.sys }
  canaries:
    - { source: macs, serial: C02AAAA00001, expect: Installed }
    - { source: windows, serial: PF2ABCDE, expect: Not Installed }
  attested: { directory-configured: 2026-10-01 }
  accepted: [{ sha256: ${'A'.repeat(64)}, by: a person, on: 2026-10-02 }]
`;
