/**
 * The report bucket and the audit bucket, with what they refuse whatever a role may do. They are part of the stack, or,
 * where `aws.reportBucket.owner` or `aws.auditBucket.owner` names an account, a template that this account deploys
 * (`npm run deploy -- --owner-template report`). Both are made from the same lines.
 *
 * The buckets stay when a stack is removed: reports are evidence, and a person decides to remove them.
 */

import { tenantStoresFolder } from '../src/settings/tenants.ts';
import { getArn, ref, sub, when } from './intrinsics.ts';

type Statement = Readonly<Record<string, unknown>>;

/** How a template names what stands outside its buckets. */
interface Names {
  readonly nightRole: unknown;
  readonly deployers: unknown;
  /** The key of the report bucket. */
  readonly reportKey: unknown;
  /** Of the audit bucket. */
  readonly auditEncryption: unknown;
  /** Conditions on the two buckets, where the template has them. */
  readonly reportCondition?: string;
  readonly auditCondition?: string;
  /** With tenants, whose stores are in the same buckets. */
  readonly servesTenants: boolean;
  /** The account whose roles use a bucket of another account; within one account, no statement has to allow them. */
  readonly user?: unknown;
}

const inReports = (path = '') => sub(`arn:\${AWS::Partition}:s3:::\${ReportBucketName}${path}`);
const inAudit = (path = '') => sub(`arn:\${AWS::Partition}:s3:::\${AuditBucketName}${path}`);
const anybody = { Effect: 'Deny', Principal: '*' };

const encryptedByS3 = {
  ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
};

function encryption(SSEAlgorithm: unknown, KMSMasterKeyID: unknown, BucketKeyEnabled: unknown): object {
  return {
    ServerSideEncryptionConfiguration: [
      { ServerSideEncryptionByDefault: { SSEAlgorithm, KMSMasterKeyID }, BucketKeyEnabled },
    ],
  };
}

/** As the stack has them. */
export function renderStackBuckets(servesTenants = false): { readonly Resources: object; readonly Outputs: object } {
  const names: Names = {
    nightRole: getArn('NightRole'),
    deployers: when('NamesDeployers', ref('DeployerArns'), [sub('arn:${AWS::Partition}:iam::${AWS::AccountId}:root')]),
    reportKey: when('NamesReportKey', ref('ReportKeyArn'), getArn('Key')),
    auditEncryption: encryption(
      when('EncryptsAuditByKey', 'aws:kms', 'AES256'),
      when('NamesAuditKey', ref('AuditKeyArn'), when('MakesAuditKey', getArn('AuditKey'))),
      when('EncryptsAuditByKey', true, false),
    ),
    reportCondition: 'MakesReportBucket',
    auditCondition: 'MakesAuditBucket',
    servesTenants,
  };
  return {
    Resources: { ...renderReportBucket(names), ...renderAuditBucket(names) },
    Outputs: { ReportBucket: { Value: ref('ReportBucketName'), Description: 'The bucket with the reports' } },
  };
}

/** What `infra/deployment.ts` knows of a bucket that another account keeps. */
export interface OwnerTemplateInput {
  readonly bucket: string;
  /** Ends with a slash unless it is empty. */
  readonly prefix: string;
  /** The account of the stack. */
  readonly account: string;
  readonly nightRole: string;
  readonly deployers: readonly string[];
  readonly audit: { readonly mode: string; readonly days: string; readonly expiryDays: string };
  readonly servesTenants: boolean;
}

/** A template for the account that keeps the report bucket, with a key of its own. */
export function renderReportOwnerTemplate(input: OwnerTemplateInput): object {
  const user = sub(`arn:\${AWS::Partition}:iam::${input.account}:root`);
  const reportKey = getArn('Key');
  const { nightRole, deployers, servesTenants } = input;
  const names = { nightRole, deployers, reportKey, auditEncryption: {}, servesTenants, user };
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: `The report bucket of Muster, for account ${input.account}`,
    Parameters: {
      ReportBucketName: { Type: 'String', Default: input.bucket },
      StorePrefix: { Type: 'String', Default: input.prefix },
    },
    Resources: { Key: renderOwnerKey(user), ...renderReportBucket(names) },
    Outputs: { Key: { Value: reportKey, Description: 'For aws.reportBucket.key in muster.yaml' } },
  };
}

/** A template for the account that keeps the audit bucket. */
export function renderAuditOwnerTemplate(input: OwnerTemplateInput): object {
  const { mode, days, expiryDays } = input.audit;
  const user = sub(`arn:\${AWS::Partition}:iam::${input.account}:root`);
  const { nightRole, servesTenants } = input;
  const names = { nightRole, deployers: [], reportKey: '', auditEncryption: encryptedByS3, servesTenants, user };
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: `The audit bucket of Muster, for account ${input.account}`,
    Parameters: {
      AuditBucketName: { Type: 'String', Default: input.bucket },
      AuditPrefix: { Type: 'String', Default: input.prefix },
      AuditMode: { Type: 'String', Default: mode },
      AuditDays: { Type: 'Number', Default: days },
      AuditExpiryDays: { Type: 'Number', Default: expiryDays },
    },
    Resources: renderAuditBucket(names),
  };
}

function renderOwnerKey(user: unknown): object {
  return {
    Type: 'AWS::KMS::Key',
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
    Properties: {
      Description: 'The report bucket of Muster',
      EnableKeyRotation: true,
      KeyPolicy: {
        Version: '2012-10-17',
        Statement: [
          {
            Sid: 'AccountDecidesByItsPolicies',
            Effect: 'Allow',
            Principal: { AWS: sub('arn:${AWS::Partition}:iam::${AWS::AccountId}:root') },
            Action: 'kms:*',
            Resource: '*',
          },
          {
            Sid: 'AccountOfTheRunsUsesItThroughS3',
            Effect: 'Allow',
            Principal: { AWS: user },
            Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
            Resource: '*',
            Condition: { StringEquals: { 'kms:ViaService': sub('s3.${AWS::Region}.amazonaws.com') } },
          },
        ],
      },
    },
  };
}

const blockPublicAccess = {
  BlockPublicAcls: true,
  BlockPublicPolicy: true,
  IgnorePublicAcls: true,
  RestrictPublicBuckets: true,
};
const unfinishedUploads = {
  Id: 'unfinished-uploads',
  Status: 'Enabled',
  AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
};

function renderReportBucket(names: Names): Readonly<Record<string, object>> {
  return {
    ReportBucket: {
      Type: 'AWS::S3::Bucket',
      ...conditional(names.reportCondition),
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        BucketName: ref('ReportBucketName'),
        OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
        PublicAccessBlockConfiguration: blockPublicAccess,
        VersioningConfiguration: { Status: 'Enabled' },
        BucketEncryption: encryption('aws:kms', names.reportKey, true),
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
      },
    },
    ReportBucketPolicy: {
      Type: 'AWS::S3::BucketPolicy',
      ...conditional(names.reportCondition),
      Properties: {
        Bucket: ref('ReportBucket'),
        PolicyDocument: { Version: '2012-10-17', Statement: reportStatements(names) },
      },
    },
  };
}

function reportStatements({ nightRole, deployers, reportKey, servesTenants, user }: Names): readonly Statement[] {
  const objects = inReports('/*');
  const inStores = (path: string) => withTenants(servesTenants, inReports, `/\${StorePrefix}${path}`, path);
  const runs = inStores('runs/*');
  const pointer = inStores('latest.json');
  const isCreated = { 's3:ObjectCreationOperation': 'true' };
  return [
    ...onlyOverTls([inReports(), objects]),
    // A header that names another key; without the header the bucket's own key is used.
    {
      Sid: 'OnlyUnderOurKey',
      ...anybody,
      Action: 's3:PutObject',
      Resource: objects,
      Condition: {
        Null: { 's3:x-amz-server-side-encryption-aws-kms-key-id': 'false' },
        StringNotEquals: { 's3:x-amz-server-side-encryption-aws-kms-key-id': reportKey },
      },
    },
    {
      Sid: 'OnlyUnderKms',
      ...anybody,
      Action: 's3:PutObject',
      Resource: objects,
      Condition: {
        Null: { 's3:x-amz-server-side-encryption': 'false' },
        StringNotEquals: { 's3:x-amz-server-side-encryption': 'aws:kms' },
      },
    },
    // Settings say where credentials are sent, exemptions who is not counted.
    {
      Sid: 'OnlyDeployersWriteSettings',
      ...anybody,
      Action: ['s3:PutObject', 's3:DeleteObject', 's3:DeleteObjectVersion'],
      Resource: inReports('/settings/*'),
      Condition: { ArnNotLike: { 'aws:PrincipalArn': deployers } },
    },
    // Parts of an upload create no object and carry no condition; completing the upload does.
    {
      Sid: 'RunsAreCreatedOnce',
      ...anybody,
      Action: 's3:PutObject',
      Resource: runs,
      Condition: { Null: { 's3:if-none-match': 'true' }, Bool: isCreated },
    },
    {
      Sid: 'PointerMovesByCompareAndSwap',
      ...anybody,
      Action: 's3:PutObject',
      Resource: pointer,
      Condition: { Null: { 's3:if-none-match': 'true', 's3:if-match': 'true' }, Bool: isCreated },
    },
    {
      Sid: 'OnlyRetentionRemovesRuns',
      ...anybody,
      Action: 's3:DeleteObject',
      Resource: runs,
      Condition: { ArnNotEquals: { 'aws:PrincipalArn': nightRole } },
    },
    { Sid: 'NobodyRemovesThePointer', ...anybody, Action: 's3:DeleteObject', Resource: pointer },
    // For 30 days, what retention removed can be restored; this statement does not bind the lifecycle rule.
    { Sid: 'NobodyRemovesOldVersionsOfRuns', ...anybody, Action: 's3:DeleteObjectVersion', Resource: runs },
    ...allowAccount(
      user,
      [
        ...['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
        ...['s3:ListBucket', 's3:GetBucketLocation', 's3:ListBucketMultipartUploads', 's3:ListMultipartUploadParts'],
      ],
      [inReports(), objects],
    ),
  ];
}

/** What the roles of another account may do is then decided by their own policies, and refused by the statements above. */
function allowAccount(user: unknown, Action: readonly string[], Resource: readonly unknown[]): readonly Statement[] {
  const statement = { Sid: 'AccountOfTheRunsDecidesByItsPolicies', Effect: 'Allow', Principal: { AWS: user } };
  return user === undefined ? [] : [{ ...statement, Action, Resource }];
}

/**
 * A bucket in which nobody can change the manifests. It is a bucket of its own, since Object Lock's default retention
 * applies to every object of a bucket; and not under the reports' key, whose loss would then take the proof as well.
 */
function renderAuditBucket(names: Names): Readonly<Record<string, object>> {
  return {
    AuditBucket: {
      Type: 'AWS::S3::Bucket',
      ...conditional(names.auditCondition),
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        BucketName: ref('AuditBucketName'),
        OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
        PublicAccessBlockConfiguration: blockPublicAccess,
        VersioningConfiguration: { Status: 'Enabled' },
        ObjectLockEnabled: true,
        ObjectLockConfiguration: {
          ObjectLockEnabled: 'Enabled',
          Rule: { DefaultRetention: { Mode: ref('AuditMode'), Days: ref('AuditDays') } },
        },
        BucketEncryption: names.auditEncryption,
        LifecycleConfiguration: {
          Rules: [
            unfinishedUploads,
            // Later than the lock, and than the runs are kept: until then `verify` compares with it.
            {
              Id: 'let-go',
              Status: 'Enabled',
              ExpirationInDays: ref('AuditExpiryDays'),
              NoncurrentVersionExpiration: { NoncurrentDays: 1 },
            },
            // S3 allows no marker rule beside a number of days.
            { Id: 'markers', Status: 'Enabled', ExpiredObjectDeleteMarker: true },
          ],
        },
      },
    },
    AuditBucketPolicy: {
      Type: 'AWS::S3::BucketPolicy',
      ...conditional(names.auditCondition),
      Properties: {
        Bucket: ref('AuditBucket'),
        PolicyDocument: { Version: '2012-10-17', Statement: auditStatements(names) },
      },
    },
  };
}

/** A tenant's store has the paths of every store, below the tenant's name. */
function withTenants(servesTenants: boolean, toArn: (path: string) => unknown, own: string, path: string): unknown {
  return servesTenants ? [toArn(own), toArn(`/${tenantStoresFolder}*/${path}`)] : toArn(own);
}

function auditStatements({ servesTenants, user }: Names): readonly Statement[] {
  return [
    ...onlyOverTls([inAudit(), inAudit('/*')]),
    {
      Sid: 'OnlyManifests',
      ...anybody,
      Action: 's3:PutObject',
      NotResource: withTenants(servesTenants, inAudit, `/\${AuditPrefix}${manifests}`, manifests),
    },
    {
      Sid: 'ManifestsAreCreatedOnce',
      ...anybody,
      Action: 's3:PutObject',
      Resource: inAudit('/*'),
      Condition: { Null: { 's3:if-none-match': 'true' }, Bool: { 's3:ObjectCreationOperation': 'true' } },
    },
    ...allowAccount(user, ['s3:GetObject', 's3:PutObject', 's3:ListBucket'], [inAudit(), inAudit('/*')]),
  ];
}

const manifests = 'runs/*/manifest.json';

function onlyOverTls(Resource: readonly unknown[]): readonly Statement[] {
  const everything = { ...anybody, Action: 's3:*', Resource };
  return [
    { Sid: 'OnlyOverTls', ...everything, Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
    { Sid: 'OnlyOverTls12', ...everything, Condition: { NumericLessThan: { 's3:TlsVersion': '1.2' } } },
  ];
}

function conditional(condition: string | undefined): object {
  return condition === undefined ? {} : { Condition: condition };
}
