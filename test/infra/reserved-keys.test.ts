/** A16: keys that a run believes are written by runs alone, in every bucket and under every prefix that a stack has. */
import { describe, expect, it } from 'vitest';
import { planDeployment } from '../../infra/plan/deployment.ts';
import { renderAuditOwnerTemplate, renderReportOwnerTemplate } from '../../infra/stack/owner-templates.ts';
import { asTask, asTenants, everySetting, settingsOf, stackOf, target, tenantFiles } from './example.ts';
import { decide, type PolicyDocument, requestOf } from './policy.ts';
import { makeStack, policyOf, propertiesOf, type Resources, resolveTemplate, type Template } from './template.ts';

const everything: PolicyDocument = { Statement: [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }] };
const toRole = (name: string, account = target.account) => `arn:aws:iam::${account}:role/${name}`;
const night = toRole('muster-prod-night-eu-west-1');
const buckets = { ReportBucketPolicy: 'acme-muster', AuditBucketPolicy: 'acme-muster-audit' };
type BucketPolicy = keyof typeof buckets;

const tenants = makeStack(stackOf(asTenants(asTask)));
const stacks: readonly (readonly [string, Resources])[] = [
  ['the stack', makeStack(stackOf(everySetting))],
  ['the stack with a task and tenants', tenants],
  ['the templates of accounts that keep the buckets', renderOwnerTemplates()],
];

function renderOwnerTemplates(): Resources {
  const base = asTenants(everySetting).replace(/ {2}auditBucket.*\n/, '');
  const other = '210987654321';
  const key = `arn:aws:kms:eu-west-1:${other}:key/1234abcd`;
  const yaml = `${base}  reportBucket: { owner: "${other}", key: "${key}" }\n  auditBucket: { owner: "${other}" }\n`;
  const { report, audit } = planDeployment(settingsOf(yaml), target, {}, tenantFiles).deployment?.owners ?? {};
  if (report === undefined || audit === undefined) {
    throw new Error('the example names both buckets');
  }
  const templates = [renderReportOwnerTemplate(report), renderAuditOwnerTemplate(audit)];
  return Object.assign({}, ...templates.map((template) => resolveTemplate(template as Template, other)));
}

const servesTenants = (resources: Resources) => JSON.stringify(resources).includes('/tenants/*/runs/*');
const prefixesOf = (resources: Resources, own: string) =>
  servesTenants(resources) ? [own, 'tenants/acme/', 'tenants/contoso/'] : [own];

/** Keys of a bucket, one of each kind in each store. */
function keysOf(resources: Resources, policy: BucketPolicy): string[] {
  const ofAudit = policy === 'AuditBucketPolicy';
  const paths = ofAudit
    ? ['commits/0000000043.json']
    : ['commits/0000000043.json', 'latest.json', 'runs/2026-11-20/a/state.json.gz', 'deliveries/slack/1-1.claim.json'];
  return prefixesOf(resources, ofAudit ? '' : 'prod/').flatMap((prefix) => paths.map((path) => `${prefix}${path}`));
}

/** With every right that a policy of its own can give. */
function decided(resources: Resources, policy: BucketPolicy, action: string, key: string, by: string) {
  const call = { action, bucket: buckets[policy], key, conditional: 'If-None-Match' } as const;
  return decide([everything, policyOf(resources, policy)], requestOf(call, by));
}

const otherRoles = Object.entries(tenants).flatMap(([name, { Type }]) =>
  Type === 'AWS::IAM::Role' && name !== 'NightRole'
    ? [toRole(propertiesOf<{ RoleName: string }>(tenants, name).RoleName)]
    : [],
);
const others = [
  ...otherRoles,
  ...['admin', 'deploy', 'muster-dev-night-eu-west-1', 'muster-prod-night-eu-west-1-2', 'x/muster-prod-night'].map(
    (name) => toRole(name),
  ),
  toRole('muster-prod-night-eu-west-1', '999999999999'),
  `arn:aws:iam::${target.account}:root`,
  `arn:aws:iam::${target.account}:user/ada`,
];
const writing = ['PutObject', 'ReplicateObject', 'DeleteObject', 'ReplicateDelete', 'DeleteObjectVersion'].map(
  (action) => `s3:${action}`,
);
const policies = Object.keys(buckets) as BucketPolicy[];

describe.each(stacks)('A16: %s', (_name, resources) => {
  it('lets nobody but a run write or remove what a run believes', () => {
    expect(otherRoles.length).toBeGreaterThan(2);
    for (const policy of policies) {
      for (const key of keysOf(resources, policy)) {
        for (const by of others) {
          for (const action of writing) {
            expect(decided(resources, policy, action, key, by), `${by} ${action} ${key}`).toBe('denied');
          }
        }
      }
    }
  });

  it('lets a run write all of it, and remove what retention removes', () => {
    for (const policy of policies) {
      for (const key of keysOf(resources, policy)) {
        expect(decided(resources, policy, 's3:PutObject', key, night), key).toBe('allowed');
        if (/(^|\/)(runs|deliveries)\//.test(key)) {
          expect(decided(resources, policy, 's3:DeleteObject', key, night), key).toBe('allowed');
        }
      }
    }
  });

  it('reads for everybody whom a policy allows, and lets people repair copies', () => {
    const admin = toRole('admin');
    for (const policy of policies) {
      for (const key of keysOf(resources, policy)) {
        expect(decided(resources, policy, 's3:GetObject', key, admin), key).toBe('allowed');
      }
    }
    for (const prefix of prefixesOf(resources, 'prod/')) {
      for (const path of ['latest/devices.csv', 'devices/date=2026-11-20/devices.csv', '.probe/1']) {
        for (const action of ['s3:PutObject', 's3:DeleteObject']) {
          expect(decided(resources, 'ReportBucketPolicy', action, `${prefix}${path}`, admin), path).toBe('allowed');
        }
      }
    }
  });

  it('lets who administers take the policy away, restore, and put it back', () => {
    const admin = toRole('admin');
    for (const policy of policies) {
      for (const action of ['s3:GetBucketPolicy', 's3:DeleteBucketPolicy', 's3:PutBucketPolicy']) {
        expect(decided(resources, policy, action, '', admin)).toBe('allowed');
      }
    }
  });
});

it('A16: a task has the role that may write', () => {
  expect(propertiesOf(tenants, 'TaskDefinition')).toMatchObject({ TaskRoleArn: night });
});
