/** Templates for an account that keeps a bucket for the stack: `npm run deploy -- --owner-template report`. */
import { renderAuditBucket, renderReportBucket } from './buckets.ts';
import { getArn, sub } from './intrinsics.ts';
import { renderKey } from './key.ts';
import type { AuditPlace, BucketPlace } from './stack-settings.ts';

/** Facts of a deployment (`infra/plan/deployment.ts`) about a bucket that another account keeps. */
export interface OwnerTemplateInput {
  readonly place: BucketPlace;
  /** The account of the stack. */
  readonly account: string;
  readonly nightRole: string;
  readonly deployers: readonly string[];
  /** The lock of the audit bucket. */
  readonly lock: Pick<AuditPlace, 'mode' | 'days'>;
  readonly servesTenants: boolean;
}

/** A template for the account that keeps the report bucket, with a key of its own. */
export function renderReportOwnerTemplate(input: OwnerTemplateInput): object {
  const { place, account, nightRole, deployers, servesTenants } = input;
  const user = toAccountArn(account);
  const key = getArn('Key');
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: `The report bucket of Muster, for account ${account}`,
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
      ...renderReportBucket({ place, nightRole, deployers, key, servesTenants, user }),
    },
    Outputs: { Key: { Value: key, Description: 'For aws.reportBucket.key in muster.yaml' } },
  };
}

/** A template for the account that keeps the audit bucket. */
export function renderAuditOwnerTemplate(input: OwnerTemplateInput): object {
  const { place, account, nightRole, lock, servesTenants } = input;
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: `The audit bucket of Muster, for account ${account}`,
    Resources: renderAuditBucket({ place, nightRole, lock, servesTenants, user: toAccountArn(account) }),
  };
}

function toAccountArn(account: string): unknown {
  return sub(`arn:\${AWS::Partition}:iam::${account}:root`);
}
