/**
 * The state machine that runs every tenant: a distributed map over their settings files in the bucket, a run of the
 * function or of the task for each, and an end that fails where one of them did. In Amazon States Language; `${…}` are
 * substitutions of the stack: https://states-language.net/spec.html
 *
 * No run stops another one. The end counts successful runs against the deployed tenants, so that an aborted run, a
 * missing file or an unreadable bucket fails it like a caught error.
 */
import { tenantSettingsFolder } from '../../../src/settings/tenants.ts';
import type { StackSettings, Tenants } from '../stack-settings.ts';
import { renderNetwork, runsTask } from '../task.ts';

/** Input of the machine from a schedule. */
export interface TenantsInput {
  /** The command for a task. */
  readonly command: 'run' | 'verify';
  /** The event for a function, without the tenant. */
  readonly event: Readonly<Record<string, unknown>>;
  readonly scheduledTime: string;
  /** True where a tenant that is still incomplete fails the execution, since no later start heals the slot. */
  readonly mustBeComplete: boolean;
}

type States = Readonly<Record<string, object>>;

export function renderTenantMachine(stack: StackSettings, tenants: Tenants): object {
  return {
    Comment: 'Runs every tenant, and fails where one of them did',
    StartAt: 'Run every tenant',
    TimeoutSeconds: 86_400,
    States: { 'Run every tenant': renderMap(stack, tenants), ...renderEnd(tenants.names.length) },
  };
}

function renderMap(stack: StackSettings, { concurrency, partition }: Tenants): object {
  const toArn = (action: string) => `arn:${partition}:states:::${action}`;
  return {
    Type: 'Map',
    Label: 'tenants',
    MaxConcurrency: concurrency,
    ToleratedFailurePercentage: 100,
    ItemReader: {
      Resource: toArn('s3:listObjectsV2'),
      Parameters: { Bucket: '${Bucket}', Prefix: tenantSettingsFolder },
    },
    ItemSelector: {
      'event.$': '$.event',
      'command.$': '$.command',
      'scheduledTime.$': '$.scheduledTime',
      tenant: { 'settings.$': '$$.Map.Item.Value.Key' },
    },
    ItemProcessor: {
      ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
      StartAt: 'Is it a settings file?',
      States: {
        'Is it a settings file?': {
          Type: 'Choice',
          Choices: [{ Variable: '$.tenant.settings', StringMatches: `${tenantSettingsFolder}*.yaml`, Next: 'Run' }],
          Default: 'Document',
        },
        // Exemptions and lists are beside the settings that name them.
        Document: renderResult('document'),
        ...(runsTask(stack)
          ? renderTaskStates(toArn('ecs:runTask.sync'), stack)
          : renderFunctionStates(toArn('lambda:invoke'))),
        Published: renderResult('published'),
        Incomplete: renderResult('incomplete'),
        Failed: renderResult('failed'),
      },
    },
    ResultPath: '$.results',
    Next: 'List',
  };
}

/** Keeps only a name, so that the results of all tenants fit into the output of a state machine. */
function renderResult(word: string): object {
  return { Type: 'Pass', Parameters: { [`${word}.$`]: '$.tenant.settings' }, End: true };
}

/**
 * Retries a start that Lambda refused for longer than a run takes, and a failed run twice, as Lambda itself does for
 * schedules: it published nothing, and a run that is published and complete is not made again. A hanging run waits for
 * the next start.
 */
function renderFunctionStates(resource: string): States {
  return {
    Run: {
      Type: 'Task',
      Resource: resource,
      Parameters: { FunctionName: '${Function}', 'Payload.$': 'States.JsonMerge($.event, $.tenant, false)' },
      ResultSelector: { 'exit.$': '$.Payload.exit' },
      ResultPath: '$.run',
      TimeoutSeconds: 960,
      Retry: [
        {
          ErrorEquals: ['TooManyRequests', 'Service', 'AWSLambda', 'SdkClient'].map(
            (kind) => `Lambda.${kind}Exception`,
          ),
          IntervalSeconds: 15,
          MaxAttempts: 8,
          BackoffRate: 2,
          MaxDelaySeconds: 600,
          JitterStrategy: 'FULL',
        },
        { ErrorEquals: ['States.TaskFailed'], IntervalSeconds: 60, MaxAttempts: 2, BackoffRate: 2 },
      ],
      Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Failed' }],
      Next: 'How did it end?',
    },
    'How did it end?': ending,
  };
}

/**
 * Runs a task. Another exit code than 0 is an error, whose cause is the task. It is retried only where Fargate refused
 * to start it; a failed one waits for the next healing start, as without tenants.
 */
function renderTaskStates(resource: string, stack: StackSettings): States {
  const command = "States.Array($.command, '--settings', States.Format('s3://${Bucket}/{}', $.tenant.settings))";
  return {
    Run: {
      Type: 'Task',
      Resource: resource,
      Parameters: {
        Cluster: '${Cluster}',
        TaskDefinition: '${TaskDefinition}',
        LaunchType: 'FARGATE',
        NetworkConfiguration: renderNetwork(stack),
        Overrides: {
          ContainerOverrides: [
            {
              Name: 'muster',
              'Command.$': command,
              Environment: [{ Name: 'MUSTER_SCHEDULED_TIME', 'Value.$': '$.scheduledTime' }],
            },
          ],
        },
      },
      ResultSelector: { 'task.$': '$' },
      ResultPath: '$.run',
      TimeoutSeconds: 14_400,
      Retry: [
        {
          ErrorEquals: ['ECS.AmazonECSException', 'ECS.ThrottlingException', 'ECS.ServerException'],
          IntervalSeconds: 30,
          MaxAttempts: 8,
          BackoffRate: 2,
          MaxDelaySeconds: 600,
          JitterStrategy: 'FULL',
        },
      ],
      Catch: [
        { ErrorEquals: ['States.TaskFailed'], ResultPath: '$.error', Next: 'Read the task' },
        { ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Failed' },
      ],
      Next: 'Read its exit code',
    },
    // Fails where the cause is no task with an ended container; the tenant then counts as not published.
    'Read the task': {
      Type: 'Pass',
      Parameters: { 'task.$': 'States.StringToJson($.error.Cause)' },
      ResultPath: '$.run',
      Next: 'Read its exit code',
    },
    'Read its exit code': {
      Type: 'Pass',
      Parameters: { 'exit.$': 'States.ArrayGetItem($.run.task.Containers[*].ExitCode, 0)' },
      ResultPath: '$.run',
      Next: 'How did it end?',
    },
    'How did it end?': ending,
  };
}

/** Chooses the end by the exit code: 4 means that another run published the slot in the meantime. */
const ending = {
  Type: 'Choice',
  Choices: [
    { Or: [0, 4].map((NumericEquals) => ({ Variable: '$.run.exit', NumericEquals })), Next: 'Published' },
    { Variable: '$.run.exit', NumericEquals: 3, Next: 'Incomplete' },
  ],
  Default: 'Failed',
};

function renderEnd(tenants: number): States {
  const isComplete = { Variable: '$.published', NumericEquals: tenants };
  const mayWait = {
    And: [
      { Variable: '$.mustBeComplete', BooleanEquals: false },
      { Variable: '$.ended', NumericEquals: tenants },
    ],
  };
  const sentence =
    `{} of ${tenants} tenants were published and complete. Incomplete: {}. Failed: {}. ` +
    'What is in none of these did not end, or is not there. The log of the run has the reason; see docs/aws.md (Many tenants).';
  const numbers = '$.published, States.JsonToString($.lists.incomplete), States.JsonToString($.lists.failed)';
  return {
    List: {
      Type: 'Pass',
      Parameters: {
        'published.$': '$.results[*].published',
        'incomplete.$': '$.results[*].incomplete',
        'failed.$': '$.results[*].failed',
      },
      ResultPath: '$.lists',
      Next: 'Count',
    },
    Count: {
      Type: 'Pass',
      Parameters: {
        'mustBeComplete.$': '$.mustBeComplete',
        'lists.$': '$.lists',
        'published.$': 'States.ArrayLength($.lists.published)',
        'ended.$': 'States.MathAdd(States.ArrayLength($.lists.published), States.ArrayLength($.lists.incomplete))',
        'failed.$': 'States.ArrayLength($.lists.failed)',
      },
      Next: 'Did all of them end well?',
    },
    'Did all of them end well?': {
      Type: 'Choice',
      Choices: [
        { And: [{ Variable: '$.failed', NumericEquals: 0 }, { Or: [isComplete, mayWait] }], Next: 'All ended well' },
      ],
      Default: 'Some did not',
    },
    'All ended well': { Type: 'Succeed' },
    'Some did not': {
      Type: 'Fail',
      Error: 'TenantsFailed',
      CausePath: `States.Format('${sentence}', ${numbers})`,
    },
  };
}
