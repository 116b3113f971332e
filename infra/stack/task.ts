/**
 * `compute: task`: runs Muster as a container on Fargate, when a run takes longer than a function may. The image runs
 * the command line; role, schedule, metrics and so alarms are those of the function. Off by default.
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

/** The target of a schedule. The time is an environment variable, since a task receives no event. */
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

/** Environment variables of a run, the same for a function and a task. */
export function renderEnvironment(stack: StackSettings): Readonly<Record<string, unknown>> {
  const { proxy } = stack;
  const tenants = {
    MUSTER_TENANTS: sub(`s3://${stack.reports.bucket}/${tenantSettingsFolder}`),
    MUSTER_TENANTS_SHA256: stack.tenants?.sha256,
  };
  return {
    MUSTER_SETTINGS: sub(`s3://${stack.reports.bucket}/settings/muster.yaml`),
    // Hash of the uploaded file; other files are refused.
    MUSTER_SETTINGS_SHA256: sub(stack.settingsSha256),
    POWERTOOLS_SERVICE_NAME: nameStack(stack),
    POWERTOOLS_METRICS_NAMESPACE: 'Muster',
    ...(proxy === undefined ? {} : { HTTPS_PROXY: proxy.url }),
    ...(proxy === undefined || proxy.noProxy.length === 0 ? {} : { NO_PROXY: proxy.noProxy.join(',') }),
    ...(stack.tenants === undefined ? {} : tenants),
  };
}

/** Sizes of Fargate: https://docs.aws.amazon.com/AmazonECS/latest/developerguide/fargate-tasks-services.html#fargate-tasks-size */
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
          // Time for a stopped run to finish publishing.
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
 * Trust for tasks. ECS passes no cluster or task here: every ARN of the account in this region is the least that works.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-iam-roles.html#create_task_iam_policy_and_role
 */
export const trustTasks = trust('ecs-tasks.amazonaws.com', {
  StringEquals: ofThisAccount,
  ArnLike: { 'aws:SourceArn': toArn('ecs', '*') },
});

/** The role with which Fargate prepares a run: it fetches the image, and opens its log. */
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

/** Rights to fetch an image from ECR; any other image is public. */
function listFetchStatements(image: string): readonly Statement[] {
  const [, account, region, repository] =
    /^(\d{12})\.dkr\.ecr\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?\/([^:@]+)/.exec(image) ?? [];
  return repository === undefined
    ? []
    : [
        // The action supports no resource.
        allow('SignInToRegistry', 'ecr:GetAuthorizationToken', '*'),
        allow(
          'FetchImage',
          ['ecr:BatchCheckLayerAvailability', 'ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer'],
          sub(`arn:\${AWS::Partition}:ecr:${region}:${account}:repository/${repository}`),
        ),
      ];
}

/**
 * Catches tasks that published nothing: they end with another code than 0, 3 or 4, or with none, because the image
 * could not be fetched, capacity was missing, or the task was reclaimed. The event goes to the failure queue, which has
 * an alarm. The next healing start is the first retry.
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

/** The right to pass a task the roles with which it runs. */
export const giveTaskItsRoles = allow(
  'GiveTaskItsRoles',
  'iam:PassRole',
  [getArn('NightRole'), getArn('TaskExecutionRole')],
  { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } },
);
