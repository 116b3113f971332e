/**
 * What a role needs that deploys with `npm run deploy`, for CI: `npm run deploy -- --deployer-policy` prints it for these
 * settings. Whatever can be limited to this stack's names is.
 */
import type { Deployment, Target } from './deployment.ts';

interface Statement {
  readonly Sid: string;
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: object;
}

export interface Policy {
  readonly Version: '2012-10-17';
  readonly Statement: readonly Statement[];
}

export function renderDeployerPolicy(deployment: Deployment, target: Target): Policy {
  return { Version: '2012-10-17', Statement: listStatements(deployment, target) };
}

function listStatements({ parameters, owners }: Deployment, target: Target): Statement[] {
  const { region, account, stage } = target;
  const [, partition = 'aws'] = owners.report.nightRole.split(':');
  const name = `muster-${stage}`;
  const arn = (service: string, resource: string) => `arn:${partition}:${service}:${region}:${account}:${resource}`;
  const iam = (resource: string) => `arn:${partition}:iam::${account}:${resource}`;
  const bucket = (named: string, path = '') => `arn:${partition}:s3:::${named}${path}`;
  const madeBuckets = [
    parameters.reportBucketOwner ? undefined : parameters.reportBucket,
    parameters.auditBucketOwner ? undefined : parameters.auditBucket,
  ].flatMap((one) => (one ? [bucket(one)] : []));
  const code = `${name}-serverlessdeploymentbucket*`;
  const boundary = parameters.permissionsBoundary;
  const bounded = boundary ? { Condition: { StringEquals: { 'iam:PermissionsBoundary': boundary } } } : {};
  const allow = (
    Sid: string,
    Action: readonly string[],
    Resource: readonly string[],
    more: object = {},
  ): Statement => ({
    Sid,
    Effect: 'Allow',
    Action,
    Resource,
    ...more,
  });
  return [
    allow(
      'Stack',
      [
        ...['CreateStack', 'UpdateStack', 'DeleteStack', 'DescribeStacks', 'DescribeStackEvents', 'GetTemplate'],
        ...['DescribeStackResource', 'DescribeStackResources', 'ListStackResources', 'UpdateTerminationProtection'],
      ].map((action) => `cloudformation:${action}`),
      [arn('cloudformation', `stack/${name}/*`)],
    ),
    allow('Template', ['cloudformation:ValidateTemplate'], ['*']),
    allow(
      'Buckets',
      [
        ...[
          's3:CreateBucket',
          's3:DeleteBucket',
          's3:ListBucket',
          's3:GetBucket*',
          's3:PutBucket*',
          's3:DeleteBucketPolicy',
        ],
        ...['s3:GetEncryptionConfiguration', 's3:PutEncryptionConfiguration'],
        ...['s3:GetLifecycleConfiguration', 's3:PutLifecycleConfiguration'],
        ...['s3:TagResource', 's3:UntagResource', 's3:ListTagsForResource'],
      ],
      [...madeBuckets, bucket(code)],
    ),
    allow('Code', ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'], [bucket(code, '/*')]),
    allow('Settings', ['s3:PutObject'], [bucket(parameters.reportBucket ?? '', '/settings/*')]),
    allow(
      'Roles',
      [...['CreateRole', 'PutRolePolicy', 'DeleteRolePolicy', 'PutRolePermissionsBoundary']].map(
        (action) => `iam:${action}`,
      ),
      [iam(`role/${name}-*`)],
      bounded,
    ),
    allow(
      'RolesWithoutRights',
      [
        ...['GetRole', 'GetRolePolicy', 'ListRolePolicies', 'ListAttachedRolePolicies', 'UpdateRole', 'DeleteRole'],
        ...['UpdateAssumeRolePolicy', 'TagRole', 'UntagRole'],
      ].map((action) => `iam:${action}`),
      [iam(`role/${name}-*`)],
    ),
    allow('RolesOfServices', ['iam:PassRole'], [iam(`role/${name}-*`)], {
      Condition: {
        StringEquals: {
          'iam:PassedToService': [
            ...['lambda.amazonaws.com', 'scheduler.amazonaws.com', 'ecs-tasks.amazonaws.com'],
            ...(parameters.tenants === undefined ? [] : ['states.amazonaws.com']),
          ],
        },
      },
    }),
    allow(
      'ReaderPolicy',
      [
        ...['CreatePolicy', 'GetPolicy', 'GetPolicyVersion', 'DeletePolicy', 'CreatePolicyVersion'],
        ...['DeletePolicyVersion', 'ListPolicyVersions', 'ListEntitiesForPolicy', 'TagPolicy', 'UntagPolicy'],
      ].map((action) => `iam:${action}`),
      [iam(`policy/${name}-*`)],
    ),
    // A key has no name before it is made, so that the way to it is limited: only CloudFormation, for this stack.
    allow(
      'Keys',
      [
        ...[
          'CreateKey',
          'CreateAlias',
          'UpdateAlias',
          'DeleteAlias',
          'DescribeKey',
          'EnableKeyRotation',
          'GetKeyPolicy',
        ],
        ...['GetKeyRotationStatus', 'ListAliases', 'ListResourceTags', 'PutKeyPolicy', 'TagResource', 'UntagResource'],
        ...['UpdateKeyDescription'],
      ].map((action) => `kms:${action}`),
      ['*'],
      { Condition: { 'ForAnyValue:StringEquals': { 'aws:CalledVia': 'cloudformation.amazonaws.com' } } },
    ),
    allow('KeyOfSettings', ['kms:GenerateDataKey', 'kms:Decrypt'], [parameters.reportKey || arn('kms', 'key/*')], {
      Condition: {
        StringEquals: { 'kms:ViaService': `s3.${region}.amazonaws.com` },
        StringLike: {
          'kms:EncryptionContext:aws:s3:arn': [
            bucket(parameters.reportBucket ?? ''),
            bucket(parameters.reportBucket ?? '', '/settings/*'),
          ],
        },
      },
    }),
    allow('Function', ['lambda:*'], [arn('lambda', `function:${name}-*`)]),
    allow(
      'Network',
      ['ec2:DescribeSubnets', 'ec2:DescribeSecurityGroups', 'ec2:DescribeVpcs', 'ec2:DescribeNetworkInterfaces'],
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
      [
        arn('glue', 'catalog'),
        arn('glue', `database/muster_${stage}`),
        arn('glue', `table/muster_${stage}/*`),
        arn('glue', `userDefinedFunction/muster_${stage}/*`),
      ],
    ),
    ...(parameters.compute === 'task'
      ? [
          allow('Task', ['ecs:*'], [arn('ecs', `cluster/${name}`), arn('ecs', `task-definition/${name}:*`)]),
          // These actions know no resource, or one that does not exist yet.
          allow('TaskDefinitions', ['ecs:DeregisterTaskDefinition', 'ecs:DescribeTaskDefinition'], ['*']),
          allow('TaskLogs', ['logs:*'], [arn('logs', `log-group:/ecs/${name}*`)]),
        ]
      : []),
    ...(parameters.tenants === undefined
      ? []
      : [allow('Tenants', ['states:*'], [arn('states', `stateMachine:${name}-*`)])]),
    allow('Queries', ['athena:*'], [arn('athena', `workgroup/${name}`)]),
  ];
}
