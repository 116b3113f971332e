/**
 * The report bucket and the audit bucket, with what they refuse whatever a role may do. They are part of the stack, or,
 * where `aws.reportBucket.owner` or `aws.auditBucket.owner` names an account, a template that this account deploys
 * (`owner-templates.ts`). Both are made from the same lines.
 *
 * The buckets stay when a stack is removed: reports are evidence, and a person decides to remove them.
 */
import { tenantStoresFolder } from '../../src/settings/tenants.ts';
import {
  deny,
  getArn,
  inAudit,
  inReports,
  ofThisAccount,
  policyDocument,
  ref,
  refuseWithoutTls,
  reportKey,
  type Statement,
  sub,
  type TemplatePart,
  when,
} from './intrinsics.ts';

/** How a template names what stands outside its bucket. */
interface Bucket {
  /** The condition on the bucket, where the template has one. */
  readonly condition?: string;
  /** With tenants, whose stores are in the same bucket. */
  readonly servesTenants: boolean;
  /** The account whose roles use a bucket of another account; within one account, no statement has to allow them. */
  readonly user?: unknown;
}

interface ReportBucket extends Bucket {
  readonly nightRole: unknown;
  readonly deployers: unknown;
  readonly key: unknown;
}

interface AuditBucket extends Bucket {
  readonly encryption: unknown;
}

/** As the stack has them. */
export function renderStackBuckets(servesTenants: boolean): TemplatePart {
  return {
    Resources: {
      ...renderReportBucket({
        nightRole: getArn('NightRole'),
        deployers: when('NamesDeployers', ref('DeployerArns'), [
          sub('arn:${AWS::Partition}:iam::${AWS::AccountId}:root'),
        ]),
        key: reportKey,
        condition: 'MakesReportBucket',
        servesTenants,
      }),
      ...renderAuditBucket({
        encryption: encryptByKey(
          when('EncryptsAuditByKey', 'aws:kms', 'AES256'),
          when('NamesAuditKey', ref('AuditKeyArn'), when('MakesAuditKey', getArn('AuditKey'))),
          when('EncryptsAuditByKey', true, false),
        ),
        condition: 'MakesAuditBucket',
        servesTenants,
      }),
    },
    Outputs: { ReportBucket: { Value: ref('ReportBucketName'), Description: 'The bucket with the reports' } },
  };
}

function encryptByKey(SSEAlgorithm: unknown, KMSMasterKeyID: unknown, BucketKeyEnabled: unknown): object {
  return {
    ServerSideEncryptionConfiguration: [
      { ServerSideEncryptionByDefault: { SSEAlgorithm, KMSMasterKeyID }, BucketKeyEnabled },
    ],
  };
}

/** Also where a key's loss must not take what it holds, or where the writer can be given no key. */
export const encryptedByS3 = {
  ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
};

export function renderReportBucket(bucket: ReportBucket): Readonly<Record<string, object>> {
  return {
    ReportBucket: {
      ...renderBucket(bucket, {
        BucketName: ref('ReportBucketName'),
        VersioningConfiguration: versioned,
        LoggingConfiguration: { DestinationBucketName: ref('AccessLogBucket') },
        BucketEncryption: encryptByKey('aws:kms', bucket.key, true),
        // No rule here expires current objects: Muster's own retention removes runs, whole, and never a baseline.
        LifecycleConfiguration: {
          Rules: [
            unfinishedUploads,
            {
              Id: 'replaced-versions',
              Status: 'Enabled',
              NoncurrentVersionExpiration: { NoncurrentDays: 30 },
              ExpiredObjectDeleteMarker: true,
            },
            { Id: 'query-results', Status: 'Enabled', Prefix: 'query-results/', ExpirationInDays: 14 },
          ],
        },
      }),
      // From its first request on.
      DependsOn: ['AccessLogBucketPolicy'],
    },
    ReportBucketPolicy: renderBucketPolicy(bucket, 'ReportBucket', listReportStatements(bucket)),
    ...renderAccessLogBucket(bucket),
  };
}

/**
 * Who read or wrote what in the report bucket, as S3 itself writes it down: without a key, since its log delivery can be
 * given none of ours. The policy lets S3 write here and nobody of another account; it does not bind roles of this one.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/enable-server-access-logging.html
 */
function renderAccessLogBucket(bucket: Bucket): Readonly<Record<string, object>> {
  const objects = sub('${AccessLogBucket.Arn}/*');
  return {
    AccessLogBucket: renderBucket(bucket, {
      BucketEncryption: encryptedByS3,
      LifecycleConfiguration: {
        Rules: [unfinishedUploads, { Id: 'a-year', Status: 'Enabled', ExpirationInDays: 365 }],
      },
    }),
    AccessLogBucketPolicy: renderBucketPolicy(bucket, 'AccessLogBucket', [
      ...refuseOldTls([getArn('AccessLogBucket'), objects]),
      {
        Sid: 'OnlyReportsAreLogged',
        Effect: 'Allow',
        Principal: { Service: 'logging.s3.amazonaws.com' },
        Action: 's3:PutObject',
        Resource: objects,
        Condition: { StringEquals: ofThisAccount, ArnEquals: { 'aws:SourceArn': inReports() } },
      },
    ]),
  };
}

/**
 * A bucket in which nobody can change the commits. It is a bucket of its own, since Object Lock's default retention
 * applies to every object of a bucket; and not under the reports' key, whose loss would then take the proof as well.
 */
export function renderAuditBucket(bucket: AuditBucket): Readonly<Record<string, object>> {
  return {
    AuditBucket: renderBucket(bucket, {
      BucketName: ref('AuditBucketName'),
      ObjectLockEnabled: true,
      ObjectLockConfiguration: {
        ObjectLockEnabled: 'Enabled',
        Rule: { DefaultRetention: { Mode: ref('AuditMode'), Days: ref('AuditDays') } },
      },
      BucketEncryption: bucket.encryption,
      VersioningConfiguration: versioned,
      // No rule here expires anything: the log goes back to its first commit, also when its lock has ended.
      LifecycleConfiguration: { Rules: [unfinishedUploads] },
    }),
    AuditBucketPolicy: renderBucketPolicy(bucket, 'AuditBucket', listAuditStatements(bucket)),
  };
}

const versioned = { Status: 'Enabled' };

const unfinishedUploads = {
  Id: 'unfinished-uploads',
  Status: 'Enabled',
  AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
};

function renderBucket({ condition }: Bucket, properties: object): object {
  return {
    Type: 'AWS::S3::Bucket',
    ...(condition === undefined ? {} : { Condition: condition }),
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
    Properties: {
      OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      ...properties,
    },
  };
}

function renderBucketPolicy({ condition }: Bucket, name: string, statements: readonly Statement[]): object {
  return {
    Type: 'AWS::S3::BucketPolicy',
    ...(condition === undefined ? {} : { Condition: condition }),
    Properties: { Bucket: ref(name), PolicyDocument: policyDocument(statements) },
  };
}

function listReportStatements({ nightRole, deployers, key, servesTenants, user }: ReportBucket): readonly Statement[] {
  const objects = inReports('/*');
  const inStores = (path: string) => withTenants(servesTenants, inReports, `/\${StorePrefix}${path}`, path);
  const runs = inStores('runs/*');
  const log = inStores('commits/*');
  return [
    ...refuseOldTls([inReports(), objects]),
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
    deny(
      'OnlyDeployersWriteSettings',
      ['s3:PutObject', 's3:DeleteObject', 's3:DeleteObjectVersion'],
      inReports('/settings/*'),
      { ArnNotLike: { 'aws:PrincipalArn': deployers } },
    ),
    deny('RunsAreCreatedOnce', 's3:PutObject', runs, unlessNew),
    deny('CommitsAreCreatedOnce', 's3:PutObject', log, unlessNew),
    deny('OnlyRetentionRemovesRuns', 's3:DeleteObject', runs, { ArnNotEquals: { 'aws:PrincipalArn': nightRole } }),
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
      [inReports(), objects],
    ),
  ];
}

function listAuditStatements({ servesTenants, user }: AuditBucket): readonly Statement[] {
  const { Resource: NotResource, ...onlyCommits } = deny(
    'OnlyCommits',
    's3:PutObject',
    withTenants(servesTenants, inAudit, `/\${AuditPrefix}${commits}`, commits),
  );
  return [
    ...refuseOldTls([inAudit(), inAudit('/*')]),
    { ...onlyCommits, NotResource },
    deny('CommitsAreCreatedOnce', 's3:PutObject', inAudit('/*'), unlessNew),
    deny('NobodyRemovesCommits', ['s3:DeleteObject', 's3:DeleteObjectVersion'], inAudit('/*')),
    ...allowAccount(user, ['s3:GetObject', 's3:PutObject', 's3:ListBucket'], [inAudit(), inAudit('/*')]),
  ];
}

const commits = 'commits/*';

/** Parts of an upload create no object and carry no condition; completing the upload does. */
const isCreated = { 's3:ObjectCreationOperation': 'true' };
const unlessNew = { Null: { 's3:if-none-match': 'true' }, Bool: isCreated };

/** A tenant's store has the paths of every store, below the tenant's name. */
function withTenants(servesTenants: boolean, toArn: (path: string) => unknown, own: string, path: string): unknown {
  return servesTenants ? [toArn(own), toArn(`/${tenantStoresFolder}*/${path}`)] : toArn(own);
}

function refuseOldTls(resources: readonly unknown[]): readonly Statement[] {
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
