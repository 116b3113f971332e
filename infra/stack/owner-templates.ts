/** Templates for an account that keeps a bucket for the stack: `npm run deploy -- --owner-template report`. */
import { encryptedByS3, renderAuditBucket, renderReportBucket } from './buckets.ts';
import { getArn, sub } from './intrinsics.ts';
import { renderKey } from './key.ts';

/** What `infra/plan/deployment.ts` knows of a bucket that another account keeps. */
export interface OwnerTemplateInput {
  readonly bucket: string;
  /** Ends with a slash unless it is empty. */
  readonly prefix: string;
  /** The account of the stack. */
  readonly account: string;
  readonly nightRole: string;
  readonly deployers: readonly string[];
  readonly audit: { readonly mode: string; readonly days: string };
  readonly servesTenants: boolean;
}

/** A template for the account that keeps the report bucket, with a key of its own. */
export function renderReportOwnerTemplate(input: OwnerTemplateInput): object {
  const { bucket, prefix, account, nightRole, deployers, servesTenants } = input;
  const user = toAccountArn(account);
  const key = getArn('Key');
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: `The report bucket of Muster, for account ${account}`,
    Parameters: {
      ReportBucketName: { Type: 'String', Default: bucket },
      StorePrefix: { Type: 'String', Default: prefix },
    },
    Resources: {
      Key: renderKey('The report bucket of Muster', [
        {
          Sid: 'AccountOfTheRunsUsesItThroughS3',
          Effect: 'Allow',
          Principal: { AWS: user },
          Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
          Resource: '*',
          Condition: { StringEquals: { 'kms:ViaService': sub('s3.${AWS::Region}.amazonaws.com') } },
        },
      ]),
      ...renderReportBucket({ nightRole, deployers, key, servesTenants, user }),
    },
    Outputs: { Key: { Value: key, Description: 'For aws.reportBucket.key in muster.yaml' } },
  };
}

/** A template for the account that keeps the audit bucket. */
export function renderAuditOwnerTemplate(input: OwnerTemplateInput): object {
  const { mode, days } = input.audit;
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: `The audit bucket of Muster, for account ${input.account}`,
    Parameters: {
      AuditBucketName: { Type: 'String', Default: input.bucket },
      AuditPrefix: { Type: 'String', Default: input.prefix },
      AuditMode: { Type: 'String', Default: mode },
      AuditDays: { Type: 'Number', Default: days },
    },
    Resources: renderAuditBucket({
      nightRole: input.nightRole,
      encryption: encryptedByS3,
      servesTenants: input.servesTenants,
      user: toAccountArn(input.account),
    }),
  };
}

function toAccountArn(account: string): unknown {
  return sub(`arn:\${AWS::Partition}:iam::${account}:root`);
}
