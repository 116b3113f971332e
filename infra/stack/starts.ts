/** Starts of runs: the run's schedule, one for each healing, and the weekly verification; with queues for failed starts. */
import { getArn, policyDocument, ref, refuseWithoutTls, sub, type TemplatePart, toArn } from './intrinsics.ts';
import { nameStack, type StackSettings } from './stack-settings.ts';
import { renderTaskTarget, runsTask } from './task.ts';

export function renderStarts(stack: StackSettings): TemplatePart {
  const { schedule } = stack;
  const renderTarget = (input: string, command: readonly string[]): object =>
    runsTask(stack) ? renderTaskTarget(stack, command) : { Arn: getArn('NightLambdaFunction'), Input: input };
  const night = renderTarget(scheduledTime, ['run']);
  const heals = schedule.healing.map((expression, index) => [
    `HealingSchedule${index + 1}`,
    renderSchedule(stack, 'Asks sources again that could not be read, for the run of the same date', expression, night),
  ]);
  return {
    Resources: {
      ScheduleGroup: { Type: 'AWS::Scheduler::ScheduleGroup', Properties: { Name: nameStack(stack) } },
      NightSchedule: renderSchedule(
        stack,
        'Starts the run at the time that muster.yaml sets',
        schedule.expression,
        night,
      ),
      ...Object.fromEntries(heals),
      VerifySchedule: renderSchedule(
        stack,
        'Verifies every kept run',
        schedule.verify,
        renderTarget('{"verify":true}', ['verify']),
      ),
      // Starts that Lambda rejected every time.
      MissedStartQueue: queue,
      // Runs of which every attempt failed.
      FailureQueue: queue,
      QueuePolicy: renderQueuePolicy(stack),
    },
    Outputs: {
      Function: { Value: ref('NightLambdaFunction'), Description: 'The function to start by hand' },
      FailureQueue: { Value: ref('FailureQueue') },
      MissedStartQueue: { Value: ref('MissedStartQueue') },
    },
  };
}

/** Input with the scheduled moment, however late the start is. */
const scheduledTime = '{"scheduledTime":"<aws.scheduler.scheduled-time>"}';

export function renderSchedule(
  { schedule }: StackSettings,
  description: string,
  expression: string,
  target: object,
): object {
  return {
    Type: 'AWS::Scheduler::Schedule',
    Properties: {
      Description: description,
      GroupName: ref('ScheduleGroup'),
      ScheduleExpression: expression,
      ScheduleExpressionTimezone: sub(schedule.timezone),
      FlexibleTimeWindow: { Mode: 'OFF' },
      State: 'ENABLED',
      Target: {
        ...target,
        RoleArn: getArn('ScheduleRole'),
        // Retries starts that are refused; Lambda itself retries the function's own failures.
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

function renderQueuePolicy(stack: StackSettings): object {
  const failedTasks = {
    Sid: 'FailedTasks',
    Effect: 'Allow',
    Principal: { Service: 'events.amazonaws.com' },
    Action: 'sqs:SendMessage',
    Resource: getArn('FailureQueue'),
    Condition: { ArnEquals: { 'aws:SourceArn': toArn('events', `rule/${nameStack(stack)}-task-failed`) } },
  };
  return {
    Type: 'AWS::SQS::QueuePolicy',
    Properties: {
      Queues: [ref('MissedStartQueue'), ref('FailureQueue')],
      PolicyDocument: policyDocument([
        refuseWithoutTls('sqs:*', [getArn('MissedStartQueue'), getArn('FailureQueue')]),
        ...(runsTask(stack) ? [failedTasks] : []),
      ]),
    },
  };
}
