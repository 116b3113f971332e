/** What starts a run: the night's own schedule, a schedule for each healing, and the weekly verification. */
import { getArn, ref } from './intrinsics.ts';
import { renderTaskTarget, type Task } from './task.ts';

/** Between expressions, which have commas and spaces of their own. */
export const expressionSeparator = ';';

/** `healing` is a list of expressions, as `infra/deployment.ts` puts it into one parameter. */
export function renderStarts(
  healing: string,
  task: Task | undefined,
): { readonly Resources: Readonly<Record<string, object>> } {
  const expressions = healing.split(expressionSeparator).filter((expression) => expression !== '');
  const night = task === undefined ? renderFunctionTarget(scheduledTime) : renderTaskTarget(task, ['run']);
  const verification = task === undefined ? renderFunctionTarget(verify) : renderTaskTarget(task, ['verify']);
  const heals = expressions.map((expression, index) => [
    `HealingSchedule${index + 1}`,
    renderSchedule('Asks sources that could not be read again, for the same slot', expression, night),
  ]);
  return {
    Resources: {
      NightSchedule: renderSchedule(
        'Starts the run at the time that muster.yaml sets',
        ref('ScheduleExpression'),
        night,
      ),
      ...Object.fromEntries(heals),
      VerifySchedule: renderSchedule('Verifies every kept run', ref('VerifyExpression'), verification),
    },
  };
}

/** The scheduled moment, however late the start is. */
const scheduledTime = '{"scheduledTime":"<aws.scheduler.scheduled-time>"}';
const verify = '{"verify":true}';

function renderFunctionTarget(input: string): object {
  return { Arn: getArn('NightLambdaFunction'), Input: input };
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
