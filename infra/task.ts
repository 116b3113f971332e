/**
 * `compute: task`: the same run as a container on Fargate, for what takes longer than a function may. The image runs the
 * command line; its role, its schedule, its metrics and so its alarms are the function's. Off by default.
 */
import { getArn, ref, sub, when } from './intrinsics.ts';

export interface Task {
  readonly image: string;
  /** MB, as the settings say. */
  readonly memory: number;
  readonly subnets: readonly string[];
  readonly securityGroups: readonly string[];
  readonly logRetention: number;
}

/** As parameters of the deployment; undefined where the run is a function. */
export function readTask(parameters: Readonly<Record<string, string>>): Task | undefined {
  const { compute, image = '', memory, subnets = '', securityGroups = '', logRetention } = parameters;
  return compute === 'task'
    ? {
        ...{ image, memory: Number(memory), logRetention: Number(logRetention) },
        ...{ subnets: subnets.split(','), securityGroups: securityGroups.split(',') },
      }
    : undefined;
}

/** Where a schedule starts it. The time comes as an environment variable, since a task has no event. */
export function renderTaskTarget({ subnets, securityGroups }: Task, command: readonly string[]): object {
  const environment = [{ name: 'MUSTER_SCHEDULED_TIME', value: '<aws.scheduler.scheduled-time>' }];
  return {
    Arn: getArn('TaskCluster'),
    EcsParameters: {
      TaskDefinitionArn: ref('TaskDefinition'),
      LaunchType: 'FARGATE',
      TaskCount: 1,
      NetworkConfiguration: {
        AwsvpcConfiguration: { Subnets: subnets, SecurityGroups: securityGroups, AssignPublicIp: 'DISABLED' },
      },
    },
    Input: JSON.stringify({ containerOverrides: [{ name: containerName, command, environment }] }),
  };
}

const containerName = 'muster';
const name = '${AWS::StackName}';

/** `more` are environment variables beside those of every run. */
export function renderTask(
  task: Task,
  more: Readonly<Record<string, unknown>> = {},
): { readonly Resources: Readonly<Record<string, object>> } {
  return {
    Resources: {
      TaskCluster: { Type: 'AWS::ECS::Cluster', Properties: { ClusterName: sub(name) } },
      TaskLogGroup: {
        Type: 'AWS::Logs::LogGroup',
        Properties: {
          LogGroupName: sub(`/ecs/${name}`),
          RetentionInDays: task.logRetention,
          KmsKeyId: getArn('Key'),
        },
      },
      TaskDefinition: renderTaskDefinition(task, more),
      TaskExecutionRole: renderExecutionRole(task),
      TaskFailureRule: failureRule,
    },
  };
}

/** https://docs.aws.amazon.com/AmazonECS/latest/developerguide/fargate-tasks-services.html#fargate-tasks-size */
function chooseSize(memory: number): { readonly Cpu: string; readonly Memory: string } {
  const gigabytes = Math.max(2, Math.ceil(memory / 1024));
  return { Cpu: gigabytes > 8 ? '2048' : '1024', Memory: String(gigabytes * 1024) };
}

function renderTaskDefinition({ image, memory }: Task, more: Readonly<Record<string, unknown>>): object {
  const environment = {
    MUSTER_SETTINGS: sub('s3://${ReportBucketName}/settings/muster.yaml'),
    MUSTER_SETTINGS_SHA256: ref('SettingsSha256'),
    POWERTOOLS_SERVICE_NAME: sub(name),
    POWERTOOLS_METRICS_NAMESPACE: 'Muster',
    AWS_REGION: ref('AWS::Region'),
    ...more,
  };
  return {
    Type: 'AWS::ECS::TaskDefinition',
    Properties: {
      Family: sub(name),
      RequiresCompatibilities: ['FARGATE'],
      NetworkMode: 'awsvpc',
      RuntimePlatform: { CpuArchitecture: 'ARM64', OperatingSystemFamily: 'LINUX' },
      ...chooseSize(memory),
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

/** What Fargate does before the run: fetch the image, open its log. */
function renderExecutionRole({ image }: Task): object {
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      PermissionsBoundary: when('LimitsRoles', ref('PermissionsBoundary')),
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: { Service: 'ecs-tasks.amazonaws.com' },
            Action: 'sts:AssumeRole',
            Condition: { StringEquals: { 'aws:SourceAccount': ref('AWS::AccountId') } },
          },
        ],
      },
      Policies: [
        {
          PolicyName: 'fetch',
          PolicyDocument: {
            Version: '2012-10-17',
            Statement: [
              ...fetchStatements(image),
              {
                Sid: 'WriteTaskLog',
                Effect: 'Allow',
                Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
                Resource: sub(
                  `arn:\${AWS::Partition}:logs:\${AWS::Region}:\${AWS::AccountId}:log-group:/ecs/${name}:*`,
                ),
              },
            ],
          },
        },
      ],
    },
  };
}

/** Of an image in ECR; any other is public. */
function fetchStatements(image: string): object[] {
  const [, account, region, repository] =
    /^(\d{12})\.dkr\.ecr\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?\/([^:@]+)/.exec(image) ?? [];
  return repository === undefined
    ? []
    : [
        // The action knows no resource.
        { Sid: 'SignInToRegistry', Effect: 'Allow', Action: 'ecr:GetAuthorizationToken', Resource: '*' },
        {
          Sid: 'FetchImage',
          Effect: 'Allow',
          Action: ['ecr:BatchCheckLayerAvailability', 'ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer'],
          Resource: sub(`arn:\${AWS::Partition}:ecr:${region}:${account}:repository/${repository}`),
        },
      ];
}

/**
 * A task that ended with another code than 0, 3 or 4 published nothing, as one that could not begin: into the failure
 * queue, which has an alarm. Nobody starts it again before the next healing start.
 */
const failureRule = {
  Type: 'AWS::Events::Rule',
  Properties: {
    Name: sub(`${name}-task-failed`),
    Description: 'A run as a task ended without publishing, or could not begin',
    EventPattern: {
      source: ['aws.ecs'],
      'detail-type': ['ECS Task State Change'],
      detail: {
        clusterArn: [getArn('TaskCluster')],
        lastStatus: ['STOPPED'],
        $or: [{ containers: { exitCode: [{ 'anything-but': [0, 3, 4] }] } }, { stopCode: ['TaskFailedToStart'] }],
      },
    },
    Targets: [{ Id: 'failures', Arn: getArn('FailureQueue') }],
  },
};
