/** Settings that use everything AWS is asked for, and the stack's settings for them. */

import { planDeployment } from '../../infra/plan/deployment.ts';
import { readSettings, type Settings } from '../../src/compose/read-settings.ts';

export const target = {
  region: 'eu-west-1',
  account: '123456789012',
  stage: 'prod',
  caller: 'arn:aws:sts::123456789012:assumed-role/deploy/somebody',
};

export const everySetting = `
sources:
  - name: macs
    platform: jamf
    url: https://example.jamfcloud.com
    auth: { clientId: aws-secret:muster/jamf#id, clientSecret: aws-secret:muster/jamf#secret }
    extensionAttribute: Agent Status
  - name: windows
    platform: intune
    tenantId: 11111111-2222-3333-4444-555555555555
    auth: { clientId: 22222222-2222-3333-4444-555555555555, federated: aws }
    app: 99999999-8888-7777-6666-555555555555
store: s3://acme-muster/prod
audit: s3://acme-muster-audit
signing: kms:arn:aws:kms:eu-west-1:123456789012:key/5555abcd-12ab-34cd-56ef-1234567890ab
publicKeys: public-keys.pem
exemptions: lists/exemptions.csv
lists: { expected: [{ file: "s3://example-lists/apple.csv" }] }
schedule: { cron: "15 5 * * 1-5", timezone: Europe/London }
alerts:
  channels:
    - { type: sns, topicArn: "arn:aws:sns:eu-west-1:123456789012:muster-prod-alerts" }
    - { type: eventbridge }
  heartbeat: aws-ssm:/muster/heartbeat
aws:
  alarmEmail: ops@example.com
  auditMode: COMPLIANCE
  auditDays: 500
  reservedConcurrency: 1
  memory: 4096
  timeout: 600
  vpc: { subnets: [subnet-0a1b2c3d, subnet-0a1b2c3e], securityGroups: [sg-0a1b2c3d] }
  proxy: { url: http://proxy.example.com:3128, noProxy: [.amazonaws.com, 10.0.0.0/8] }
  tags: { costCentre: "4711" }
  permissionsBoundary: "arn:aws:iam::123456789012:policy/boundary"
  logRetention: 365
  athenaCutoffGigabytes: 0.5
  auditBucket: { key: own }
`;

/** The same as a container task. */
export const asTask = everySetting.replace(
  '  memory: 4096\n',
  '  memory: 4096\n  compute: task\n  image: 123456789012.dkr.ecr.eu-west-1.amazonaws.com/muster:1.0.0\n',
);

/** The same for two tenants. */
export const withTenants = asTenants(everySetting);

/** With three runs at once, for which nothing is reserved. */
export function asTenants(yaml: string): string {
  return yaml.replace('  reservedConcurrency: 1\n', '  tenants: { folder: tenants, concurrency: 3 }\n');
}

/** The settings of a tenant of those. */
export function tenantSettings(name: string): string {
  return `
sources:
  - name: macs
    platform: jamf
    url: https://${name}.jamfcloud.com
    auth: { clientId: aws-secret:muster/tenants/${name}/jamf#id, clientSecret: aws-secret:muster/tenants/${name}/jamf#secret }
    extensionAttribute: Agent Status
  - name: windows
    platform: intune
    tenantId: 11111111-2222-3333-4444-555555555555
    auth: { clientId: 22222222-2222-3333-4444-555555555555, federated: aws }
    app: 99999999-8888-7777-6666-555555555555
store: s3://acme-muster/tenants/${name}
audit: s3://acme-muster-audit/tenants/${name}
schedule: { cron: "15 5 * * 1-5", timezone: Europe/London }
exemptions: ${name}/exemptions.csv
`;
}

export const tenantFiles = ['acme', 'contoso'].map((name) => ({
  ...{ file: `${name}.yaml`, body: Buffer.from(tenantSettings(name)) },
}));

export function settingsOf(yaml: string): Settings {
  const { settings, problems } = readSettings(yaml);
  if (settings === undefined) {
    throw new Error(problems.join('\n'));
  }
  return settings;
}

export const everything = stackOf(everySetting);

export function stackOf(yaml: string, more: Parameters<typeof planDeployment>[2] = {}) {
  const files = yaml.includes('  tenants: ') ? tenantFiles : [];
  const { deployment, problems } = planDeployment(settingsOf(yaml), target, more, files);
  if (deployment === undefined) {
    throw new Error(problems.join('\n'));
  }
  return deployment.stack;
}
