/** Policies in IAM's words: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements.html */
import { ref, sub, when } from './intrinsics.ts';

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

interface Role {
  readonly name?: unknown;
  readonly trusts: readonly unknown[];
  readonly policy: string;
  readonly statements: readonly unknown[];
}

export function renderRole({ name, trusts, policy, statements }: Role): object {
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      ...(name === undefined ? {} : { RoleName: name }),
      PermissionsBoundary: when('LimitsRoles', ref('PermissionsBoundary')),
      AssumeRolePolicyDocument: policyDocument(trusts),
      Policies: [{ PolicyName: policy, PolicyDocument: policyDocument(statements) }],
    },
  };
}
