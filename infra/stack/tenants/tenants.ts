/**
 * `aws.tenants`: the stack's part for many tenants, beside the deployment's own run. All of it is here and in
 * `machine.ts`, so that a stack without tenants contains none of it. Off by default.
 */
import { tenantSecretsFolder, tenantSettingsFolder, tenantStoresFolder } from '../../../src/settings/tenants.ts';
import {
  allow,
  getArn,
  inBucket,
  ofThisAccount,
  policyDocument,
  type Resources,
  ref,
  renderRole,
  type Statement,
  sub,
  type TemplatePart,
  toArn,
  trust,
} from '../intrinsics.ts';
import { renderAlarm, whenSilent } from '../monitoring.ts';
import { renderQuery, tenantsQuery } from '../queries/queries.ts';
import { renderReaderPolicy } from '../queries/readers.ts';
import { renderTenantTables } from '../queries/tables.ts';
import { getTokens, listStoreStatements, ofOwner } from '../roles.ts';
import type { AuditPlace, BucketPlace, StackSettings, Tenants } from '../stack-settings.ts';
import { renderSchedule } from '../starts.ts';
import { giveTaskItsRoles, ofCluster, runsTask, runTask } from '../task.ts';
import { renderTenantMachine, type TenantsInput } from './machine.ts';

export function renderTenants(stack: StackSettings): TemplatePart {
  const { reports, audit, tenants } = stack;
  if (tenants === undefined) {
    return {};
  }
  const readable = ['latest/*', 'date=*'].map((path) => inBucket(reports, `/${tenantStoresFolder}*/${path}`));
  return {
    Resources: {
      TenantMachine: renderStateMachine(stack, tenants),
      TenantMachineRole: renderMachineRole(stack),
      TenantRunPolicy: renderPolicy('NightRole', listRunStatements(reports, audit, tenants)),
      TenantStartPolicy: renderPolicy('ScheduleRole', [allow('StartTenants', 'states:StartExecution', machineArn)]),
      ...renderStarts(stack),
      ...renderAlarms(stack),
      ...renderTenantTables(stack, tenants.names),
      TenantReaderPolicy: renderReaderPolicy(
        sub(`${name}-reader-\${AWS::Region}`),
        sub('Reads the reports of all tenants of ${AWS::StackName}, beside its reader policy'),
        [allow('ReadTenantReports', 's3:GetObject', readable)],
      ),
      [tenantsQuery.resource]: renderQuery(tenantsQuery),
    },
  };
}

const name = '${AWS::StackName}-tenants';
const machineArn = toArn('states', `stateMachine:${name}`);

function renderPolicy(role: string, statements: readonly Statement[]): object {
  return {
    Type: 'AWS::IAM::Policy',
    Properties: { PolicyName: 'tenants', Roles: [ref(role)], PolicyDocument: policyDocument(statements) },
  };
}

/** The rights of a run on the stores of all tenants, and on their secrets. */
function listRunStatements(
  reports: BucketPlace,
  audit: AuditPlace | undefined,
  { audiences }: Tenants,
): readonly Statement[] {
  const keepCommits = (place: AuditPlace) =>
    allow('KeepTenantCommits', ['s3:GetObject', 's3:PutObject'], inBucket(place, `/${tenantStoresFolder}*/commits/*`), {
      StringEquals: ofOwner(place),
    });
  return [
    ...listStoreStatements('KeepTenantRuns', 'KeepTenantLogs', reports, `${tenantStoresFolder}*/`),
    allow('ListTenantStores', 's3:ListBucket', inBucket(reports), {
      StringEquals: ofOwner(reports),
      StringLike: { 's3:prefix': `${tenantStoresFolder}*` },
    }),
    ...(audit === undefined ? [] : [keepCommits(audit)]),
    allow(
      'ReadTenantSecrets',
      'secretsmanager:GetSecretValue',
      toArn('secretsmanager', `secret:${tenantSecretsFolder}*`),
    ),
    allow('ReadTenantParameters', 'ssm:GetParameter', toArn('ssm', `parameter/${tenantSecretsFolder}*`)),
    ...getTokens('GetTokenForTenants', audiences),
  ];
}

function renderStateMachine(stack: StackSettings, tenants: Tenants): object {
  const ofTask = { Cluster: getArn('TaskCluster'), TaskDefinition: ref('TaskDefinition') };
  return {
    Type: 'AWS::StepFunctions::StateMachine',
    Properties: {
      StateMachineName: sub(name),
      StateMachineType: 'STANDARD',
      RoleArn: getArn('TenantMachineRole'),
      Definition: renderTenantMachine(stack, tenants),
      DefinitionSubstitutions: {
        Bucket: sub(stack.reports.bucket),
        ...(runsTask(stack) ? ofTask : { Function: getArn('NightLambdaFunction') }),
      },
    },
  };
}

function renderMachineRole(stack: StackSettings): object {
  return renderRole(
    stack,
    'tenants',
    [trust('states.amazonaws.com', { StringEquals: ofThisAccount, ArnLike: { 'aws:SourceArn': machineArn } })],
    [
      allow('ListTenants', 's3:ListBucket', inBucket(stack.reports), {
        StringEquals: { ...ofOwner(stack.reports), 's3:prefix': tenantSettingsFolder },
      }),
      allow('StartChildren', 'states:StartExecution', machineArn),
      allow(
        'WatchChildren',
        ['states:DescribeExecution', 'states:StopExecution'],
        toArn('states', `execution:${name}/*`),
      ),
      ...(runsTask(stack)
        ? taskStatements
        : [allow('RunTenant', 'lambda:InvokeFunction', getArn('NightLambdaFunction'))]),
    ],
  );
}

/** Rights to run tasks: https://docs.aws.amazon.com/step-functions/latest/dg/connect-ecs.html#connect-iam-policies */
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

/** Renders starts at the times of the deployment's own run. The last start of a slot fails while a tenant is incomplete. */
function renderStarts(stack: StackSettings): Resources {
  const { expression: own, healing: expressions, verify } = stack.schedule;
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
      stack,
      'Asks sources of tenants again that could not be read, for the run of the same date',
      expression,
      target(night(index === expressions.length - 1)),
    ),
  ]);
  return {
    TenantSchedule: renderSchedule(
      stack,
      'Starts the runs of all tenants',
      own,
      target(night(expressions.length === 0)),
    ),
    ...Object.fromEntries(heals),
    TenantVerifySchedule: renderSchedule(stack, 'Verifies every kept run of all tenants', verify, target(verification)),
  };
}

const scheduledTime = '<aws.scheduler.scheduled-time>';

const executions = (MetricName: string) => ({
  Namespace: 'AWS/States',
  MetricName,
  Dimensions: [{ Name: 'StateMachineArn', Value: ref('TenantMachine') }],
});

const renderAlarms = ({ schedule: { silenceHours } }: StackSettings): Resources => ({
  TenantsFailedAlarm: renderAlarm(
    sub(`${name}-failed`),
    'A start of all tenants failed: the runs of some ended with an error, or are still incomplete after the last retry. The execution names them. See docs/aws.md (Many tenants).',
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
    `For ${silenceHours} hours, no start of all tenants ended well for all of them. See docs/aws.md (Many tenants).`,
    whenSilent(silenceHours, executions('ExecutionsSucceeded'), 'succeeded', 'Executions that succeeded an hour'),
  ),
});
