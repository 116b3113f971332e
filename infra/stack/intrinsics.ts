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

/** A statement in IAM's words: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements.html */
export type Statement = Readonly<Record<string, unknown>>;

export function allow(
  Sid: string,
  Action: string | readonly string[],
  Resource: unknown,
  Condition?: object,
): Statement {
  return { Sid, Effect: 'Allow', Action, Resource, ...(Condition === undefined ? {} : { Condition }) };
}

export function policyDocument(Statement: readonly unknown[]): object {
  return { Version: '2012-10-17', Statement };
}

/** The account's own policies say who may use a key. */
export const accountDecides = {
  Sid: 'AccountDecidesByItsPolicies',
  Effect: 'Allow',
  Principal: { AWS: sub('arn:${AWS::Partition}:iam::${AWS::AccountId}:root') },
  Action: 'kms:*',
  Resource: '*',
};

/** What nobody may do, whatever a role allows. */
export function deny(
  Sid: string,
  Action: string | readonly string[],
  Resource: unknown,
  Condition?: object,
): Statement {
  return { ...allow(Sid, Action, Resource, Condition), Effect: 'Deny', Principal: '*' };
}

export function refuseWithoutTls(Action: string, Resource: unknown): Statement {
  return deny('OnlyOverTls', Action, Resource, { Bool: { 'aws:SecureTransport': 'false' } });
}

export const ofThisAccount = { 'aws:SourceAccount': ref('AWS::AccountId') };

/** What lets a service take a role. */
export function trust(service: string, Condition: object = { StringEquals: ofThisAccount }): Statement {
  return { Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole', Condition };
}

/** The name is fixed: Entra knows a run by its role's ARN, and who hands a role over names it exactly. */
export function renderRole(name: string, trusts: readonly unknown[], statements: readonly unknown[]): object {
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      RoleName: sub(`\${AWS::StackName}-${name}-\${AWS::Region}`),
      PermissionsBoundary: when('LimitsRoles', ref('PermissionsBoundary')),
      AssumeRolePolicyDocument: policyDocument(trusts),
      Policies: [{ PolicyName: name, PolicyDocument: policyDocument(statements) }],
    },
  };
}
