/**
 * `aws.tenants`: the stack's part for many tenants, beside the deployment's own run. Everything of it is here and in
 * `tenant-machine.ts`, so that a stack without tenants has nothing of it. Off by default.
 */
import { readFileSync } from 'node:fs';
import { tenantSecretsFolder, tenantSettingsFolder, tenantStoresFolder } from '../src/settings/tenants.ts';
import { getArn, ref, sub, when } from './intrinsics.ts';
import { renderTenantTables } from './query-tables.ts';
import { expressionSeparator, renderSchedule } from './starts.ts';
import { readTask, type Task } from './task.ts';
import { renderTenantMachine, type Tenants, type TenantsInput } from './tenant-machine.ts';

type Resources = Readonly<Record<string, object>>;

interface Statement {
  readonly Sid: string;
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: unknown;
  readonly Condition?: object;
}

/** Parameters as `infra/tenant-plan.ts` makes them; nothing where there are no tenants. */
export function renderTenants(parameters: Readonly<Record<string, string>>, database: string): Resources {
  const tenants = readTenants(parameters);
  if (tenants === undefined) {
    return {};
  }
  const task = readTask(parameters);
  return {
    TenantMachine: renderStateMachine(tenants, task),
    TenantMachineRole: renderMachineRole(task),
    TenantRunPolicy: renderPolicy('NightRole', 'tenants', listRunStatements(tenants, Boolean(parameters.auditBucket))),
    TenantStartPolicy: renderPolicy('ScheduleRole', 'tenants', [
      allow('StartTenants', ['states:StartExecution'], machineArn),
    ]),
    ...renderStarts(parameters.healingExpressions ?? ''),
    ...alarms,
    ...renderTenantTables(database, tenants.names),
    TenantReaderPolicy: renderReaderPolicy(),
    CoverageOfTenantsQuery: {
      Type: 'AWS::Athena::NamedQuery',
      Properties: {
        Name: 'All tenants',
        Description: 'The latest run of each tenant within seven days: its date, coverage and soundness',
        Database: ref('ReportDatabase'),
        WorkGroup: ref('ReportWorkGroup'),
        QueryString: readFileSync(new URL('queries/all-tenants.sql', import.meta.url), 'utf8'),
      },
    },
  };
}

function readTenants(parameters: Readonly<Record<string, string>>): Tenants | undefined {
  const { tenants = '', tenantsConcurrency, tenantsSha256 = '', tenantAudiences = '', tenantPartition } = parameters;
  return tenants === ''
    ? undefined
    : {
        ...{ names: tenants.split(','), concurrency: Number(tenantsConcurrency), sha256: tenantsSha256 },
        audiences: tenantAudiences.split(',').filter((audience) => audience !== ''),
        partition: tenantPartition || 'aws',
      };
}

const name = '${AWS::StackName}-tenants';
const arn = (service: string, resource: string) =>
  sub(`arn:\${AWS::Partition}:${service}:\${AWS::Region}:\${AWS::AccountId}:${resource}`);
const machineArn = arn('states', `stateMachine:${name}`);
const inReports = (path = '') => sub(`arn:\${AWS::Partition}:s3:::\${ReportBucketName}${path}`);
const inAudit = (path: string) => sub(`arn:\${AWS::Partition}:s3:::\${AuditBucketName}${path}`);
const ofReportAccount = {
  'aws:ResourceAccount': when('MakesReportBucket', ref('AWS::AccountId'), ref('ReportBucketOwner')),
};

function allow(Sid: string, Action: readonly string[], Resource: unknown, Condition?: object): Statement {
  return { Sid, Effect: 'Allow', Action, Resource, ...(Condition === undefined ? {} : { Condition }) };
}

function renderPolicy(role: string, PolicyName: string, statements: readonly Statement[]): object {
  return {
    Type: 'AWS::IAM::Policy',
    Properties: {
      PolicyName,
      Roles: [ref(role)],
      PolicyDocument: { Version: '2012-10-17', Statement: statements },
    },
  };
}

/** What a store needs, below the folder of all tenants' stores; `infra/roles.yml` has the same for the deployment's own. */
function listRunStatements({ audiences }: Tenants, keepsAudit: boolean): readonly Statement[] {
  const inStores = (path: string) => inReports(`/${tenantStoresFolder}*/${path}`);
  const dated = [
    ...['devices', 'not-installed', 'changes', 'groups', 'coverage', 'coverage-by', 'exemptions', 'deployment'],
    ...['findings', 'report'],
  ];
  const condition = { StringEquals: ofReportAccount };
  return [
    allow(
      'KeepTenantRuns',
      ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
      [inStores('runs/*'), ...dated.map((folder) => inStores(`${folder}/date=*`)), inStores('.probe/*')],
      condition,
    ),
    allow(
      'MoveTenantPointers',
      ['s3:GetObject', 's3:PutObject'],
      [inStores('latest.json'), inStores('latest/*')],
      condition,
    ),
    allow('ListTenantStores', ['s3:ListBucket'], inReports(), {
      StringEquals: ofReportAccount,
      StringLike: { 's3:prefix': `${tenantStoresFolder}*` },
    }),
    ...(keepsAudit
      ? [
          allow(
            'KeepTenantManifests',
            ['s3:GetObject', 's3:PutObject'],
            inAudit(`/${tenantStoresFolder}*/runs/*/manifest.json`),
            {
              StringEquals: {
                'aws:ResourceAccount': when('MakesAuditBucket', ref('AWS::AccountId'), ref('AuditBucketOwner')),
              },
            },
          ),
        ]
      : []),
    allow(
      'ReadTenantSecrets',
      ['secretsmanager:GetSecretValue'],
      arn('secretsmanager', `secret:${tenantSecretsFolder}*`),
    ),
    allow('ReadTenantParameters', ['ssm:GetParameter'], arn('ssm', `parameter/${tenantSecretsFolder}*`)),
    ...(audiences.length === 0
      ? []
      : [
          allow('GetTokenForTenants', ['sts:GetWebIdentityToken'], '*', {
            'ForAllValues:StringEquals': { 'sts:IdentityTokenAudience': audiences },
            Null: { 'sts:IdentityTokenAudience': 'false' },
          }),
        ]),
  ];
}

function renderStateMachine(tenants: Tenants, task: Task | undefined): object {
  const ofTask = { Cluster: getArn('TaskCluster'), TaskDefinition: ref('TaskDefinition') };
  return {
    Type: 'AWS::StepFunctions::StateMachine',
    Properties: {
      StateMachineName: sub(name),
      StateMachineType: 'STANDARD',
      RoleArn: getArn('TenantMachineRole'),
      Definition: renderTenantMachine(tenants, task),
      DefinitionSubstitutions: {
        Bucket: ref('ReportBucketName'),
        ...(task === undefined ? { Function: getArn('NightLambdaFunction') } : ofTask),
      },
    },
  };
}

function renderMachineRole(task: Task | undefined): object {
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      PermissionsBoundary: when('LimitsRoles', ref('PermissionsBoundary')),
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: { Service: 'states.amazonaws.com' },
            Action: 'sts:AssumeRole',
            Condition: {
              StringEquals: { 'aws:SourceAccount': ref('AWS::AccountId') },
              ArnLike: { 'aws:SourceArn': machineArn },
            },
          },
        ],
      },
      Policies: [
        {
          PolicyName: 'map',
          PolicyDocument: {
            Version: '2012-10-17',
            Statement: [
              allow('ListTenants', ['s3:ListBucket'], inReports(), {
                StringEquals: { ...ofReportAccount, 's3:prefix': tenantSettingsFolder },
              }),
              allow('StartChildren', ['states:StartExecution'], machineArn),
              allow(
                'WatchChildren',
                ['states:DescribeExecution', 'states:StopExecution'],
                arn('states', `execution:${name}/*`),
              ),
              ...(task === undefined
                ? [allow('RunTenant', ['lambda:InvokeFunction'], getArn('NightLambdaFunction'))]
                : taskStatements),
            ],
          },
        },
      ],
    },
  };
}

const ofCluster = { ArnEquals: { 'ecs:cluster': arn('ecs', 'cluster/${AWS::StackName}') } };

/** https://docs.aws.amazon.com/step-functions/latest/dg/connect-ecs.html#connect-iam-policies */
const taskStatements = [
  allow('RunTenant', ['ecs:RunTask'], arn('ecs', 'task-definition/${AWS::StackName}:*'), ofCluster),
  allow('WatchTask', ['ecs:StopTask', 'ecs:DescribeTasks'], arn('ecs', 'task/${AWS::StackName}/*'), ofCluster),
  allow(
    'GiveTaskItsRoles',
    ['iam:PassRole'],
    [
      getArn('NightRole'),
      sub('arn:${AWS::Partition}:iam::${AWS::AccountId}:role/${AWS::StackName}-TaskExecutionRole-*'),
    ],
    { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } },
  ),
  allow(
    'HearOfTask',
    ['events:PutTargets', 'events:PutRule', 'events:DescribeRule'],
    arn('events', 'rule/StepFunctionsGetEventsForECSTaskRule'),
  ),
];

/** The same times as the deployment's own run. The last start of a slot fails while a tenant is still incomplete. */
function renderStarts(healing: string): Resources {
  const expressions = healing.split(expressionSeparator).filter((expression) => expression !== '');
  const night = (mustBeComplete: boolean): TenantsInput => ({
    ...{ command: 'run', event: { scheduledTime }, scheduledTime, mustBeComplete },
  });
  const verification: TenantsInput = {
    ...{ command: 'verify', event: { verify: true }, scheduledTime, mustBeComplete: true },
  };
  const target = (input: TenantsInput) => ({ Arn: ref('TenantMachine'), Input: JSON.stringify(input) });
  const heals = expressions.map((expression, index) => [
    `TenantHealingSchedule${index + 1}`,
    renderSchedule(
      'Asks sources of tenants that could not be read again, for the same slot',
      expression,
      target(night(index === expressions.length - 1)),
    ),
  ]);
  return {
    TenantSchedule: renderSchedule(
      'Starts the runs of all tenants',
      ref('ScheduleExpression'),
      target(night(expressions.length === 0)),
    ),
    ...Object.fromEntries(heals),
    TenantVerifySchedule: renderSchedule(
      'Verifies every kept run of all tenants',
      ref('VerifyExpression'),
      target(verification),
    ),
  };
}

const scheduledTime = '<aws.scheduler.scheduled-time>';

const executions = (MetricName: string, Period: number) => ({
  Metric: {
    Namespace: 'AWS/States',
    MetricName,
    Dimensions: [{ Name: 'StateMachineArn', Value: ref('TenantMachine') }],
  },
  Period,
  Stat: 'Sum',
});

const alarmed = { AlarmActions: [ref('AlertTopic')], OKActions: [ref('AlertTopic')] };

const alarms: Resources = {
  TenantsFailedAlarm: {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmName: sub(`${name}-failed`),
      AlarmDescription:
        'A start of all tenants failed: the runs of some ended with an error, or are still incomplete after the last healing. The execution names them. See docs/aws.md (Many tenants).',
      Metrics: [
        ...['Failed', 'TimedOut', 'Aborted'].map((word) => ({
          ...{ Id: word.toLowerCase(), ReturnData: false, MetricStat: executions(`Executions${word}`, 300) },
        })),
        {
          Id: 'unsuccessful',
          Expression: 'FILL(failed, 0) + FILL(timedout, 0) + FILL(aborted, 0)',
          Label: 'Executions that did not succeed',
          ReturnData: true,
        },
      ],
      EvaluationPeriods: 1,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Threshold: 1,
      TreatMissingData: 'notBreaching',
      ...alarmed,
    },
  },
  TenantsSilenceAlarm: {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmName: sub(`${name}-not-all-published`),
      AlarmDescription: sub(
        'For ${SilenceHours} hours, no start of all tenants ended well for all of them. See docs/aws.md (Many tenants).',
      ),
      Metrics: [
        { Id: 'succeeded', ReturnData: false, MetricStat: executions('ExecutionsSucceeded', 3600) },
        // As for the deployment's own runs: for missing hours, CloudWatch would look further back.
        {
          Id: 'filled',
          Expression: 'FILL(succeeded, 0)',
          Label: 'Executions that succeeded an hour',
          ReturnData: true,
        },
      ],
      EvaluationPeriods: ref('SilenceHours'),
      DatapointsToAlarm: ref('SilenceHours'),
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
      TreatMissingData: 'breaching',
      ...alarmed,
    },
  },
};

/** Beside the policy for readers: what it grants in the deployment's own store, in all tenants' stores. */
function renderReaderPolicy(): object {
  return {
    Type: 'AWS::IAM::ManagedPolicy',
    Properties: {
      ManagedPolicyName: sub(`${name}-reader-\${AWS::Region}`),
      Description: sub('Reads the reports of all tenants of ${AWS::StackName}, beside its reader policy'),
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          allow(
            'ReadTenantReports',
            ['s3:GetObject'],
            [inReports(`/${tenantStoresFolder}*/latest/*`), inReports(`/${tenantStoresFolder}*/date=*`)],
          ),
        ],
      },
    },
  };
}
