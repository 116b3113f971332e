/** What must never be lost from the stack, and what docs/aws.md promises of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultStack } from '../../infra/plan/describe-stack.ts';
import { everything, stackOf } from './example.ts';
import { decide } from './policy.ts';
import { makeStack, policyOf, propertiesOf, toArn } from './template.ts';

const withNothing = makeStack();
const withEverything = makeStack(everything);
const root = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const serverless = read('serverless.yml');

describe.each([
  ['with nothing set', withNothing, defaultStack],
  ['with everything set', withEverything, everything],
] as const)('the stack %s', (_name, resources, { audit, reports: { bucket } }) => {
  it('keeps every bucket private, encrypted, and when the stack goes; and versioned what runs write', () => {
    const buckets = Object.entries(resources).filter(([, { Type }]) => Type === 'AWS::S3::Bucket');
    expect(buckets.map(([name]) => name)).toEqual([
      'ReportBucket',
      'AccessLogBucket',
      ...(audit ? ['AuditBucket'] : []),
    ]);
    const byS3 = { SSEAlgorithm: 'AES256' };
    for (const [name, bucket] of buckets) {
      const byKey = {
        SSEAlgorithm: 'aws:kms',
        KMSMasterKeyID: toArn('kms', name === 'AuditBucket' ? 'AuditKey' : 'Key'),
      };
      expect(bucket.DeletionPolicy).toBe('Retain');
      expect(bucket.Properties).toMatchObject({
        ...(name === 'AccessLogBucket' ? {} : { VersioningConfiguration: { Status: 'Enabled' } }),
        OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [
            { ServerSideEncryptionByDefault: name === 'AccessLogBucket' ? byS3 : byKey },
          ],
        },
      });
    }
  });

  it('lets the function do and cost what was measured and agreed', () => {
    for (const line of [
      ...['runtime: nodejs24.x', 'architecture: arm64', 'handler: dist/lambda.handler', 'deletionProtection: true'],
      ...['memorySize: ${file(infra/stack.cjs):memory}', 'timeout: ${file(infra/stack.cjs):timeout}'],
    ]) {
      expect(serverless).toContain(line);
    }
    expect(defaultStack).toMatchObject({ memory: 2048, timeout: 900 });
  });

  it('lets nothing that stands expire', () => {
    interface Rule {
      readonly Id: string;
      readonly Prefix?: string;
      readonly ExpirationInDays?: number;
    }
    const rulesOf = (bucket: string) =>
      propertiesOf<{ LifecycleConfiguration: { Rules: Rule[] } }>(resources, bucket).LifecycleConfiguration.Rules;
    const expiring = rulesOf('ReportBucket').filter((rule) => rule.ExpirationInDays !== undefined);
    expect(expiring.map(({ Id, Prefix }) => [Id, Prefix])).toEqual([['query-results', 'query-results/']]);
    expect(rulesOf('ReportBucket').map(({ Id }) => Id)).toContain('unfinished-uploads');
    // The log of commits stands for good, in the audit too.
    expect(audit ? rulesOf('AuditBucket').map(({ Id }) => Id) : []).toEqual(audit ? ['unfinished-uploads'] : []);
  });

  it('writes down who uses the reports, for a year, and takes nobody else’s word for it', () => {
    expect(propertiesOf(resources, 'ReportBucket')).toMatchObject({
      LoggingConfiguration: { DestinationBucketName: 'AccessLogBucket' },
    });
    expect(resources.ReportBucket).toMatchObject({ DependsOn: ['AccessLogBucketPolicy'] });
    expect(propertiesOf(resources, 'AccessLogBucket')).toMatchObject({
      LifecycleConfiguration: { Rules: [{ Id: 'unfinished-uploads' }, { Id: 'a-year', ExpirationInDays: 365 }] },
    });
    const policy = policyOf(resources, 'AccessLogBucketPolicy');
    expect(policy.Statement.flatMap(({ Effect, Principal }) => (Effect === 'Allow' ? [Principal] : []))).toEqual([
      { Service: 'logging.s3.amazonaws.com' },
    ]);
    const reports = `arn:aws:s3:::${bucket}`;
    const decided = (context: Record<string, string>, action = 's3:PutObject') =>
      decide([policy], {
        ...{ action, resource: 'arn:aws:s3:::AccessLogBucket/2026-11-20-05-15-00-ABCDEF' },
        context: { 'aws:SourceAccount': '123456789012', 'aws:SourceArn': reports, ...context },
      });
    expect(decided({})).toBe('allowed');
    expect(decided({ 'aws:SourceArn': 'arn:aws:s3:::other' })).toBe('not allowed');
    expect(decided({ 'aws:SourceAccount': '999999999999' })).toBe('not allowed');
    expect(decided({}, 's3:GetObject')).toBe('not allowed');
    expect(decided({ 'aws:SecureTransport': 'false' })).toBe('denied');
  });
});

describe('docs/aws.md', () => {
  const aws = read('docs/aws.md');

  it('shows settings that can be deployed', () => {
    const yaml = /```yaml\n([\s\S]*?)```/.exec(aws)?.[1] ?? '';
    expect(stackOf(yaml)).toMatchObject({
      reports: { bucket: 'example-muster' },
      schedule: { expression: 'cron(15 5 * * ? *)', timezone: 'Europe/London' },
      audiences: ['api://AzureADTokenExchange'],
    });
  });
});
