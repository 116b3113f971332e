/** CloudFormation's functions: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/intrinsic-function-reference.html */

/** One part of the template; `infra/stack/stack.ts` puts the parts together. */
export interface TemplatePart {
  readonly Parameters?: Readonly<Record<string, object>>;
  readonly Conditions?: Readonly<Record<string, unknown>>;
  readonly Resources?: Readonly<Record<string, object>>;
  readonly Outputs?: Readonly<Record<string, object>>;
}

export const sub = (text: string): unknown => ({ 'Fn::Sub': text });

export const ref = (name: string): unknown => ({ Ref: name });

export const getArn = (resource: string): unknown => ({ 'Fn::GetAtt': [resource, 'Arn'] });

export const when = (condition: string, value: unknown, otherwise: unknown = ref('AWS::NoValue')): unknown => ({
  'Fn::If': [condition, value, otherwise],
});

/** The ARN of something in the account and region of the stack. */
export const toArn = (service: string, resource: string): unknown =>
  sub(`arn:\${AWS::Partition}:${service}:\${AWS::Region}:\${AWS::AccountId}:${resource}`);

export const inReports = (path = ''): unknown => sub(`arn:\${AWS::Partition}:s3:::\${ReportBucketName}${path}`);

export const inAudit = (path = ''): unknown => sub(`arn:\${AWS::Partition}:s3:::\${AuditBucketName}${path}`);

/** The report bucket's key: one that the settings name, or the stack's own. */
export const reportKey = when('NamesReportKey', ref('ReportKeyArn'), getArn('Key'));
