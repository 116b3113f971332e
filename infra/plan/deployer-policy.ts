/**
 * The policy of a role that deploys with `npm run deploy`, for CI: `npm run deploy -- --deployer-policy` prints it for
 * these settings. Everything that can be limited to this stack's names is.
 */
import { allow, policyDocument, type Statement } from '../stack/intrinsics.ts';
import { runsTask } from '../stack/task.ts';
import type { Deployment, Target } from './deployment.ts';

export function renderDeployerPolicy(deployment: Deployment, target: Target): object {
  const names = nameResources(deployment, target);
  return policyDocument([
    ...listStackStatements(deployment, names),
    ...listRoleStatements(deployment, names, target),
    ...listKeyStatements(deployment, names, target),
    ...listServiceStatements(names, target),
    ...listOptionalStatements(deployment, names),
    allow('Queries', ['athena:*'], [names.arn('athena', `workgroup/${names.name}`)]),
  ]);
}

interface Names {
  /** The stack's name. */
  readonly name: string;
  readonly partition: string;
  arn(service: string, resource: string): string;
  iam(resource: string): string;
  bucket(named: string, path?: string): string;
}

function nameResources({ owners }: Deployment, { region, account, stage }: Target): Names {
  const [, partition = 'aws'] = owners.report.nightRole.split(':');
  return {
    name: `muster-${stage}`,
    partition,
    arn: (service, resource) => `arn:${partition}:${service}:${region}:${account}:${resource}`,
    iam: (resource) => `arn:${partition}:iam::${account}:${resource}`,
    bucket: (named, path = '') => `arn:${partition}:s3:::${named}${path}`,
  };
}

function nameActions(service: string, actions: readonly string[]): readonly string[] {
  return actions.map((action) => `${service}:${action}`);
}

function listStackStatements({ stack }: Deployment, { name, arn, bucket }: Names): Statement[] {
  const { reports, audit } = stack;
  const madeBuckets = [
    ...(reports.owner === undefined ? [reports.bucket, `${name}-accesslogbucket*`] : []),
    ...(audit !== undefined && audit.owner === undefined ? [audit.bucket] : []),
  ].map((one) => bucket(one));
  const code = `${name}-serverlessdeploymentbucket*`;
  const stackActions = nameActions('cloudformation', [
    'CreateStack',
    'UpdateStack',
    'DeleteStack',
    'DescribeStacks',
    'DescribeStackEvents',
    'GetTemplate',
    'DescribeStackResource',
    'DescribeStackResources',
    'ListStackResources',
    'UpdateTerminationProtection',
  ]);
  const bucketActions = nameActions('s3', [
    'CreateBucket',
    'DeleteBucket',
    'ListBucket',
    'GetBucket*',
    'PutBucket*',
    'DeleteBucketPolicy',
    'GetEncryptionConfiguration',
    'PutEncryptionConfiguration',
    'GetLifecycleConfiguration',
    'PutLifecycleConfiguration',
    'TagResource',
    'UntagResource',
    'ListTagsForResource',
  ]);
  return [
    allow('Stack', stackActions, [arn('cloudformation', `stack/${name}/*`)]),
    allow('Template', ['cloudformation:ValidateTemplate'], ['*']),
    allow('Buckets', bucketActions, [...madeBuckets, bucket(code)]),
    allow('Code', nameActions('s3', ['GetObject', 'PutObject', 'DeleteObject']), [bucket(code, '/*')]),
    allow('Settings', ['s3:PutObject'], [bucket(reports.bucket, '/settings/*')]),
  ];
}

function listRoleStatements({ stack }: Deployment, { name, iam }: Names, { region }: Target): Statement[] {
  const boundary = stack.permissionsBoundary;
  const bounded = boundary ? { StringEquals: { 'iam:PermissionsBoundary': boundary } } : undefined;
  const harmless = nameActions('iam', [
    'GetRole',
    'GetRolePolicy',
    'ListRolePolicies',
    'ListAttachedRolePolicies',
    'UpdateRole',
    'DeleteRole',
    'UpdateAssumeRolePolicy',
    'TagRole',
    'UntagRole',
  ]);
  // Roles by the service that assumes them; a service can use only a role that trusts it.
  const takers = {
    night: 'lambda.amazonaws.com',
    schedule: 'scheduler.amazonaws.com',
    ...(runsTask(stack) ? { 'task-execution': 'ecs-tasks.amazonaws.com' } : {}),
    ...(stack.tenants === undefined ? {} : { tenants: 'states.amazonaws.com' }),
  };
  const handedOver = Object.keys(takers).map((role) => iam(`role/${name}-${role}-${region}`));
  const policyActions = nameActions('iam', [
    'CreatePolicy',
    'GetPolicy',
    'GetPolicyVersion',
    'DeletePolicy',
    'CreatePolicyVersion',
    'DeletePolicyVersion',
    'ListPolicyVersions',
    'ListEntitiesForPolicy',
    'TagPolicy',
    'UntagPolicy',
  ]);
  const roles = [iam(`role/${name}-*`)];
  return [
    allow(
      'Roles',
      nameActions('iam', ['CreateRole', 'PutRolePolicy', 'DeleteRolePolicy', 'PutRolePermissionsBoundary']),
      roles,
      bounded,
    ),
    allow('RolesWithoutRights', harmless, roles),
    allow('RolesOfServices', ['iam:PassRole'], handedOver, {
      StringEquals: { 'iam:PassedToService': Object.values(takers) },
    }),
    allow('ReaderPolicy', policyActions, [iam(`policy/${name}-*`)]),
  ];
}

function listKeyStatements({ stack }: Deployment, { arn, bucket }: Names, { region }: Target): Statement[] {
  const keyActions = nameActions('kms', [
    'CreateKey',
    'CreateAlias',
    'UpdateAlias',
    'DeleteAlias',
    'DescribeKey',
    'EnableKeyRotation',
    'GetKeyPolicy',
    'GetKeyRotationStatus',
    'ListAliases',
    'ListResourceTags',
    'PutKeyPolicy',
    'TagResource',
    'UntagResource',
    'UpdateKeyDescription',
  ]);
  const { bucket: reports, key } = stack.reports;
  return [
    // A new key has no name yet, so that the condition limits the caller: only CloudFormation, for this stack.
    allow('Keys', keyActions, ['*'], {
      'ForAnyValue:StringEquals': { 'aws:CalledVia': 'cloudformation.amazonaws.com' },
    }),
    allow('KeyOfSettings', ['kms:GenerateDataKey', 'kms:Decrypt'], [key ?? arn('kms', 'key/*')], {
      StringEquals: { 'kms:ViaService': `s3.${region}.amazonaws.com` },
      StringLike: { 'kms:EncryptionContext:aws:s3:arn': [bucket(reports), bucket(reports, '/settings/*')] },
    }),
  ];
}

function listServiceStatements({ name, partition, arn }: Names, { account, stage }: Target): Statement[] {
  const database = `muster_${stage}`;
  return [
    allow('Function', ['lambda:*'], [arn('lambda', `function:${name}-*`)]),
    allow(
      'Network',
      nameActions('ec2', ['DescribeSubnets', 'DescribeSecurityGroups', 'DescribeVpcs', 'DescribeNetworkInterfaces']),
      ['*'],
    ),
    allow('Logs', ['logs:*'], [arn('logs', `log-group:/aws/lambda/${name}-*`)]),
    allow('SeeLogGroups', ['logs:DescribeLogGroups'], ['*']),
    allow(
      'Schedules',
      ['scheduler:*'],
      [arn('scheduler', `schedule/${name}/*`), arn('scheduler', `schedule-group/${name}`)],
    ),
    allow('Queues', ['sqs:*'], [arn('sqs', `${name}-*`)]),
    allow('Topics', ['sns:*'], [arn('sns', `${name}-*`)]),
    allow('Rules', ['events:*'], [arn('events', `rule/${name}-*`)]),
    allow(
      'Alarms',
      ['cloudwatch:*'],
      [arn('cloudwatch', `alarm:${name}-*`), `arn:${partition}:cloudwatch::${account}:dashboard/${name}`],
    ),
    allow(
      'Tables',
      ['glue:*'],
      ['catalog', `database/${database}`, `table/${database}/*`, `userDefinedFunction/${database}/*`].map((resource) =>
        arn('glue', resource),
      ),
    ),
  ];
}

/** Statements for a task and for tenants. */
function listOptionalStatements({ stack }: Deployment, { name, arn }: Names): Statement[] {
  const task = [
    allow('Task', ['ecs:*'], [arn('ecs', `cluster/${name}`), arn('ecs', `task-definition/${name}:*`)]),
    // These actions support no resource, or apply to one that does not exist yet.
    allow('TaskDefinitions', ['ecs:DeregisterTaskDefinition', 'ecs:DescribeTaskDefinition'], ['*']),
    allow('TaskLogs', ['logs:*'], [arn('logs', `log-group:/ecs/${name}*`)]),
  ];
  const tenants = allow('Tenants', ['states:*'], [arn('states', `stateMachine:${name}-*`)]);
  return [...(runsTask(stack) ? task : []), ...(stack.tenants === undefined ? [] : [tenants])];
}
