/**
 * The report bucket and the audit bucket; `bucket-policies.ts` has their refusals. They are part of the stack or, where
 * `aws.reportBucket.owner` or `aws.auditBucket.owner` names an account, a template that this account deploys
 * (`owner-templates.ts`), made by the same code.
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
  findAuditKey,
  findReportKey,
  getArn,
  inBucket,
  ofThisAccount,
  policyDocument,
  type Resources,
  ref,
  type Statement,
  sub,
  type TemplatePart,
} from './intrinsics.ts';
import type { AuditPlace, StackSettings } from './stack-settings.ts';

interface AuditBucket extends AuditPolicy {
  readonly lock: Pick<AuditPlace, 'mode' | 'days'>;
  readonly key?: unknown;
}

/** The buckets that the stack makes. */
export function renderStackBuckets(stack: StackSettings): TemplatePart {
  const { reports, audit, deployers } = stack;
  const shared = { nightRole: getArn('NightRole'), servesTenants: stack.tenants !== undefined };
  const rootOfAccount = [sub('arn:${AWS::Partition}:iam::${AWS::AccountId}:root')];
  return {
    Resources: {
      ...(reports.owner === undefined
        ? renderReportBucket({
            ...shared,
            place: reports,
            deployers: Array.isArray(deployers) && deployers.length === 0 ? rootOfAccount : deployers,
            key: findReportKey(stack),
          })
        : {}),
      ...(audit === undefined || audit.owner !== undefined
        ? {}
        : renderAuditBucket({ ...shared, place: audit, lock: audit, key: findAuditKey(stack) })),
    },
    Outputs: { ReportBucket: { Value: sub(reports.bucket), Description: 'The bucket with the reports' } },
  };
}

/** Encryption with a key, or by S3 itself: where a lost key must not lose the contents, or the writer can use no key. */
function encryptBy(key?: unknown): object {
  const rule =
    key === undefined
      ? { ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }
      : { ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: key }, BucketKeyEnabled: true };
  return { ServerSideEncryptionConfiguration: [rule] };
}

export function renderReportBucket(policy: ReportPolicy): Resources {
  return {
    ReportBucket: {
      ...renderBucket({
        BucketName: sub(policy.place.bucket),
        VersioningConfiguration: versioned,
        LoggingConfiguration: { DestinationBucketName: ref('AccessLogBucket') },
        BucketEncryption: encryptBy(policy.key),
        // Expires no current objects: Muster's own retention removes whole runs, and never a baseline.
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
      // Logs access from the bucket's first request on.
      DependsOn: ['AccessLogBucketPolicy'],
    },
    ReportBucketPolicy: renderBucketPolicy('ReportBucket', listReportStatements(policy)),
    ...renderAccessLogBucket(policy),
  };
}

/**
 * The log of access to the report bucket, which S3 writes without a key, since its log delivery cannot use ours. The
 * policy allows S3 to write here, and no other account; it does not bind roles of this account.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/enable-server-access-logging.html
 */
function renderAccessLogBucket({ place }: ReportPolicy): Resources {
  const objects = sub('${AccessLogBucket.Arn}/*');
  return {
    AccessLogBucket: renderBucket({
      BucketEncryption: encryptBy(),
      LifecycleConfiguration: {
        Rules: [unfinishedUploads, { Id: 'a-year', Status: 'Enabled', ExpirationInDays: 365 }],
      },
    }),
    AccessLogBucketPolicy: renderBucketPolicy('AccessLogBucket', [
      ...refuseOldTls([getArn('AccessLogBucket'), objects]),
      {
        Sid: 'OnlyReportsAreLogged',
        Effect: 'Allow',
        Principal: { Service: 'logging.s3.amazonaws.com' },
        Action: 's3:PutObject',
        Resource: objects,
        Condition: { StringEquals: ofThisAccount, ArnEquals: { 'aws:SourceArn': inBucket(place) } },
      },
    ]),
  };
}

/**
 * A bucket whose commits cannot be changed. It is separate, since Object Lock's default retention applies to every
 * object of a bucket; and not under the reports' key, whose loss would also lose the proof.
 */
export function renderAuditBucket(bucket: AuditBucket): Resources {
  return {
    AuditBucket: renderBucket({
      BucketName: sub(bucket.place.bucket),
      ObjectLockEnabled: true,
      ObjectLockConfiguration: {
        ObjectLockEnabled: 'Enabled',
        Rule: { DefaultRetention: { Mode: bucket.lock.mode, Days: bucket.lock.days } },
      },
      BucketEncryption: encryptBy(bucket.key),
      VersioningConfiguration: versioned,
      // Expires nothing: the log goes back to its first commit, even after its lock has ended.
      LifecycleConfiguration: { Rules: [unfinishedUploads] },
    }),
    AuditBucketPolicy: renderBucketPolicy('AuditBucket', listAuditStatements(bucket)),
  };
}

const versioned = { Status: 'Enabled' };

const unfinishedUploads = {
  Id: 'unfinished-uploads',
  Status: 'Enabled',
  AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
};

function renderBucket(properties: object): object {
  return {
    Type: 'AWS::S3::Bucket',
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

function renderBucketPolicy(name: string, statements: readonly Statement[]): object {
  return {
    Type: 'AWS::S3::BucketPolicy',
    Properties: { Bucket: ref(name), PolicyDocument: policyDocument(statements) },
  };
}
