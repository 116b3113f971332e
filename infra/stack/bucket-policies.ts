/** Statements of the buckets' policies: what a bucket refuses whatever a role may do. */
import { tenantStoresFolder } from '../../src/settings/tenants.ts';
import { deny, inBucket, refuseWithoutTls, type Statement } from './intrinsics.ts';
import type { BucketPlace } from './stack-settings.ts';

/** The bucket, and how its template names what stands outside it. */
export interface AuditPolicy {
  readonly place: Pick<BucketPlace, 'bucket' | 'prefix'>;
  /** Every run has this role, as a function and as a task; its ARN. */
  readonly nightRole: unknown;
  /** With tenants, whose stores are in the same bucket. */
  readonly servesTenants: boolean;
  /** The account whose roles use a bucket of another account; within one account, no statement has to allow them. */
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
    // A header that names another key; without the header the bucket's own key is used.
    deny('OnlyUnderOurKey', 's3:PutObject', objects, {
      Null: { 's3:x-amz-server-side-encryption-aws-kms-key-id': 'false' },
      StringNotEquals: { 's3:x-amz-server-side-encryption-aws-kms-key-id': key },
    }),
    deny('OnlyUnderKms', 's3:PutObject', objects, {
      Null: { 's3:x-amz-server-side-encryption': 'false' },
      StringNotEquals: { 's3:x-amz-server-side-encryption': 'aws:kms' },
    }),
    // Settings say where credentials are sent, exemptions who is not counted.
    deny('OnlyDeployersWriteSettings', writing, inBucket(place, '/settings/*'), {
      ArnNotLike: { 'aws:PrincipalArn': deployers },
    }),
    // A run believes its log, the files of runs, and marks of what was sent. Copies are made from these, and compared.
    deny('OnlyRunsWriteTheStore', writing, reserved, { ArnNotEquals: { 'aws:PrincipalArn': nightRole } }),
    deny('RunsAreCreatedOnce', 's3:PutObject', runs, unlessNew),
    deny('CommitsAreCreatedOnce', 's3:PutObject', log, unlessNew),
    deny('NobodyRemovesCommits', ['s3:DeleteObject', 's3:DeleteObjectVersion'], log),
    // For 30 days, what retention removed can be restored; this statement does not bind the lifecycle rule.
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

/** A replica needs no right to put an object, and a version that is deleted lets the one before it stand. */
const writing = ['PutObject', 'ReplicateObject', 'DeleteObject', 'ReplicateDelete', 'DeleteObjectVersion'].map(
  (action) => `s3:${action}`,
);

/** Parts of an upload create no object and carry no condition; completing the upload does. */
const isCreated = { 's3:ObjectCreationOperation': 'true' };
const unlessNew = { Null: { 's3:if-none-match': 'true' }, Bool: isCreated };

/** A tenant's store has the paths of every store, below the tenant's name. */
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

/** What the roles of another account may do is then decided by their own policies, and refused by the statements above. */
function allowAccount(user: unknown, Action: readonly string[], Resource: readonly unknown[]): readonly Statement[] {
  const statement = { Sid: 'AccountOfTheRunsDecidesByItsPolicies', Effect: 'Allow', Principal: { AWS: user } };
  return user === undefined ? [] : [{ ...statement, Action, Resource }];
}
