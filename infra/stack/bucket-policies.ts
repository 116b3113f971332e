/** Statements of the buckets' policies: requests that a bucket refuses whatever a role may do. */
import { tenantStoresFolder } from '../../src/settings/tenants.ts';
import { deny, inBucket, refuseWithoutTls, type Statement } from './intrinsics.ts';
import type { BucketPlace } from './stack-settings.ts';

/** The bucket, and the template's references to principals outside it. */
export interface AuditPolicy {
  readonly place: Pick<BucketPlace, 'bucket' | 'prefix'>;
  /** ARN of the role that every run has, as a function and as a task. */
  readonly nightRole: unknown;
  /** True with tenants, whose stores are in the same bucket. */
  readonly servesTenants: boolean;
  /** The account whose roles use this bucket of another account; within one account, no statement has to allow them. */
  readonly user?: unknown;
}

export interface ReportPolicy extends AuditPolicy {
  readonly deployers: unknown;
  readonly key: unknown;
}

export function listReportStatements(policy: ReportPolicy): readonly Statement[] {
  const { place, nightRole, deployers, key, user } = policy;
  const [bucket, objects] = [inBucket(place), inBucket(place, '/*')];
  const inStores = (path: string) => listStorePaths(policy, path);
  const runs = inStores('runs/*');
  const log = inStores(commits);
  const reserved = [...log, ...inStores('latest.json'), ...runs, ...inStores('deliveries/*')];
  return [
    ...refuseOldTls([bucket, objects]),
    // Denies a header that names another key; without the header the bucket's own key is used.
    deny('OnlyUnderOurKey', 's3:PutObject', objects, {
      Null: { 's3:x-amz-server-side-encryption-aws-kms-key-id': 'false' },
      StringNotEquals: { 's3:x-amz-server-side-encryption-aws-kms-key-id': key },
    }),
    deny('OnlyUnderKms', 's3:PutObject', objects, {
      Null: { 's3:x-amz-server-side-encryption': 'false' },
      StringNotEquals: { 's3:x-amz-server-side-encryption': 'aws:kms' },
    }),
    // Settings decide where credentials are sent, exemptions who is not counted.
    deny('OnlyDeployersWriteSettings', writing, inBucket(place, '/settings/*'), {
      ArnNotLike: { 'aws:PrincipalArn': deployers },
    }),
    // Protects what a run trusts: its log, files of runs, and marks of sent messages. Copies are compared with these.
    deny('OnlyRunsWriteTheStore', writing, reserved, { ArnNotEquals: { 'aws:PrincipalArn': nightRole } }),
    deny('RunsAreCreatedOnce', 's3:PutObject', runs, unlessNew),
    deny('CommitsAreCreatedOnce', 's3:PutObject', log, unlessNew),
    deny('NobodyRemovesCommits', ['s3:DeleteObject', 's3:DeleteObjectVersion'], log),
    // Removed runs can be restored for 30 days; this statement does not bind the lifecycle rule.
    deny('NobodyRemovesOldVersionsOfRuns', 's3:DeleteObjectVersion', runs),
    ...allowAccount(
      user,
      [
        's3:GetObject',
        's3:PutObject',
        's3:DeleteObject',
        's3:AbortMultipartUpload',
        's3:ListBucket',
        's3:GetBucketLocation',
        's3:ListBucketMultipartUploads',
        's3:ListMultipartUploadParts',
      ],
      [bucket, objects],
    ),
  ];
}

export function listAuditStatements(policy: AuditPolicy): readonly Statement[] {
  const { place, nightRole, user } = policy;
  const [bucket, objects] = [inBucket(place), inBucket(place, '/*')];
  const { Resource: NotResource, ...onlyCommits } = deny(
    'OnlyCommits',
    's3:PutObject',
    listStorePaths(policy, commits),
  );
  return [
    ...refuseOldTls([bucket, objects]),
    { ...onlyCommits, NotResource },
    deny('OnlyRunsWriteCommits', writing, objects, { ArnNotEquals: { 'aws:PrincipalArn': nightRole } }),
    deny('CommitsAreCreatedOnce', 's3:PutObject', objects, unlessNew),
    deny('NobodyRemovesCommits', ['s3:DeleteObject', 's3:DeleteObjectVersion'], objects),
    ...allowAccount(user, ['s3:GetObject', 's3:PutObject', 's3:ListBucket'], [bucket, objects]),
  ];
}

const commits = 'commits/*';

/** Actions that change objects: a replica needs no right to put an object, and deleting a version uncovers the one before it. */
const writing = ['PutObject', 'ReplicateObject', 'DeleteObject', 'ReplicateDelete', 'DeleteObjectVersion'].map(
  (action) => `s3:${action}`,
);

/** Matches creations: parts of an upload create no object and carry no condition; completing the upload does. */
const isCreated = { 's3:ObjectCreationOperation': 'true' };
const unlessNew = { Null: { 's3:if-none-match': 'true' }, Bool: isCreated };

/** Paths of a store; a tenant's store has the same ones below the tenant's name. */
function listStorePaths({ place, servesTenants }: AuditPolicy, path: string): readonly unknown[] {
  const ofTenants = servesTenants ? [inBucket(place, `/${tenantStoresFolder}*/${path}`)] : [];
  return [inBucket(place, `/${place.prefix}${path}`), ...ofTenants];
}

export function refuseOldTls(resources: readonly unknown[]): readonly Statement[] {
  return [
    refuseWithoutTls('s3:*', resources),
    deny('OnlyOverTls12', 's3:*', resources, { NumericLessThan: { 's3:TlsVersion': '1.2' } }),
  ];
}

/** Lets the other account's policies decide about its roles, within the refusals above. */
function allowAccount(user: unknown, Action: readonly string[], Resource: readonly unknown[]): readonly Statement[] {
  const statement = { Sid: 'AccountOfTheRunsDecidesByItsPolicies', Effect: 'Allow', Principal: { AWS: user } };
  return user === undefined ? [] : [{ ...statement, Action, Resource }];
}
