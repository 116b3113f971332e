/** Buckets of the stack, of somebody else, and for an account that keeps them for us. */
import { describe, expect, it } from 'vitest';
import { planDeployment } from '../../infra/plan/deployment.ts';
import { renderAuditOwnerTemplate, renderReportOwnerTemplate } from '../../infra/stack/owner-templates.ts';
import { everySetting, settingsOf, stackOf, target } from './example.ts';
import { decide, type PolicyDocument, requestOf } from './policy.ts';
import { makeStack, policyOf, propertiesOf, type Resources, resolveTemplate, type Template } from './template.ts';

const other = '210987654321';
const key = `arn:aws:kms:eu-west-1:${other}:key/1234abcd`;
const base = everySetting.replace(/ {2}auditBucket.*\n/, '');
const own = makeStack(stackOf(base));
const withAws = (lines: string) => stackOf(`${base}${lines}`);
const elsewhere = makeStack(
  withAws(`  reportBucket: { owner: "${other}", key: "${key}" }\n  auditBucket: { owner: "${other}" }\n`),
);

const statement = (resources: Resources, sid: string) =>
  policyOf(resources, 'NightRole').Statement.find(({ Sid }) => Sid === sid);

describe('the audit bucket', () => {
  interface Audit {
    readonly BucketEncryption: { ServerSideEncryptionConfiguration: { ServerSideEncryptionByDefault: object }[] };
  }
  const encryptionOf = (lines: string) =>
    propertiesOf<Audit>(makeStack(withAws(lines)), 'AuditBucket').BucketEncryption.ServerSideEncryptionConfiguration[0]
      ?.ServerSideEncryptionByDefault;

  it.each([
    ['by S3 itself', '', { SSEAlgorithm: 'AES256' }],
    [
      'under a key of its own',
      '  auditBucket: { key: own }\n',
      { KMSMasterKeyID: 'arn:aws:kms:eu-west-1:123456789012:AuditKey' },
    ],
    ['under the key that the settings name', `  auditBucket: { key: "${key}" }\n`, { KMSMasterKeyID: key }],
  ])('is encrypted %s, and never under the reports’ key', (_, lines, wanted) => {
    expect(encryptionOf(lines)).toMatchObject(wanted);
  });

  it('lets the function use its key for it, and only where there is one', () => {
    const used = (lines: string) =>
      policyOf(makeStack(withAws(lines)), 'NightRole').Statement.flatMap(({ Sid, Resource }) =>
        Sid?.endsWith('AuditKeyThroughS3') ? [Resource] : [],
      );
    expect(used('')).toEqual([]);
    expect(used('  auditBucket: { key: own }\n')).toEqual(['arn:aws:kms:eu-west-1:123456789012:AuditKey']);
    expect(used(`  auditBucket: { key: "${key}" }\n`)).toEqual([key]);
  });

  it('locks what it takes as the settings say', () => {
    expect(propertiesOf(own, 'AuditBucket')).toMatchObject({
      ObjectLockConfiguration: { Rule: { DefaultRetention: { Mode: 'COMPLIANCE', Days: 500 } } },
    });
  });
});

describe('buckets of another account', () => {
  it('are neither made by the stack nor given a policy by it', () => {
    const made = Object.values(elsewhere).map(({ Type }) => Type);
    expect(made.filter((type) => type.startsWith('AWS::S3::'))).toEqual([]);
  });

  it('are used in that account alone, under its key', () => {
    for (const sid of ['ReadSettings', 'KeepNights', 'KeepLogAndLatest', 'ListStore', 'KeepCommits']) {
      expect(statement(elsewhere, sid)?.Condition?.StringEquals, sid).toEqual({ 'aws:ResourceAccount': other });
    }
    expect(statement(elsewhere, 'UseKeyThroughS3')?.Resource).toBe(key);
    expect(propertiesOf(elsewhere, 'ReportWorkGroup')).toMatchObject({
      WorkGroupConfiguration: { ResultConfiguration: { EncryptionConfiguration: { KmsKey: key } } },
    });
  });

  it('without a key need none', () => {
    const resources = makeStack(withAws(`  reportBucket: { owner: "${other}" }\n`));
    expect(statement(resources, 'UseKeyThroughS3')).toBeUndefined();
    expect(JSON.stringify(propertiesOf(resources, 'ReportWorkGroup'))).toContain('"EncryptionOption":"SSE_S3"');
  });

  describe('are made there from a template', () => {
    const { deployment } = planDeployment(settingsOf(base), target);
    const { report, audit } = deployment?.owners ?? {};
    if (report === undefined || audit === undefined) {
      throw new Error('the example names both buckets');
    }
    const asTemplate = (template: object) => resolveTemplate(template as Template, other);
    const reports = asTemplate(renderReportOwnerTemplate(report));
    const audits = asTemplate(renderAuditOwnerTemplate(audit));
    const night = 'arn:aws:iam::123456789012:role/muster-prod-night-eu-west-1';

    it('that is the stack’s own, line by line, but for the key and who may use it', () => {
      const same = [
        'LifecycleConfiguration',
        'VersioningConfiguration',
        'PublicAccessBlockConfiguration',
        'LoggingConfiguration',
        'BucketName',
      ];
      for (const [resources, name] of [
        [reports, 'ReportBucket'],
        [audits, 'AuditBucket'],
      ] as const) {
        const [theirs, ours] = [resources, own].map((one) => propertiesOf<Record<string, unknown>>(one, name));
        for (const property of [...same, 'ObjectLockConfiguration']) {
          expect(theirs?.[property], property).toEqual(ours?.[property]);
        }
        expect(resources[name]?.DeletionPolicy).toBe('Retain');
        const refused = (one: Resources) =>
          policyOf(one, `${name}Policy`).Statement.filter(
            ({ Effect, Sid }) => Effect === 'Deny' && Sid !== 'OnlyUnderOurKey',
          );
        expect(refused(resources)).toEqual(refused(own));
      }
    });

    it('that allows the account of the runs, and no other', () => {
      const policy = policyOf(reports, 'ReportBucketPolicy');
      expect(policy.Statement.filter(({ Effect }) => Effect === 'Allow')).toMatchObject([
        { Principal: { AWS: 'arn:aws:iam::123456789012:root' } },
      ]);
      const asked = (call: Parameters<typeof requestOf>[0], by: string) => decide([policy], requestOf(call, by, other));
      const run = { bucket: 'acme-muster', key: 'prod/runs/2026-11-20/a/events.json' };
      expect(asked({ action: 's3:PutObject', ...run, conditional: 'If-None-Match' }, night)).toBe('allowed');
      expect(asked({ action: 's3:PutObject', ...run }, night)).toBe('denied');
      expect(asked({ action: 's3:DeleteObject', ...run }, night)).toBe('allowed');
      expect(asked({ action: 's3:DeleteObject', ...run }, 'arn:aws:iam::123456789012:role/admin')).toBe('denied');
      const settings = { action: 's3:PutObject', bucket: 'acme-muster', key: 'settings/muster.yaml' };
      expect(asked(settings, night)).toBe('denied');
      expect(asked(settings, 'arn:aws:iam::123456789012:role/deploy')).toBe('allowed');
      expect(asked({ ...settings, action: 's3:PutBucketPolicy', key: '' }, night)).toBe('not allowed');
    });

    it('that takes commits alone, once, and lets nobody remove them', () => {
      const policy = policyOf(audits, 'AuditBucketPolicy');
      const asked = (call: Partial<Parameters<typeof requestOf>[0]>) =>
        decide(
          [policy],
          requestOf(
            { action: 's3:PutObject', bucket: 'acme-muster-audit', key: 'commits/0000000001.json', ...call },
            night,
            other,
          ),
        );
      expect(asked({ conditional: 'If-None-Match' })).toBe('allowed');
      expect(asked({})).toBe('denied');
      expect(asked({ conditional: 'If-None-Match', key: 'runs/a/b/devices.csv' })).toBe('denied');
      expect(asked({ action: 's3:DeleteObject' })).toBe('denied');
      expect(asked({ action: 's3:DeleteObjectVersion' })).toBe('denied');
    });

    it('whose key the account of the runs may use, through S3', () => {
      const { KeyPolicy } = propertiesOf<{ KeyPolicy: PolicyDocument }>(reports, 'Key');
      expect(KeyPolicy.Statement[1]).toMatchObject({
        Principal: { AWS: 'arn:aws:iam::123456789012:root' },
        Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
        Condition: { StringEquals: { 'kms:ViaService': 's3.eu-west-1.amazonaws.com' } },
      });
    });
  });
});
