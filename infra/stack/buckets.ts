/**
 * The report bucket and the audit bucket; `bucket-policies.ts` has what they refuse. They are part of the stack, or,
 * where `aws.reportBucket.owner` or `aws.auditBucket.owner` names an account, a template that this account deploys
 * (`owner-templates.ts`). Both are made from the same lines.
 *
 * The buckets stay when a stack is removed: reports are evidence, and a person decides to remove them.
 */
import {
  type AuditPolicy,
  listAuditStatements,
  listReportStatements,
  type ReportPolicy,
  refuseOldTls,
} from './bucket-policies.ts';
import {
  getArn,
  inReports,
  ofThisAccount,
  policyDocument,
  ref,
  reportKey,
  type Statement,
  sub,
  type TemplatePart,
  when,
} from './intrinsics.ts';

interface Bucket {
  /** The condition on the bucket, where the template has one. */
  readonly condition?: string;
}

type ReportBucket = Bucket & ReportPolicy;

interface AuditBucket extends Bucket, AuditPolicy {
  readonly encryption: unknown;
}

/** As the stack has them. */
export function renderStackBuckets(servesTenants: boolean): TemplatePart {
  const nightRole = getArn('NightRole');
  return {
    Resources: {
      ...renderReportBucket({
        nightRole,
        deployers: when('NamesDeployers', ref('DeployerArns'), [
          sub('arn:${AWS::Partition}:iam::${AWS::AccountId}:root'),
        ]),
        key: reportKey,
        condition: 'MakesReportBucket',
        servesTenants,
      }),
      ...renderAuditBucket({
        nightRole,
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
