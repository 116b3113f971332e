/** The stack's own resources, made without packaging, which takes seconds. `stack.test.ts` compares them with what osls makes. */
import type { StackParameters } from '../../infra/stack/parameters.ts';
import { renderStack } from '../../infra/stack/stack.ts';
import type { PolicyDocument } from './policy.ts';
import { type Resource, resolveTemplate, type Template } from './resolve.ts';

export type Resources = Readonly<Record<string, Resource>>;

/** Those that exist with these parameters, all values resolved. */
export function makeStack(parameters: StackParameters = {}): Resources {
  return resolveTemplate(readTemplate(parameters));
}

export function readTemplate(parameters: StackParameters = {}): Template {
  const { Resources, ...parts } = renderStack('prod', parameters).resources;
  return { ...parts, Resources: { NightLambdaFunction: { Type: 'AWS::Lambda::Function' }, ...Resources } } as Template;
}

export function propertiesOf<Properties = Readonly<Record<string, unknown>>>(
  resources: Resources,
  name: string,
): Properties {
  const properties = resources[name]?.Properties;
  if (properties === undefined) {
    throw new Error(`the stack has no ${name}`);
  }
  return properties as Properties;
}

interface Rights {
  readonly PolicyDocument?: PolicyDocument;
  readonly Policies?: readonly { readonly PolicyDocument: PolicyDocument }[];
}

/** What a role may do, or the policy of a bucket or of readers. */
export function policyOf(resources: Resources, name: string): PolicyDocument {
  const { PolicyDocument, Policies = [] } = propertiesOf<Rights>(resources, name);
  return PolicyDocument ?? { Statement: Policies.flatMap((one) => one.PolicyDocument.Statement) };
}

export function toArn(service: string, resource: string): string {
  return `arn:aws:${service}:eu-west-1:123456789012:${resource}`;
}
