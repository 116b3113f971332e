/**
 * Makes the stack of the default settings as a CloudFormation template that needs no checkout: with the function from
 * osls, without the bucket that osls keeps for itself, and with parameters for values that a person fills in. Pure.
 */
import { ref } from '../stack/intrinsics.ts';
import { renderFunctionEnvironment, renderStack } from '../stack/stack.ts';
import type { StackSettings } from '../stack/stack-settings.ts';
import { defaultStack } from './describe-stack.ts';

type Parts = Readonly<Record<string, object>>;

/** Parameters, in the order in which the console shows them. Those without a default are required. */
export const plainParameters = {
  CodeBucket: {
    Type: 'String',
    Description: 'A bucket of yours, in the region of the stack, that has muster-lambda-VERSION.zip of the release',
  },
  CodeKey: {
    Type: 'String',
    Description: 'The key of that file. A new version needs a new key, or the function stays as it is',
  },
  ReportBucketName: {
    Type: 'String',
    AllowedPattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
    Description: 'The bucket of "store" in muster.yaml; the stack makes it',
  },
  SettingsSha256: {
    Type: 'String',
    AllowedPattern: '^[0-9a-f]{64}$',
    Description: 'The SHA-256 of muster.yaml (sha256sum muster.yaml): a run refuses another file',
  },
  DeployerArns: {
    Type: 'CommaDelimitedList',
    Description:
      'Who may write muster.yaml into the bucket: ARNs of users or roles, such as arn:aws:iam::123456789012:role/ops',
  },
  AlarmEmail: {
    Type: 'String',
    AllowedPattern: '^[^\\s@]+@[^\\s@]+$',
    Description: 'Who gets the alarms; confirms by a link in a mail',
  },
  SecretFolder: {
    Type: 'String',
    Default: 'muster/',
    AllowedPattern: '^([A-Za-z0-9_+=.@-]+/)+$',
    Description: 'The beginning of the names of all secrets (aws-secret:) and parameters (aws-ssm:) in muster.yaml',
  },
  TokenAudience: {
    Type: 'String',
    Default: 'api://AzureADTokenExchange',
    Description: 'For "federated: aws": the audience of the tokens, by the cloud of Microsoft',
  },
  ScheduleTimezone: {
    Type: 'String',
    Default: defaultStack.schedule.timezone,
    Description: '"schedule.timezone"; the run starts at 05:15 there',
  },
};

const inAccount = '${AWS::Region}:${AWS::AccountId}';

/** Stack settings whose values are the parameters. */
const plainStack: StackSettings = {
  ...defaultStack,
  reports: { ...defaultStack.reports, bucket: '${ReportBucketName}' },
  settingsSha256: '${SettingsSha256}',
  deployers: { Ref: 'DeployerArns' },
  alarmEmail: '${AlarmEmail}',
  secrets: [`arn:\${AWS::Partition}:secretsmanager:${inAccount}:secret:\${SecretFolder}*`],
  parameters: [`arn:\${AWS::Partition}:ssm:${inAccount}:parameter/\${SecretFolder}*`],
  audiences: ['${TokenAudience}'],
  schedule: { ...defaultStack.schedule, timezone: '${ScheduleTimezone}' },
};

/** Renders the template; takes only the function and its log from `made`, which osls packaged with the default settings. */
export function renderPlainTemplate(made: { readonly Resources: Parts }): object {
  const { Resources, Outputs } = renderStack(plainStack);
  const ofFunction = Object.entries(made.Resources).filter(([name]) => /^NightL(og|ambda)/.test(name));
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: 'Muster: which devices lack the endpoint agent, every night. The stack is to be called muster-prod.',
    Metadata: {
      'AWS::CloudFormation::Interface': { ParameterGroups: [{ Parameters: Object.keys(plainParameters) }] },
    },
    Parameters: plainParameters,
    Resources: {
      ...Object.fromEntries(ofFunction.map(([name, resource]) => [name, fillIn(name, resource)])),
      ...Resources,
    },
    Outputs,
  };
}

function fillIn(name: string, resource: { readonly Properties?: object }): object {
  const filledIn = {
    Code: { S3Bucket: ref('CodeBucket'), S3Key: ref('CodeKey') },
    Environment: { Variables: renderFunctionEnvironment(plainStack) },
  };
  return name === 'NightLambdaFunction'
    ? { ...resource, Properties: { ...resource.Properties, ...filledIn } }
    : resource;
}
