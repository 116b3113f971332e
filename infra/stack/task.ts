/**
 * `compute: task`: the same run as a container on Fargate, for what takes longer than a function may. The image runs the
 * command line; its role, its schedule, its metrics and so its alarms are the function's. Off by default.
 */
import { tenantSettingsFolder } from '../../src/settings/tenants.ts';
import {
  allow,
  getArn,
  ofThisAccount,
  ref,
  renderRole,
  type Statement,
  sub,
  type TemplatePart,
  toArn,
  trust,
} from './intrinsics.ts';
import { nameStack, type StackSettings } from './stack-settings.ts';

export function runsTask({ image }: StackSettings): boolean {
  return image !== undefined;
}

export function renderNetwork({ network }: StackSettings): object {
  const { subnets, securityGroups } = network ?? { subnets: [], securityGroups: [] };
  return { AwsvpcConfiguration: { Subnets: subnets, SecurityGroups: securityGroups, AssignPublicIp: 'DISABLED' } };
}

/** Where a schedule starts it. The time comes as an environment variable, since a task has no event. */
export function renderTaskTarget(stack: StackSettings, command: readonly string[]): object {
  const environment = [{ name: 'MUSTER_SCHEDULED_TIME', value: '<aws.scheduler.scheduled-time>' }];
  return {
    Arn: getArn('TaskCluster'),
    EcsParameters: {
      TaskDefinitionArn: ref('TaskDefinition'),
      LaunchType: 'FARGATE',
      TaskCount: 1,
      NetworkConfiguration: renderNetwork(stack),
    },
    Input: JSON.stringify({ containerOverrides: [{ name: containerName, command, environment }] }),
  };
}

const containerName = 'muster';
const name = '${AWS::StackName}';

export function renderTask(stack: StackSettings): TemplatePart {
  const { image, logRetention } = stack;
  if (image === undefined) {
    return {};
  }
  return {
    Resources: {
      TaskCluster: { Type: 'AWS::ECS::Cluster', Properties: { ClusterName: sub(name) } },
      TaskLogGroup: {
        Type: 'AWS::Logs::LogGroup',
        Properties: {
          LogGroupName: sub(`/ecs/${name}`),
          RetentionInDays: logRetention,
          KmsKeyId: getArn('Key'),
        },
      },
      TaskDefinition: renderTaskDefinition(stack, image),
      TaskExecutionRole: renderExecutionRole(stack, image),
      TaskFailureRule: failureRule,
    },
  };
}

/** The environment variables of a run, which a function and a task have in common. */
export function renderEnvironment(stack: StackSettings): Readonly<Record<string, unknown>> {
  const { proxy } = stack;
  const tenants = {
    MUSTER_TENANTS: sub(`s3://${stack.reports.bucket}/${tenantSettingsFolder}`),
    MUSTER_TENANTS_SHA256: stack.tenants?.sha256,
  };
  return {
    MUSTER_SETTINGS: sub(`s3://${stack.reports.bucket}/settings/muster.yaml`),
    // The hash of the file that a deployment uploads; another file is refused.
    MUSTER_SETTINGS_SHA256: sub(stack.settingsSha256),
    POWERTOOLS_SERVICE_NAME: nameStack(stack),
    POWERTOOLS_METRICS_NAMESPACE: 'Muster',
    ...(proxy === undefined ? {} : { HTTPS_PROXY: proxy.url }),
    ...(proxy === undefined || proxy.noProxy.length === 0 ? {} : { NO_PROXY: proxy.noProxy.join(',') }),
    ...(stack.tenants === undefined ? {} : tenants),
  };
}

/** https://docs.aws.amazon.com/AmazonECS/latest/developerguide/fargate-tasks-services.html#fargate-tasks-size */
function chooseSize(memory: number): { readonly Cpu: string; readonly Memory: string } {
  const gigabytes = Math.max(2, Math.ceil(memory / 1024));
  return { Cpu: gigabytes > 8 ? '2048' : '1024', Memory: String(gigabytes * 1024) };
}

function renderTaskDefinition(stack: StackSettings, image: string): object {
  const environment = { ...renderEnvironment(stack), AWS_REGION: ref('AWS::Region') };
  return {
    Type: 'AWS::ECS::TaskDefinition',
    Properties: {
      Family: sub(name),
      RequiresCompatibilities: ['FARGATE'],
      NetworkMode: 'awsvpc',
      RuntimePlatform: { CpuArchitecture: 'ARM64', OperatingSystemFamily: 'LINUX' },
      ...chooseSize(stack.memory),
      TaskRoleArn: getArn('NightRole'),
      ExecutionRoleArn: getArn('TaskExecutionRole'),
      ContainerDefinitions: [
        {
          Name: containerName,
          Image: image,
          Essential: true,
          ReadonlyRootFilesystem: true,
          User: '1000',
          // A run that is stopped finishes publishing.
          StopTimeout: 120,
          Environment: Object.entries(environment).map(([Name, Value]) => ({ Name, Value })),
          LogConfiguration: {
            LogDriver: 'awslogs',
            Options: {
              'awslogs-group': ref('TaskLogGroup'),
              'awslogs-region': ref('AWS::Region'),
              'awslogs-stream-prefix': 'run',
            },
          },
        },
      ],
    },
  };
}

/**
 * ECS names no cluster and no task here: every ARN of the account in this region is the least that it accepts.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-iam-roles.html#create_task_iam_policy_and_role
 */
export const trustTasks = trust('ecs-tasks.amazonaws.com', {
  StringEquals: ofThisAccount,
  ArnLike: { 'aws:SourceArn': toArn('ecs', '*') },
});

/** What Fargate does before the run: fetch the image, open its log. */
function renderExecutionRole(stack: StackSettings, image: string): object {
  return renderRole(
    stack,
    'task-execution',
    [trustTasks],
    [
      ...listFetchStatements(image),
      allow('WriteTaskLog', ['logs:CreateLogStream', 'logs:PutLogEvents'], toArn('logs', `log-group:/ecs/${name}:*`)),
    ],
  );
}

/** An image in ECR is fetched with the role's rights; any other is public. */
function listFetchStatements(image: string): readonly Statement[] {
  const [, account, region, repository] =
    /^(\d{12})\.dkr\.ecr\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?\/([^:@]+)/.exec(image) ?? [];
  return repository === undefined
    ? []
    : [
        // The action knows no resource.
        allow('SignInToRegistry', 'ecr:GetAuthorizationToken', '*'),
        allow(
          'FetchImage',
          ['ecr:BatchCheckLayerAvailability', 'ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer'],
          sub(`arn:\${AWS::Partition}:ecr:${region}:${account}:repository/${repository}`),
        ),
      ];
}

/**
 * A task published nothing that ended with another code than 0, 3 or 4, or with none: its image could not be fetched, there
 * was no capacity, or it was taken away. Its event goes into the failure queue, which has an alarm. Nobody starts it again
 * before the next healing start.
 */
const failureRule = {
  Type: 'AWS::Events::Rule',
  Properties: {
    Name: sub(`${name}-task-failed`),
    Description: 'A run as a task ended without publishing, could not begin, or was taken away',
    EventPattern: {
      source: ['aws.ecs'],
      'detail-type': ['ECS Task State Change'],
      detail: {
        clusterArn: [getArn('TaskCluster')],
        lastStatus: ['STOPPED'],
        $or: [
          { containers: { exitCode: [{ 'anything-but': [0, 3, 4] }] } },
          { containers: { exitCode: [{ exists: false }] } },
          { stopCode: ['TaskFailedToStart'] },
        ],
      },
    },
    Targets: [{ Id: 'failures', Arn: getArn('FailureQueue') }],
  },
};

export const ofCluster = { ArnEquals: { 'ecs:cluster': toArn('ecs', `cluster/${name}`) } };

export function runTask(sid: string): Statement {
  return allow(sid, 'ecs:RunTask', toArn('ecs', `task-definition/${name}:*`), ofCluster);
}

/** Whoever starts a task hands over the roles that it runs with. */
export const giveTaskItsRoles = allow(
  'GiveTaskItsRoles',
  'iam:PassRole',
  [getArn('NightRole'), getArn('TaskExecutionRole')],
  { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } },
);
