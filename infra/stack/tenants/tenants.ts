/**
 * `aws.tenants`: the stack's part for many tenants, beside the deployment's own run. Everything of it is here and in
 * `machine.ts`, so that a stack without tenants has nothing of it. Off by default.
 */
import { tenantSecretsFolder, tenantSettingsFolder, tenantStoresFolder } from '../../../src/settings/tenants.ts';
import {
  allow,
  getArn,
  inAudit,
  inReports,
  ofThisAccount,
  policyDocument,
  ref,
  renderRole,
  type Statement,
  sub,
  type TemplatePart,
  toArn,
  trust,
} from '../intrinsics.ts';
import { renderAlarm, whenSilent } from '../monitoring.ts';
import type { StackParameters } from '../parameters.ts';
import { renderQuery, tenantsQuery } from '../queries/queries.ts';
import { renderReaderPolicy } from '../queries/readers.ts';
import { renderTenantTables } from '../queries/tables.ts';
import { getTokens, listStoreStatements, ofAuditAccount, ofReportAccount } from '../roles.ts';
import { renderSchedule, splitExpressions } from '../starts.ts';
import { giveTaskItsRoles, ofCluster, readTask, runTask, type Task } from '../task.ts';
import { renderTenantMachine, type Tenants, type TenantsInput } from './machine.ts';

type Resources = Readonly<Record<string, object>>;

/** `parameters` are those that `infra/plan/tenant-plan.ts` makes; without tenants there is nothing to render. */
export function renderTenants(parameters: StackParameters, database: string): TemplatePart {
  const tenants = readTenants(parameters);
  if (tenants === undefined) {
    return {};
  }
  const task = readTask(parameters);
  return {
    Resources: {
      TenantMachine: renderStateMachine(tenants, task),
      TenantMachineRole: renderMachineRole(task),
      TenantRunPolicy: renderPolicy('NightRole', listRunStatements(tenants, Boolean(parameters.auditBucket))),
      TenantStartPolicy: renderPolicy('ScheduleRole', [allow('StartTenants', 'states:StartExecution', machineArn)]),
      ...renderStarts(parameters.healingExpressions ?? ''),
      ...alarms,
      ...renderTenantTables(database, tenants.names),
      TenantReaderPolicy: renderReaderPolicy(
        sub(`${name}-reader-\${AWS::Region}`),
        sub('Reads the reports of all tenants of ${AWS::StackName}, beside its reader policy'),
        [allow('ReadTenantReports', 's3:GetObject', [inStores('latest/*'), inStores('date=*')])],
      ),
      [tenantsQuery.resource]: renderQuery(tenantsQuery),
    },
  };
}

function readTenants(parameters: StackParameters): Tenants | undefined {
  const { tenants = '', tenantsConcurrency, tenantsSha256 = '', tenantAudiences = '', tenantPartition } = parameters;
  return tenants === ''
    ? undefined
    : {
        names: tenants.split(','),
        concurrency: Number(tenantsConcurrency),
        sha256: tenantsSha256,
        audiences: tenantAudiences.split(',').filter((audience) => audience !== ''),
        partition: tenantPartition || 'aws',
      };
}

const name = '${AWS::StackName}-tenants';
const machineArn = toArn('states', `stateMachine:${name}`);
const inStores = (path: string) => inReports(`/${tenantStoresFolder}*/${path}`);

function renderPolicy(role: string, statements: readonly Statement[]): object {
  return {
    Type: 'AWS::IAM::Policy',
    Properties: { PolicyName: 'tenants', Roles: [ref(role)], PolicyDocument: policyDocument(statements) },
  };
}

/** The rights of a run on its store, for the stores of all tenants; and their secrets. */
function listRunStatements({ audiences }: Tenants, keepsAudit: boolean): readonly Statement[] {
  const commits = inAudit(`/${tenantStoresFolder}*/commits/*`);
  return [
    ...listStoreStatements('KeepTenantRuns', 'KeepTenantLogs', `/${tenantStoresFolder}*/`),
    allow('ListTenantStores', 's3:ListBucket', inReports(), {
      StringEquals: ofReportAccount,
      StringLike: { 's3:prefix': `${tenantStoresFolder}*` },
    }),
    ...(keepsAudit
      ? [allow('KeepTenantCommits', ['s3:GetObject', 's3:PutObject'], commits, { StringEquals: ofAuditAccount })]
      : []),
    allow(
      'ReadTenantSecrets',
      'secretsmanager:GetSecretValue',
      toArn('secretsmanager', `secret:${tenantSecretsFolder}*`),
    ),
    allow('ReadTenantParameters', 'ssm:GetParameter', toArn('ssm', `parameter/${tenantSecretsFolder}*`)),
    ...(audiences.length === 0 ? [] : [getTokens('GetTokenForTenants', audiences)]),
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
  return renderRole(
    'tenants',
    [trust('states.amazonaws.com', { StringEquals: ofThisAccount, ArnLike: { 'aws:SourceArn': machineArn } })],
    [
      allow('ListTenants', 's3:ListBucket', inReports(), {
        StringEquals: { ...ofReportAccount, 's3:prefix': tenantSettingsFolder },
      }),
      allow('StartChildren', 'states:StartExecution', machineArn),
      allow(
        'WatchChildren',
        ['states:DescribeExecution', 'states:StopExecution'],
        toArn('states', `execution:${name}/*`),
      ),
      ...(task === undefined
        ? [allow('RunTenant', 'lambda:InvokeFunction', getArn('NightLambdaFunction'))]
        : taskStatements),
    ],
  );
}

/** https://docs.aws.amazon.com/step-functions/latest/dg/connect-ecs.html#connect-iam-policies */
const taskStatements = [
  runTask('RunTenant'),
  allow('WatchTask', ['ecs:StopTask', 'ecs:DescribeTasks'], toArn('ecs', 'task/${AWS::StackName}/*'), ofCluster),
  giveTaskItsRoles,
  allow(
    'HearOfTask',
    ['events:PutTargets', 'events:PutRule', 'events:DescribeRule'],
    toArn('events', 'rule/StepFunctionsGetEventsForECSTaskRule'),
  ),
];

/** The same times as the deployment's own run. The last start of a slot fails while a tenant is still incomplete. */
function renderStarts(healing: string): Resources {
  const expressions = splitExpressions(healing);
  const night = (mustBeComplete: boolean): TenantsInput => ({
    command: 'run',
    event: { scheduledTime },
    scheduledTime,
    mustBeComplete,
  });
  const verification: TenantsInput = {
    command: 'verify',
    event: { verify: true },
    scheduledTime,
    mustBeComplete: true,
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

const executions = (MetricName: string) => ({
  Namespace: 'AWS/States',
  MetricName,
  Dimensions: [{ Name: 'StateMachineArn', Value: ref('TenantMachine') }],
});

const alarms: Resources = {
  TenantsFailedAlarm: renderAlarm(
    sub(`${name}-failed`),
    'A start of all tenants failed: the runs of some ended with an error, or are still incomplete after the last healing. The execution names them. See docs/aws.md (Many tenants).',
    {
      Metrics: [
        ...['Failed', 'TimedOut', 'Aborted'].map((word) => ({
          Id: word.toLowerCase(),
          ReturnData: false,
          MetricStat: { Metric: executions(`Executions${word}`), Period: 300, Stat: 'Sum' },
        })),
        {
          Id: 'unsuccessful',
          Expression: 'FILL(failed, 0) + FILL(timedout, 0) + FILL(aborted, 0)',
          Label: 'Executions that did not succeed',
          ReturnData: true,
        },
      ],
    },
  ),
  TenantsSilenceAlarm: renderAlarm(
    sub(`${name}-not-all-published`),
    sub(
      'For ${SilenceHours} hours, no start of all tenants ended well for all of them. See docs/aws.md (Many tenants).',
    ),
    whenSilent(executions('ExecutionsSucceeded'), 'succeeded', 'Executions that succeeded an hour'),
  ),
};
