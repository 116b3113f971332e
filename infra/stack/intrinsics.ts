/** CloudFormation's functions: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/intrinsic-function-reference.html */

import type { StackSettings } from './stack-settings.ts';

export type Resources = Readonly<Record<string, object>>;

/** One part of the template; `infra/stack/stack.ts` lists the parts. */
export interface TemplatePart {
  readonly Resources?: Resources;
  readonly Outputs?: Resources;
}

/** A text with substitutions, or the text itself without any; `${!…}` escapes. */
export const sub = (text: string): unknown =>
  /\$\{(?!!)/.test(text) ? { 'Fn::Sub': text } : text.replaceAll('${!', '${');

export const ref = (name: string): unknown => ({ Ref: name });

export const getArn = (resource: string): unknown => ({ 'Fn::GetAtt': [resource, 'Arn'] });

/** The ARN of a resource in the stack's account and region. */
export const toArn = (service: string, resource: string): unknown =>
  sub(`arn:\${AWS::Partition}:${service}:\${AWS::Region}:\${AWS::AccountId}:${resource}`);

/** The ARN of a bucket, or of objects at a path in it. */
export const inBucket = ({ bucket }: { readonly bucket: string }, path = ''): unknown =>
  sub(`arn:\${AWS::Partition}:s3:::${bucket}${path}`);

/** The report bucket's key: the settings' or the stack's own; undefined for a bucket of another owner without a key. */
export function findReportKey({ reports }: StackSettings): unknown {
  return reports.key ?? (reports.owner === undefined ? getArn('Key') : undefined);
}

/** The audit bucket's key; undefined where S3 itself encrypts the bucket. */
export function findAuditKey({ audit }: StackSettings): unknown {
  return audit?.key === 'own' ? getArn('AuditKey') : audit?.key;
}

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

/** A statement for the resources; none without resources. */
export function allowEach(
  Sid: string,
  Action: string | readonly string[],
  resources: readonly unknown[],
  Condition?: object,
): readonly Statement[] {
  return resources.length === 0 ? [] : [allow(Sid, Action, resources, Condition)];
}

export function policyDocument(Statement: readonly unknown[]): object {
  return { Version: '2012-10-17', Statement };
}

/** Lets the account's own policies decide who may use a key. */
export const accountDecides = {
  Sid: 'AccountDecidesByItsPolicies',
  Effect: 'Allow',
  Principal: { AWS: sub('arn:${AWS::Partition}:iam::${AWS::AccountId}:root') },
  Action: 'kms:*',
  Resource: '*',
};

/** A statement that denies actions to everybody, whatever a role allows. */
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

/** A statement that lets a service assume a role. */
export function trust(service: string, Condition: object = { StringEquals: ofThisAccount }): Statement {
  return { Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole', Condition };
}

/** Renders a role with a fixed name: Entra identifies a run by its role's ARN, and rights to pass the role name it exactly. */
export function renderRole(
  { permissionsBoundary }: StackSettings,
  name: string,
  trusts: readonly unknown[],
  statements: readonly unknown[],
): object {
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      RoleName: sub(`\${AWS::StackName}-${name}-\${AWS::Region}`),
      PermissionsBoundary: permissionsBoundary,
      AssumeRolePolicyDocument: policyDocument(trusts),
      Policies: [{ PolicyName: name, PolicyDocument: policyDocument(statements) }],
    },
  };
}
