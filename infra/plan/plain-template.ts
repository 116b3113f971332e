/**
 * The stack as a CloudFormation template that needs no checkout: the same as a deployment's, with the function as osls
 * makes it, without the bucket that osls keeps for itself, and with parameters for what only a person knows. Pure.
 */
import type { HealedSchedule } from '../../src/settings/schedule/later-starts.ts';
import { ref } from '../stack/intrinsics.ts';
import { renderStack } from '../stack/stack.ts';
import { expressionSeparator } from '../stack/starts.ts';
import { translate } from './schedule.ts';

type Parts = Readonly<Record<string, object>>;

/** What `npm run deploy` reads from muster.yaml, in the order in which a person is asked. */
export const parameterMeanings: Readonly<Record<string, string>> = {
  CodeBucket: 'A bucket of yours, in the region of the stack, that has muster-lambda-VERSION.zip of the release',
  CodeKey: 'The key of that file. A new version needs a new key, or the function stays as it is',
  ReportBucketName: 'The bucket of "store" in muster.yaml; the stack makes it',
  SettingsSha256: 'The SHA-256 of muster.yaml (sha256sum muster.yaml): a run refuses another file',
  DeployerArns:
    'Who may write muster.yaml into the bucket: ARNs of users or roles, such as arn:aws:iam::123456789012:role/ops',
  AlarmEmail: 'Who gets the alarms; confirms by a link in a mail',
  StorePrefix: 'The prefix of "store", with a slash at its end; empty where it has none',
  SecretArns:
    'The secrets that muster.yaml names as aws-secret:, as ARNs; ?????? stands for the end that AWS gives a name',
  ParameterArns: 'The parameters that muster.yaml names as aws-ssm:, as ARNs',
  TokenAudiences: 'api://AzureADTokenExchange where a source or a channel has "federated: aws"',
  DocumentArns: 'Lists of machines and other files that the settings name in buckets',
  TopicArns: 'The topics of channels of the type sns',
  EventBusArns: 'The buses of channels of the type eventbridge, as ARNs',
  ScheduleExpression: 'The time of "schedule.cron", as EventBridge writes it',
  ScheduleTimezone: '"schedule.timezone"',
  HealingExpression1: 'Two hours after the run, for sources that could not be read',
  HealingExpression2: 'Five hours after the run, for the same',
  VerifyExpression: 'Once a week, for the verification',
  SilenceHours:
    'The alarm rings when no run was published for so long: the longest gap between two runs, and two hours',
  TableDays: 'So many days are in the query tables: "retention.nights" and a month',
  AuditBucketName: 'The bucket of "audit"; empty where there is none',
  AuditPrefix: 'The prefix of "audit", with a slash at its end',
  AuditMode: 'How commits in it are locked',
  AuditDays: 'For how long',
  SigningKeyArn: 'The key of "signing", without kms:',
};

/** Nobody else can know these, so they have no default. */
const required: readonly string[] = ['ReportBucketName', 'SettingsSha256', 'DeployerArns'];
const pinned: Readonly<Record<string, object>> = { SettingsSha256: { AllowedPattern: '^[0-9a-f]{64}$' } };

/** `made` is what osls packages; of it only the function and its log are taken. */
export function renderPlainTemplate(made: { readonly Resources: Parts }, schedule: HealedSchedule): object {
  const translated = translate(schedule);
  const healing = 'healing' in translated ? translated.healing : [];
  const stack = renderStack('prod', { healingExpressions: healing.join(expressionSeparator) }).resources;
  const parameters: Parts = {
    CodeBucket: { Type: 'String' },
    CodeKey: { Type: 'String' },
    ...Object.fromEntries(
      healing.map((Default, index) => [`HealingExpression${index + 1}`, { Type: 'String', Default }]),
    ),
    ...stack.Parameters,
  };
  const resources: Parts = { ...pickFunction(made.Resources), ...stack.Resources };
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: 'Muster: which devices lack the endpoint agent, every night. The stack is to be called muster-prod.',
    Metadata: {
      'AWS::CloudFormation::Interface': { ParameterGroups: [{ Parameters: Object.keys(parameterMeanings) }] },
    },
    Parameters: mapParts(parameters, describeParameter),
    Conditions: stack.Conditions,
    Resources: mapParts(resources, nameParameters),
    Outputs: stack.Outputs,
  };
}

function pickFunction(resources: Parts): Parts {
  return Object.fromEntries(Object.entries(resources).filter(([name]) => /^NightL(og|ambda)/.test(name)));
}

function mapParts(parts: Parts, change: (name: string, part: object) => object): Parts {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, change(name, part)]));
}

function describeParameter(name: string, parameter: { readonly Default?: unknown }): object {
  const { Default, ...rest } = parameter;
  return {
    ...rest,
    ...(Default === undefined || required.includes(name) ? {} : { Default }),
    ...(parameterMeanings[name] === undefined ? {} : { Description: parameterMeanings[name] }),
    ...pinned[name],
  };
}

function nameParameters(name: string, resource: { readonly Properties?: object }): object {
  const change = (properties: object) => ({ ...resource, Properties: { ...resource.Properties, ...properties } });
  if (name === 'NightLambdaFunction') {
    return change({ Code: { S3Bucket: ref('CodeBucket'), S3Key: ref('CodeKey') } });
  }
  return name.startsWith('HealingSchedule')
    ? change({ ScheduleExpression: ref(name.replace('Schedule', 'Expression')) })
    : resource;
}
