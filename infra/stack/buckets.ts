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

/** S3 itself encrypts without a key: where a key's loss must not take the contents, or the writer can be given no key. */
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
    ReportBucketPolicy: renderBucketPolicy('ReportBucket', listReportStatements(policy)),
    ...renderAccessLogBucket(policy),
  };
}

/**
 * Who read or wrote what in the report bucket, as S3 itself writes it down: without a key, since its log delivery can be
 * given none of ours. The policy lets S3 write here and nobody of another account; it does not bind roles of this one.
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
 * A bucket in which nobody can change the commits. It is a bucket of its own, since Object Lock's default retention
 * applies to every object of a bucket; and not under the reports' key, whose loss would then take the proof as well.
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
      // No rule here expires anything: the log goes back to its first commit, also when its lock has ended.
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
