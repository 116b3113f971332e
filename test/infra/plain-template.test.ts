/** The template of a release is the stack of a deployment, with the same settings as parameters. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parameterMeanings, renderPlainTemplate } from '../../infra/plan/plain-template.ts';
import { renderParameters } from '../../infra/stack/parameters.ts';
import { defaultSchedule } from '../../src/settings/schema.ts';
import { fillBlock } from '../docs/documents.ts';
import { everySetting, parametersOf } from './example.ts';
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
const template = renderPlainTemplate(made, defaultSchedule) as Required<Template>;

/** As a person answers when CloudFormation asks. */
function answer(values: Readonly<Record<string, string | undefined>>): Template {
  const answered = Object.entries(template.Parameters).map(([name, parameter]) => [
    name,
    { ...parameter, Default: values[name] ?? parameter.Default ?? '' },
  ]);
  return { ...template, Parameters: Object.fromEntries(answered) };
}

it('makes what a deployment makes with the same settings', () => {
  const given = parametersOf(everySetting);
  const [HealingExpression1, HealingExpression2] = (given.healingExpressions ?? '').split(';');
  const ofStack = Object.entries(renderParameters(given).Parameters ?? {}).map(([name, parameter]) => [
    name,
    (parameter as { Default: string }).Default,
  ]);
  const code = { CodeBucket: 'example-releases', CodeKey: 'muster-lambda-1.0.0.zip' };
  const { NightLambdaFunction, NightLogGroup, ...ours } = resolveTemplate(
    answer({ ...Object.fromEntries(ofStack), HealingExpression1, HealingExpression2, ...code }),
  );
  const { NightLambdaFunction: _stub, ...deployed } = makeStack(given);
  expect(ours).toEqual(deployed);
  expect(NightLambdaFunction?.Properties).toEqual({
    Code: { S3Bucket: 'example-releases', S3Key: 'muster-lambda-1.0.0.zip' },
    MemorySize: 2048,
  });
  expect(NightLogGroup?.Type).toBe('AWS::Logs::LogGroup');
});

it('asks for what only a person knows, and pins the settings', () => {
  const open = Object.entries(template.Parameters).filter(([, { Default }]) => Default === undefined);
  expect(open.map(([name]) => name).sort()).toEqual([
    ...['CodeBucket', 'CodeKey', 'DeployerArns', 'ReportBucketName', 'SettingsSha256'],
  ]);
  expect(template.Parameters.SettingsSha256).toMatchObject({ AllowedPattern: '^[0-9a-f]{64}$' });
  expect(Object.keys(parameterMeanings).filter((name) => !(name in template.Parameters))).toEqual([]);
});

it('docs/aws.md explains every parameter that repeats the settings', async () => {
  const file = join(import.meta.dirname, '../../docs/aws.md');
  const rows = Object.entries(parameterMeanings).map(([name, meaning]) => {
    const value = template.Parameters[name]?.Default;
    return `| \`${name}\` | ${value === undefined ? 'required' : value === '' ? 'empty' : `\`${value}\``} | ${meaning} |`;
  });
  const table = ['| parameter | default | meaning |', '|---|---|---|', ...rows].join('\n');
  await expect(fillBlock(readFileSync(file, 'utf8'), 'parameters', table)).toMatchFileSnapshot(file);
});
