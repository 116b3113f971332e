/** The template of a release is the stack of the default settings, with parameters for what a person fills in. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { defaultStack } from '../../infra/plan/describe-stack.ts';
import { plainParameters, renderPlainTemplate } from '../../infra/plan/plain-template.ts';
import { fillBlock } from '../docs/documents.ts';
import { makeStack, resolveTemplate, type Template } from './template.ts';

const made = {
  Resources: {
    ServerlessDeploymentBucket: { Type: 'AWS::S3::Bucket' },
    NightLogGroup: { Type: 'AWS::Logs::LogGroup' },
    NightLambdaFunction: {
      Type: 'AWS::Lambda::Function',
      Properties: { Code: { S3Bucket: { Ref: 'ServerlessDeploymentBucket' } }, MemorySize: 2048 },
    },
  },
};
const template = renderPlainTemplate(made) as Required<Template>;
const given = {
  CodeBucket: 'example-releases',
  CodeKey: 'muster-lambda-1.0.0.zip',
  ReportBucketName: 'acme-muster',
  SettingsSha256: 'a'.repeat(64),
  DeployerArns: 'arn:aws:iam::123456789012:role/ops,arn:aws:iam::123456789012:user/me',
  AlarmEmail: 'ops@example.com',
  ScheduleTimezone: 'Europe/London',
};

/** As a person answers when CloudFormation asks. */
function answer(values: Readonly<Record<string, string>>): Template {
  const answered = Object.entries(template.Parameters).map(([name, parameter]) => [
    name,
    { ...parameter, Default: values[name] ?? parameter.Default ?? '' },
  ]);
  return { ...template, Parameters: Object.fromEntries(answered) };
}

it('makes the stack of the default settings with what a person fills in', () => {
  const { NightLambdaFunction, NightLogGroup, ...ours } = resolveTemplate(answer(given));
  const { NightLambdaFunction: _stub, ...expected } = makeStack({
    ...defaultStack,
    reports: { ...defaultStack.reports, bucket: given.ReportBucketName },
    deployers: given.DeployerArns.split(','),
    alarmEmail: given.AlarmEmail,
    secrets: ['arn:aws:secretsmanager:eu-west-1:123456789012:secret:muster/*'],
    parameters: ['arn:aws:ssm:eu-west-1:123456789012:parameter/muster/*'],
    audiences: ['api://AzureADTokenExchange'],
    schedule: { ...defaultStack.schedule, timezone: given.ScheduleTimezone },
  });
  expect(ours).toEqual(expected);
  expect(NightLambdaFunction?.Properties).toMatchObject({
    Code: { S3Bucket: given.CodeBucket, S3Key: given.CodeKey },
    MemorySize: 2048,
    Environment: {
      Variables: {
        MUSTER_SETTINGS: 's3://acme-muster/settings/muster.yaml',
        MUSTER_SETTINGS_SHA256: given.SettingsSha256,
      },
    },
  });
  expect(NightLogGroup?.Type).toBe('AWS::Logs::LogGroup');
});

it('uses every parameter, has no condition, and has no default for what a person must fill in', () => {
  expect(template).not.toHaveProperty('Conditions');
  const { Parameters, Metadata: _groups, ...rest } = template as Template & { readonly Metadata?: unknown };
  const text = JSON.stringify(rest);
  const unused = Object.keys(plainParameters).filter((name) => !new RegExp(`"${name}"|\\{${name}\\}`).test(text));
  expect(unused).toEqual([]);
  const open = Object.entries(Parameters ?? {}).filter(([, { Default }]) => Default === undefined);
  expect(open.map(([name]) => name).sort()).toEqual([
    ...['AlarmEmail', 'CodeBucket', 'CodeKey', 'DeployerArns', 'ReportBucketName', 'SettingsSha256'],
  ]);
});

it('docs/aws.md explains every parameter', async () => {
  const file = join(import.meta.dirname, '../../docs/aws.md');
  const rows = Object.entries(template.Parameters).map(([name, { Default, Description }]) => {
    return `| \`${name}\` | ${Default === undefined ? 'required' : `\`${Default}\``} | ${Description} |`;
  });
  const table = ['| parameter | default | meaning |', '|---|---|---|', ...rows].join('\n');
  await expect(fillBlock(readFileSync(file, 'utf8'), 'parameters', table)).toMatchFileSnapshot(file);
});
