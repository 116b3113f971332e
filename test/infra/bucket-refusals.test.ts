/** What the buckets refuse whatever a role allows, and what they leave to a run. */
import { describe, expect, it } from 'vitest';
import { everything } from './example.ts';
import { decide, type PolicyDocument, type RecordedCall, requestOf } from './policy.ts';
import { makeStack, policyOf } from './template.ts';

const resources = makeStack(everything);
const role = 'arn:aws:iam::123456789012:role/muster-prod-night-eu-west-1';
const bucket = 'acme-muster';
const auditBucket = 'acme-muster-audit';

const night = policyOf(resources, 'NightRole');
/** A bucket's policy speaks of that bucket only, whatever else it leaves out. */
const documentsOf = (of: string): readonly PolicyDocument[] => [
  night,
  policyOf(resources, of === auditBucket ? 'AuditBucketPolicy' : 'ReportBucketPolicy'),
];

function decided(call: Omit<RecordedCall, 'bucket'> & { readonly bucket?: string }, by = role, account?: string) {
  return decide(documentsOf(call.bucket ?? bucket), requestOf({ bucket, ...call }, by, account));
}

describe('what is refused', () => {
  const put = (key: string, more: Partial<RecordedCall> = {}) => ({ action: 's3:PutObject', key, ...more });
  const run = 'prod/runs/2026-11-20/a/events.json';

  it.each([
    ['a run written twice', put(run), 'denied'],
    ['an upload completed without a condition', put(run, { operation: 'CompleteMultipartUpload' }), 'denied'],
    ['a commit written twice', put('prod/commits/0000000001.json'), 'denied'],
    ['deleting a commit', { action: 's3:DeleteObject', key: 'prod/commits/0000000001.json' }, 'denied'],
    ['deleting latest.json', { action: 's3:DeleteObject', key: 'prod/latest.json' }, 'not allowed'],
    ['deleting an old version of a run', { action: 's3:DeleteObjectVersion', key: run }, 'denied'],
    ['its own settings', put('settings/muster.yaml'), 'denied'],
    ['deleting its own settings', { action: 's3:DeleteObject', key: 'settings/muster.yaml' }, 'denied'],
    ['what is above its prefix', put('runs/2026-11-20/a/x', { conditional: 'If-None-Match' }), 'not allowed'],
    ['listing above its prefix', { action: 's3:ListBucket', key: '' }, 'not allowed'],
    ['deleting what is latest', { action: 's3:DeleteObject', key: 'prod/latest/devices.csv' }, 'not allowed'],
    ['changing the bucket', { action: 's3:PutBucketPolicy', key: '' }, 'not allowed'],
    [
      'reports in the audit bucket',
      put('runs/a/b/devices.csv', { bucket: auditBucket, conditional: 'If-None-Match' }),
      'denied',
    ],
    ['a commit overwritten there', put('commits/0000000001.json', { bucket: auditBucket }), 'denied'],
    [
      'a commit deleted there',
      { action: 's3:DeleteObject', bucket: auditBucket, key: 'commits/0000000001.json' },
      'denied',
    ],
    ['another bucket', put(run, { bucket: 'other', conditional: 'If-None-Match' }), 'not allowed'],
  ] as const)('%s', (_name, call, decision) => {
    expect(decided(call)).toBe(decision);
  });

  it.each([
    ['a run, once', put(run, { conditional: 'If-None-Match' })],
    ['a part of an upload', put(run, { operation: 'UploadPart' })],
    ['a commit, once', put('prod/commits/0000000001.json', { conditional: 'If-None-Match' })],
    ['latest.json', put('prod/latest.json')],
    ['a copy', put('prod/devices/date=2026-11-20/devices.csv')],
    [
      'a commit in the audit bucket',
      put('commits/0000000001.json', { bucket: auditBucket, conditional: 'If-None-Match' }),
    ],
  ])('but not %s', (_name, call) => {
    expect(decided(call)).toBe('allowed');
  });

  it('the same bucket name in another account [S13]', () => {
    expect(decided(put(run, { conditional: 'If-None-Match' }), role, '999999999999')).toBe('not allowed');
  });

  it('deleting a run, for an administrator', () => {
    const admin: PolicyDocument = { Statement: [{ Effect: 'Allow', Action: 's3:DeleteObject', Resource: '*' }] };
    const asked = requestOf({ action: 's3:DeleteObject', bucket, key: run }, 'arn:aws:iam::123456789012:role/admin');
    expect(decide([admin], asked)).toBe('allowed');
    expect(decide([admin, ...documentsOf(bucket)], asked)).toBe('denied');
  });

  it.each([
    ['an administrator', 'arn:aws:iam::123456789012:role/admin', 'denied'],
    ['a role whose name only begins like the deployer’s', 'arn:aws:iam::123456789012:role/deploy-other', 'denied'],
    ['the same role of another account', 'arn:aws:iam::999999999999:role/deploy', 'denied'],
    ['the deployer', 'arn:aws:iam::123456789012:role/deploy', 'allowed'],
    ['the deployer, whose role has a path', 'arn:aws:iam::123456789012:role/ci/deploy', 'allowed'],
  ])('writing the settings, for %s: %s, %s', (_, by, decision) => {
    const everything: PolicyDocument = { Statement: [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }] };
    for (const action of ['s3:PutObject', 's3:DeleteObject', 's3:DeleteObjectVersion']) {
      const asked = requestOf({ action, bucket, key: 'settings/muster.yaml' }, by);
      expect(decide([everything, policyOf(resources, 'ReportBucketPolicy')], asked)).toBe(decision);
    }
  });

  it('requests without TLS, with an old one, or under another key', () => {
    const asked = requestOf({ bucket, ...put(run, { conditional: 'If-None-Match' }) }, role);
    const having = (key: string, value: string) =>
      decide(documentsOf(bucket), { ...asked, context: { ...asked.context, [key]: value } });
    expect(having('aws:SecureTransport', 'false')).toBe('denied');
    expect(having('s3:TlsVersion', '1.1')).toBe('denied');
    expect(having('s3:x-amz-server-side-encryption', 'AES256')).toBe('denied');
    expect(having('s3:x-amz-server-side-encryption', 'aws:kms')).toBe('allowed');
    const key = 's3:x-amz-server-side-encryption-aws-kms-key-id';
    expect(having(key, 'arn:aws:kms:eu-west-1:123456789012:key/other')).toBe('denied');
    expect(having(key, 'arn:aws:kms:eu-west-1:123456789012:Key')).toBe('allowed');
  });
});
