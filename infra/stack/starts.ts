/** What starts a run: the run's own schedule, one for each healing, and the weekly verification; and queues for starts that failed. */
import { getArn, policyDocument, ref, refuseWithoutTls, type TemplatePart, toArn } from './intrinsics.ts';
import { renderTaskTarget, type Task } from './task.ts';

/** Between expressions, which have commas and spaces of their own. */
export const expressionSeparator = ';';

/** `healing` is a list of expressions, as `infra/plan/deployment.ts` puts it into one parameter. */
export function renderStarts(name: string, healing: string, task: Task | undefined): TemplatePart {
  const renderTarget = (input: string, command: readonly string[]): object =>
    task === undefined ? { Arn: getArn('NightLambdaFunction'), Input: input } : renderTaskTarget(task, command);
  const night = renderTarget(scheduledTime, ['run']);
  const heals = splitExpressions(healing).map((expression, index) => [
    `HealingSchedule${index + 1}`,
    renderSchedule('Asks sources that could not be read again, for the same slot', expression, night),
  ]);
  return {
    Resources: {
      ScheduleGroup: { Type: 'AWS::Scheduler::ScheduleGroup', Properties: { Name: name } },
      NightSchedule: renderSchedule(
        'Starts the run at the time that muster.yaml sets',
        ref('ScheduleExpression'),
        night,
      ),
      ...Object.fromEntries(heals),
      VerifySchedule: renderSchedule(
        'Verifies every kept run',
        ref('VerifyExpression'),
        renderTarget('{"verify":true}', ['verify']),
      ),
      // Starts that Lambda rejected every time.
      MissedStartQueue: queue,
      // Runs of which every attempt failed.
      FailureQueue: queue,
      QueuePolicy: renderQueuePolicy(name, task),
    },
    Outputs: {
      Function: { Value: ref('NightLambdaFunction'), Description: 'The function to start by hand' },
      FailureQueue: { Value: ref('FailureQueue') },
      MissedStartQueue: { Value: ref('MissedStartQueue') },
    },
  };
}

/** The scheduled moment, however late the start is. */
const scheduledTime = '{"scheduledTime":"<aws.scheduler.scheduled-time>"}';

export function splitExpressions(healing: string): readonly string[] {
  return healing.split(expressionSeparator).filter((expression) => expression !== '');
}

export function renderSchedule(description: string, expression: unknown, target: object): object {
  return {
    Type: 'AWS::Scheduler::Schedule',
    Properties: {
      Description: description,
      GroupName: ref('ScheduleGroup'),
      ScheduleExpression: expression,
      ScheduleExpressionTimezone: ref('ScheduleTimezone'),
      FlexibleTimeWindow: { Mode: 'OFF' },
      State: 'ENABLED',
      Target: {
        ...target,
        RoleArn: getArn('ScheduleRole'),
        // Only for starts that are refused; Lambda itself retries the function's own failures.
        RetryPolicy: { MaximumRetryAttempts: 20, MaximumEventAgeInSeconds: 21_600 },
        DeadLetterConfig: { Arn: getArn('MissedStartQueue') },
      },
    },
  };
}

const queue = {
  Type: 'AWS::SQS::Queue',
  Properties: { MessageRetentionPeriod: 1_209_600, SqsManagedSseEnabled: true },
};

function renderQueuePolicy(name: string, task: Task | undefined): object {
  const failedTasks = {
    Sid: 'FailedTasks',
    Effect: 'Allow',
    Principal: { Service: 'events.amazonaws.com' },
    Action: 'sqs:SendMessage',
    Resource: getArn('FailureQueue'),
    Condition: { ArnEquals: { 'aws:SourceArn': toArn('events', `rule/${name}-task-failed`) } },
  };
  return {
    Type: 'AWS::SQS::QueuePolicy',
    Properties: {
      Queues: [ref('MissedStartQueue'), ref('FailureQueue')],
      PolicyDocument: policyDocument([
        refuseWithoutTls('sqs:*', [getArn('MissedStartQueue'), getArn('FailureQueue')]),
        ...(task === undefined ? [] : [failedTasks]),
      ]),
    },
  };
}
