/**
 * The stack's own resources, made without packaging, which takes seconds, with all values as CloudFormation would have them:
 * references and texts put together. `stack.test.ts` compares them with what osls makes.
 */
import { defaultStack } from '../../infra/plan/describe-stack.ts';
import { extendFunction, renderStack } from '../../infra/stack/stack.ts';
import type { StackSettings } from '../../infra/stack/stack-settings.ts';
import type { PolicyDocument } from './policy.ts';

export type Resources = Readonly<Record<string, Resource>>;

/** Those that these settings ask for, all values resolved. */
export function makeStack(stack: StackSettings = defaultStack): Resources {
  return resolveTemplate(readTemplate(stack));
}

export function readTemplate(stack: StackSettings = defaultStack): Template {
  const { Resources, Outputs } = renderStack(stack);
  const { NightLambdaFunction } = extendFunction(stack);
  return {
    Resources: { NightLambdaFunction: { Type: 'AWS::Lambda::Function', ...NightLambdaFunction }, ...Resources },
    Outputs,
  } as Template;
}

/** The template that osls makes, from what it makes of the function with the default settings. */
export function completeTemplate(stack: StackSettings, made: Template): Template {
  const extensions = Object.entries(extendFunction(stack)).map(([name, { Properties }]) => [
    name,
    { ...made.Resources[name], Properties: Object.assign({}, made.Resources[name]?.Properties, Properties) },
  ]);
  const ofOsls = Object.entries(made.Resources).filter(([name]) => /^(Night(L|LambdaEv)|Serverless)/.test(name));
  const { Resources, Outputs } = renderStack(stack);
  return { Resources: { ...Object.fromEntries([...ofOsls, ...extensions]), ...Resources }, Outputs } as Template;
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

interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly Properties?: unknown;
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, unknown>>;
  readonly Parameters?: Readonly<
    Record<string, { readonly Type: string; readonly Default?: string; readonly Description?: string }>
  >;
}

const pseudo: Readonly<Record<string, unknown>> = {
  'AWS::Region': 'eu-west-1',
  'AWS::Partition': 'aws',
  'AWS::StackName': 'muster-prod',
};

const ownAccount = '123456789012';

/** A value that stands beside the template's resources. */
export function resolveValue(template: Template, value: unknown): unknown {
  return resolver(template, ownAccount)(value);
}

export function resolveTemplate(template: Template, account = ownAccount): Readonly<Record<string, Resource>> {
  const resolve = resolver(template, account);
  const resources = Object.entries(template.Resources);
  return Object.fromEntries(
    resources.map(([name, resource]) => [name, { ...resource, Properties: resolve(resource.Properties) }]),
  );
}

function resolver(template: Template, account: string): (value: unknown) => unknown {
  const reference = (name: string): unknown => {
    if (name === 'AWS::AccountId') {
      return account;
    }
    if (name in pseudo) {
      return pseudo[name];
    }
    const parameter = template.Parameters?.[name];
    if (parameter === undefined) {
      return idOf(name, template.Resources[name]);
    }
    const value = parameter.Default ?? '';
    return parameter.Type === 'CommaDelimitedList' ? value.split(',') : value;
  };
  const attribute = (name: string, of: string): string => {
    if (of === 'Arn') {
      return arnOf(name, template.Resources[name], resolve);
    }
    return `${name}.${of}`;
  };
  const substitute = (text: string): string =>
    text.replace(/\$\{(!?)([^}]+)\}/g, (_whole, literal: string, name: string) => {
      if (literal !== '') {
        return `\${${name}}`;
      }
      const [resource = '', of] = name.split('.');
      return of === undefined ? String(reference(resource)) : attribute(resource, of);
    });
  const functions: Readonly<Record<string, (given: unknown) => unknown>> = {
    Ref: (given) => reference(String(given)),
    'Fn::GetAtt': (given) =>
      attribute(...((Array.isArray(given) ? given : String(given).split('.')) as [string, string])),
    'Fn::Sub': (given) => substitute(String(given)),
    'Fn::Base64': (given) => Buffer.from(String(resolve(given))).toString('base64'),
    'Fn::Join': (given) => {
      const [between, parts] = given as [string, unknown];
      return (resolve(parts) as unknown[]).join(between);
    },
  };
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      return value.map(resolve);
    }
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    const [first, ...others] = Object.entries(value);
    const evaluate = first && others.length === 0 ? functions[first[0]] : undefined;
    if (evaluate && first) {
      return evaluate(first[1]);
    }
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, item]) => [key, resolve(item)] as const)
        .filter(([, item]) => item !== undefined),
    );
  };
  return resolve;
}

/** What `Ref` gives: of these types a name, an ARN or an address. */
function idOf(name: string, resource: Resource | undefined): string {
  if (resource === undefined) {
    throw new Error(`the template has no ${name}`);
  }
  return resource.Type === 'AWS::SNS::Topic' ? `arn:aws:sns:eu-west-1:123456789012:${name}` : name;
}

function arnOf(name: string, resource: Resource | undefined, resolve: (value: unknown) => unknown): string {
  const properties = (resource?.Properties ?? {}) as Readonly<Record<string, unknown>>;
  if (resource?.Type === 'AWS::IAM::Role') {
    return `arn:aws:iam::123456789012:role/${String(resolve(properties.RoleName ?? name))}`;
  }
  if (resource?.Type === 'AWS::S3::Bucket') {
    return `arn:aws:s3:::${String(resolve(properties.BucketName ?? name))}`;
  }
  const service = resource?.Type.split('::')[1]?.toLowerCase() ?? '';
  return `arn:aws:${service}:eu-west-1:123456789012:${name}`;
}
