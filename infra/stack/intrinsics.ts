/** CloudFormation's functions: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/intrinsic-function-reference.html */

import type { StackSettings } from './stack-settings.ts';

export type Resources = Readonly<Record<string, object>>;

/** One part of the template; `infra/stack/stack.ts` lists the parts. */
export interface TemplatePart {
  readonly Resources?: Resources;
  readonly Outputs?: Resources;
}

/** The text itself where it names nothing; `${!…}` stands for itself. */
export const sub = (text: string): unknown =>
  /\$\{(?!!)/.test(text) ? { 'Fn::Sub': text } : text.replaceAll('${!', '${');

export const ref = (name: string): unknown => ({ Ref: name });

export const getArn = (resource: string): unknown => ({ 'Fn::GetAtt': [resource, 'Arn'] });

/** The ARN of something in the account and region of the stack. */
export const toArn = (service: string, resource: string): unknown =>
  sub(`arn:\${AWS::Partition}:${service}:\${AWS::Region}:\${AWS::AccountId}:${resource}`);

/** The ARN of a bucket, or of the objects at a path of it. */
export const inBucket = ({ bucket }: { readonly bucket: string }, path = ''): unknown =>
  sub(`arn:\${AWS::Partition}:s3:::${bucket}${path}`);

/** The report bucket's key: one that the settings name, or the stack's own for a bucket of its own. */
export function findReportKey({ reports }: StackSettings): unknown {
  return reports.key ?? (reports.owner === undefined ? getArn('Key') : undefined);
}

/** The audit bucket's key; where it is undefined, S3 itself encrypts the bucket. */
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

/** The statement, where there is a resource for it. */
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
