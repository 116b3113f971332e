/** What a reader needs for Athena, by its documentation, and what a deployment asks for, are granted; nothing near it is. */
import { describe, expect, it } from 'vitest';
import { renderDeployerPolicy } from '../../infra/plan/deployer-policy.ts';
import { planDeployment } from '../../infra/plan/deployment.ts';
import { tables } from '../../src/reports/tables.ts';
import { toCopyKeys } from '../../src/storage/keys.ts';
import { asTask, everySetting, everything, settingsOf, stackOf, target } from './example.ts';
import { decide, type PolicyDocument, type Request } from './policy.ts';
import { makeStack, policyOf, toArn } from './template.ts';
import { fileTables, glueViews } from './views.ts';

const resources = makeStack(everything);
const bucket = 'arn:aws:s3:::acme-muster';
const reader = 'arn:aws:iam::123456789012:role/analyst';
const key = toArn('kms', 'Key');

function ask(action: string, resource: string, context: Request['context'] = {}): Request {
  const always = { 'aws:SecureTransport': 'true', 's3:TlsVersion': '1.3', 'aws:PrincipalArn': reader };
  return { action, resource, context: { ...always, ...context } };
}

describe('a reader', () => {
  const policies = [policyOf(resources, 'ReaderPolicy')];
  const decided = (request: Request) =>
    decide(
      request.resource.startsWith(bucket) ? [...policies, policyOf(resources, 'ReportBucketPolicy')] : policies,
      request,
    );
  const workGroup = toArn('athena', 'workgroup/muster-prod');
  const catalog = toArn('athena', 'datacatalog/AwsDataCatalog');
  const throughS3 = { 'kms:ViaService': 's3.eu-west-1.amazonaws.com' };
  const underKey = {
    's3:x-amz-server-side-encryption': 'aws:kms',
    's3:x-amz-server-side-encryption-aws-kms-key-id': key,
    's3:ObjectCreationOperation': 'true',
  };

  /** https://docs.aws.amazon.com/athena/latest/ug/security-iam-athena.html and the pages below it */
  const query: readonly Request[] = [
    ask('athena:ListWorkGroups', '*'),
    ask('athena:GetWorkGroup', workGroup),
    ask('athena:ListNamedQueries', workGroup),
    ask('athena:BatchGetNamedQuery', workGroup),
    ask('athena:ListDataCatalogs', '*'),
    ask('athena:GetDataCatalog', catalog),
    ask('athena:ListTableMetadata', catalog),
    ask('athena:StartQueryExecution', workGroup),
    ask('glue:GetDatabase', toArn('glue', 'catalog')),
    ask('glue:GetDatabase', toArn('glue', 'database/default')),
    ask('glue:GetDatabase', toArn('glue', 'database/muster_prod')),
    ...[...fileTables, ...glueViews].flatMap(({ Name }) => [
      ask('glue:GetTable', toArn('glue', `table/muster_prod/${Name}`)),
      ask('glue:GetPartitions', toArn('glue', `table/muster_prod/${Name}`)),
    ]),
    ask('s3:GetBucketLocation', bucket),
    ask('s3:ListBucket', bucket, { 's3:prefix': 'prod/devices/date=2026-11-20/' }),
    ...tables.map(({ name }) => ask('s3:GetObject', `${bucket}/prod/${toCopyKeys(`${name}.csv`, '2026-11-20')[0]}`)),
    ask('kms:Decrypt', key, throughS3),
    ask('s3:PutObject', `${bucket}/query-results/a.csv`, underKey),
    ask('s3:ListMultipartUploadParts', `${bucket}/query-results/a.csv`),
    ask('s3:ListBucketMultipartUploads', bucket),
    ask('kms:GenerateDataKey', key, throughS3),
    ask('athena:GetQueryExecution', workGroup),
    ask('athena:GetQueryResults', workGroup),
    ask('s3:GetObject', `${bucket}/query-results/a.csv`),
  ];

  it('may do everything that a query needs, and take away what is latest', () => {
    const latest = ['index.html', 'muster.xlsx', 'devices.csv'].map((name) =>
      ask('s3:GetObject', `${bucket}/prod/latest/${name}`),
    );
    const refused = [...query, ...latest].filter((request) => decided(request) !== 'allowed');
    expect(refused.map(({ action, resource }) => `${action} ${resource}`)).toEqual([]);
  });

  it.each([
    ['the settings', ask('s3:GetObject', `${bucket}/settings/muster.yaml`), 'not allowed'],
    ['facts', ask('s3:GetObject', `${bucket}/prod/runs/2026-11-20/a/facts/macs.ndjson.gz`), 'not allowed'],
    ['a report changed', ask('s3:PutObject', `${bucket}/prod/latest/devices.csv`), 'not allowed'],
    [
      'results under another key',
      ask('s3:PutObject', `${bucket}/query-results/a.csv`, {
        ...underKey,
        's3:x-amz-server-side-encryption-aws-kms-key-id': 'arn:other',
      }),
      'denied',
    ],
    ['another workgroup', ask('athena:StartQueryExecution', toArn('athena', 'workgroup/primary')), 'not allowed'],
    ['other tables', ask('glue:GetTable', toArn('glue', 'table/payroll/people')), 'not allowed'],
    [
      'secrets',
      ask('secretsmanager:GetSecretValue', toArn('secretsmanager', 'secret:muster/jamf-AbCdEf')),
      'not allowed',
    ],
  ])('is refused %s', (_, request, decision) => {
    expect(decided(request)).toBe(decision);
  });
});

describe('who deploys', () => {
  const plan = (yaml: string) => {
    const { deployment } = planDeployment(settingsOf(yaml), target);
    if (deployment === undefined) {
      throw new Error('the example can be deployed');
    }
    return renderDeployerPolicy(deployment, target) as unknown as PolicyDocument;
  };
  const policy = plan(everySetting);
  const called = { 'aws:CalledVia': 'cloudformation.amazonaws.com' };
  const bounded = { 'iam:PermissionsBoundary': 'arn:aws:iam::123456789012:policy/boundary' };
  const iam = (resource: string) => `arn:aws:iam::123456789012:${resource}`;

  const roleNames: Readonly<Record<string, string>> = {
    NightRole: 'muster-prod-night-eu-west-1',
    ScheduleRole: 'muster-prod-schedule-eu-west-1',
    TaskExecutionRole: 'muster-prod-task-execution-eu-west-1',
    TenantMachineRole: 'muster-prod-tenants-eu-west-1',
  };
  const bucketNames: Readonly<Record<string, string>> = {
    AuditBucket: 'acme-muster-audit',
    AccessLogBucket: 'muster-prod-accesslogbucket-1x',
    ReportBucket: 'acme-muster',
  };

  /** The first thing that CloudFormation does for a resource of a type, with the deployer's rights. */
  const firstActions: Readonly<Record<string, (name: string) => Request>> = {
    'AWS::Athena::NamedQuery': () => ask('athena:CreateNamedQuery', toArn('athena', 'workgroup/muster-prod')),
    'AWS::Athena::WorkGroup': () => ask('athena:CreateWorkGroup', toArn('athena', 'workgroup/muster-prod')),
    'AWS::CloudWatch::Alarm': () => ask('cloudwatch:PutMetricAlarm', toArn('cloudwatch', 'alarm:muster-prod-duration')),
    'AWS::CloudWatch::Dashboard': () =>
      ask('cloudwatch:PutDashboard', 'arn:aws:cloudwatch::123456789012:dashboard/muster-prod'),
    'AWS::ECS::Cluster': () => ask('ecs:CreateCluster', toArn('ecs', 'cluster/muster-prod')),
    'AWS::ECS::TaskDefinition': () => ask('ecs:RegisterTaskDefinition', toArn('ecs', 'task-definition/muster-prod:1')),
    'AWS::Logs::LogGroup': () => ask('logs:CreateLogGroup', toArn('logs', 'log-group:/ecs/muster-prod')),
    'AWS::Events::Rule': () => ask('events:PutRule', toArn('events', 'rule/muster-prod-key-scheduled-for-deletion')),
    'AWS::Glue::Database': () => ask('glue:CreateDatabase', toArn('glue', 'database/muster_prod')),
    'AWS::Glue::Table': () => ask('glue:CreateTable', toArn('glue', 'table/muster_prod/devices')),
    'AWS::IAM::ManagedPolicy': () => ask('iam:CreatePolicy', iam('policy/muster-prod-reader-eu-west-1')),
    'AWS::IAM::Role': (name) => ask('iam:CreateRole', iam(`role/${roleNames[name]}`), bounded),
    'AWS::KMS::Alias': () => ask('kms:CreateAlias', toArn('kms', 'alias/muster-prod'), called),
    'AWS::KMS::Key': () => ask('kms:CreateKey', '*', called),
    'AWS::Lambda::Function': () => ask('lambda:CreateFunction', toArn('lambda', 'function:muster-prod-night')),
    'AWS::S3::Bucket': (name) => ask('s3:CreateBucket', `arn:aws:s3:::${bucketNames[name]}`),
    'AWS::S3::BucketPolicy': (name) =>
      ask('s3:PutBucketPolicy', `arn:aws:s3:::${bucketNames[name.replace(/Policy$/, '')]}`),
    'AWS::SNS::Subscription': () => ask('sns:Subscribe', toArn('sns', 'muster-prod-alerts')),
    'AWS::SNS::Topic': () => ask('sns:CreateTopic', toArn('sns', 'muster-prod-keys')),
    'AWS::SNS::TopicPolicy': () => ask('sns:SetTopicAttributes', toArn('sns', 'muster-prod-alerts')),
    'AWS::SQS::Queue': (name) => ask('sqs:CreateQueue', toArn('sqs', `muster-prod-${name}-1X`)),
    'AWS::SQS::QueuePolicy': () => ask('sqs:SetQueueAttributes', toArn('sqs', 'muster-prod-FailureQueue-1X')),
    'AWS::Scheduler::Schedule': (name) =>
      ask('scheduler:CreateSchedule', toArn('scheduler', `schedule/muster-prod/${name}-1X`)),
    'AWS::Scheduler::ScheduleGroup': () =>
      ask('scheduler:CreateScheduleGroup', toArn('scheduler', 'schedule-group/muster-prod')),
  };

  it.each([
    ['function', everySetting, everything],
    ['task', asTask, stackOf(asTask)],
  ])('may make every resource of the stack, as a %s', (_, yaml, parameters) => {
    const policies = [plan(yaml)];
    const refused = Object.entries(makeStack(parameters)).filter(([name, { Type }]) => {
      const first = firstActions[Type];
      if (first === undefined) {
        throw new Error(`what does CloudFormation ask for ${Type}?`);
      }
      return decide(policies, first(name)) !== 'allowed';
    });
    expect(refused.map(([name, { Type }]) => `${name} ${Type}`)).toEqual([]);
  });

  it('may upload the settings, and hand over the roles', () => {
    for (const request of [
      ask('s3:PutObject', `${bucket}/settings/muster.yaml`),
      ask('kms:GenerateDataKey', toArn('kms', 'key/1234abcd'), {
        'kms:ViaService': 's3.eu-west-1.amazonaws.com',
        'kms:EncryptionContext:aws:s3:arn': bucket,
      }),
      ask('iam:PassRole', iam(`role/${roleNames.NightRole}`), { 'iam:PassedToService': 'lambda.amazonaws.com' }),
      ask('iam:PassRole', iam(`role/${roleNames.ScheduleRole}`), { 'iam:PassedToService': 'scheduler.amazonaws.com' }),
      ask('cloudformation:UpdateTerminationProtection', toArn('cloudformation', 'stack/muster-prod/1')),
    ]) {
      expect(decide([policy], request), request.action).toBe('allowed');
    }
  });

  it.each([
    ['runs', ask('s3:GetObject', `${bucket}/prod/runs/2026-11-20/a/events.json`)],
    ['a role without the boundary', ask('iam:CreateRole', iam('role/muster-prod-night-eu-west-1'))],
    ['rights for a role without the boundary', ask('iam:PutRolePolicy', iam('role/muster-prod-night-eu-west-1'))],
    [
      'a role for a person',
      ask('iam:PassRole', iam('role/muster-prod-night-eu-west-1'), { 'iam:PassedToService': 'ec2.amazonaws.com' }),
    ],
    [
      'a role that only begins like one of the stack',
      ask('iam:PassRole', iam('role/muster-prod-other'), { 'iam:PassedToService': 'lambda.amazonaws.com' }),
    ],
    ['a key’s policy, by hand', ask('kms:PutKeyPolicy', toArn('kms', 'key/other'))],
    [
      'what a key encrypts elsewhere',
      ask('kms:Decrypt', toArn('kms', 'key/other'), {
        'kms:ViaService': 's3.eu-west-1.amazonaws.com',
        'kms:EncryptionContext:aws:s3:arn': 'arn:aws:s3:::payroll',
      }),
    ],
    ['secrets', ask('secretsmanager:GetSecretValue', toArn('secretsmanager', 'secret:muster/jamf-AbCdEf'))],
  ])('is refused %s', (_, request) => {
    expect(decide([policy], request)).toBe('not allowed');
  });

  it('needs no right on buckets of another account but to write the settings', () => {
    const elsewhere = plan(`${everySetting}  reportBucket: { owner: "210987654321" }\n`);
    expect(decide([elsewhere], ask('s3:PutBucketPolicy', bucket))).toBe('not allowed');
    expect(decide([elsewhere], ask('s3:PutObject', `${bucket}/settings/muster.yaml`))).toBe('allowed');
  });

  it('fits into one managed policy', () => {
    expect(JSON.stringify(policy).length).toBeLessThan(6144);
    expect(JSON.stringify(plan(asTask)).length).toBeLessThan(6144);
  });
});
