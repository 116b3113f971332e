/** What notices that something is wrong: each alarm rings for its own metric, and docs/aws.md names them all. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultStack } from '../../infra/plan/describe-stack.ts';
import { renderEnvironment } from '../../infra/stack/task.ts';
import { everything } from './example.ts';
import { makeStack, propertiesOf, toArn } from './template.ts';

const withNothing = makeStack();
const withEverything = makeStack(everything);
const root = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const serverless = read('serverless.yml');

describe('what notices that something is wrong', () => {
  const alarm = (name: string) => propertiesOf(withEverything, name);

  it('is an alarm each, and all of them reach people', () => {
    const alarms = Object.entries(withEverything).filter(([, { Type }]) => Type === 'AWS::CloudWatch::Alarm');
    expect(alarms.map(([name]) => name).sort()).toEqual([
      'DurationAlarm',
      'FailureQueueAlarm',
      'MemoryAlarm',
      'MissedStartAlarm',
      'NightFailedAlarm',
      'SilenceAlarm',
      'StillIncompleteAlarm',
      'ThrottleAlarm',
      'VerifyAlarm',
      'VerifyMissedAlarm',
    ]);
    for (const [, { Properties }] of alarms) {
      expect(Properties).toMatchObject({ AlarmActions: ['arn:aws:sns:eu-west-1:123456789012:AlertTopic'] });
    }
    expect(propertiesOf(withEverything, 'AlertTopic')).toMatchObject({ KmsMasterKeyId: 'Key' });
    expect(propertiesOf(withEverything, 'AlarmSubscription')).toMatchObject({
      Protocol: 'email',
      Endpoint: 'ops@example.com',
    });
  });

  it('rings when nothing was published for as long as the schedule says, also when there is no metric at all [C19, C20]', () => {
    expect(alarm('SilenceAlarm')).toMatchObject({
      EvaluationPeriods: 74,
      DatapointsToAlarm: 74,
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
      TreatMissingData: 'breaching',
      Metrics: [
        { MetricStat: { Period: 3600, Stat: 'Sum', Metric: { Namespace: 'Muster', MetricName: 'Published' } } },
        { Expression: 'FILL(published, 0)', ReturnData: true },
      ],
    });
    expect(propertiesOf(withNothing, 'SilenceAlarm')).toMatchObject({
      EvaluationPeriods: 26,
      TreatMissingData: 'breaching',
    });
  });

  it('rings for a failed run, for a slot that stays incomplete the same morning, and for what lies in a queue', () => {
    expect(alarm('NightFailedAlarm')).toMatchObject({ MetricName: 'Errors', Namespace: 'AWS/Lambda', Threshold: 1 });
    expect(alarm('StillIncompleteAlarm')).toMatchObject({
      MetricName: 'StillIncomplete',
      Period: 300,
      EvaluationPeriods: 1,
      TreatMissingData: 'ignore',
    });
    for (const name of ['MissedStartAlarm', 'FailureQueueAlarm']) {
      expect(alarm(name)).toMatchObject({ MetricName: 'ApproximateNumberOfMessagesVisible', Threshold: 1 });
    }
  });

  it('rings above 80 % of time and memory, for throttles, and for damage', () => {
    expect(alarm('DurationAlarm')).toMatchObject({
      ...{ Namespace: 'AWS/Lambda', MetricName: 'Duration', Statistic: 'Maximum' },
      ...{ ComparisonOperator: 'GreaterThanThreshold', Threshold: 480_000 },
    });
    expect(propertiesOf(withNothing, 'DurationAlarm')).toMatchObject({ Threshold: 720_000 });
    expect(alarm('MemoryAlarm')).toMatchObject({
      ...{ MetricName: 'MemoryUsed', Statistic: 'Maximum', ComparisonOperator: 'GreaterThanThreshold', Threshold: 80 },
    });
    expect(alarm('ThrottleAlarm')).toMatchObject({
      Namespace: 'AWS/Lambda',
      MetricName: 'Throttles',
      Statistic: 'Sum',
    });
    expect(alarm('VerifyAlarm')).toMatchObject({ MetricName: 'Damaged', Threshold: 1, TreatMissingData: 'ignore' });
  });

  it('rings where no verification ended in a calendar week of the schedule’s zone, though one is started in each', () => {
    expect(alarm('VerifyMissedAlarm')).toMatchObject({
      ...{ Namespace: 'Muster', MetricName: 'Damaged', Statistic: 'SampleCount', Period: 604_800 },
      ...{ EvaluationPeriods: 1, ComparisonOperator: 'LessThanThreshold', Threshold: 1 },
      TreatMissingData: 'breaching',
      EvaluationWindow: { WallClockWindow: { Timezone: 'Europe/London' } },
      Dimensions: [{ Name: 'service', Value: 'muster-prod' }],
    });
    expect(alarm('VerifySchedule')).toMatchObject({
      ...{ State: 'ENABLED', ScheduleExpression: 'cron(15 13 ? * 1 *)', ScheduleExpressionTimezone: 'Europe/London' },
    });
  });

  it('hears of a key that is to be deleted, through a topic that does not need the key', () => {
    const { EventPattern, Targets } = propertiesOf(withEverything, 'KeyRule') as {
      EventPattern: { detail: { eventName: string[]; resources: { ARN: string[] } } };
      Targets: { Arn: string }[];
    };
    expect(EventPattern).toMatchObject({ source: ['aws.kms'], 'detail-type': ['AWS API Call via CloudTrail'] });
    expect(EventPattern.detail.eventName).toEqual(['ScheduleKeyDeletion', 'DisableKey']);
    expect(EventPattern.detail.resources.ARN).toEqual([
      toArn('kms', 'Key'),
      toArn('kms', 'AuditKey'),
      everything.signingKey,
    ]);
    expect(Targets.map(({ Arn }) => Arn)).toEqual(['arn:aws:sns:eu-west-1:123456789012:KeyTopic']);
    expect(propertiesOf(withEverything, 'KeyTopic')).not.toHaveProperty('KmsMasterKeyId');
    expect(propertiesOf(withEverything, 'KeySubscription')).toMatchObject({ Endpoint: 'ops@example.com' });
  });

  it('reads metrics that the function writes, under the same service', () => {
    const source = read('src/run/reporting/emit-metrics.ts');
    const written = [...source.matchAll(/\['(\w+)', |(\w+): (?:coverage|low|high)\b/g)].map(
      (match) => match[1] ?? match[2],
    );
    const used = JSON.stringify(withEverything).matchAll(
      /"Namespace":"Muster","MetricName":"(\w+)"|"MetricName":"(\w+)","Dimensions":\[\{"Name":"service"/g,
    );
    const shown = dashboard().widgets.flatMap(({ properties }) => metricNames(properties.metrics ?? []));
    const names = [...[...used].map((match) => match[1] ?? match[2]), ...shown];
    expect(names).toEqual(
      expect.arrayContaining(['Published', 'StillIncomplete', 'MemoryUsed', 'Damaged', 'CoverageLow', 'Devices']),
    );
    expect(names.filter((name) => !written.includes(name))).toEqual([]);
    expect(serverless).toContain('environment: ${file(infra/stack.cjs):environment}');
    expect(renderEnvironment(defaultStack)).toMatchObject({
      POWERTOOLS_METRICS_NAMESPACE: 'Muster',
      POWERTOOLS_SERVICE_NAME: 'muster-prod',
    });
    expect(JSON.stringify(alarm('SilenceAlarm'))).toContain('{"Name":"service","Value":"muster-prod"}');
  });

  it('is on one page', () => {
    const [alarms] = dashboard().widgets;
    expect(alarms?.properties.alarms).toHaveLength(10);
  });

  interface Board {
    readonly widgets: readonly {
      readonly properties: { readonly metrics?: unknown[][]; readonly alarms?: string[] };
    }[];
  }

  function dashboard(): Board {
    const { DashboardBody } = propertiesOf(withEverything, 'Dashboard') as { DashboardBody: string };
    return JSON.parse(DashboardBody) as Board;
  }

  /** A dot repeats what stands there in the line above. */
  function metricNames(lines: readonly unknown[][]): string[] {
    let namespace: unknown;
    return lines.flatMap(([space, name]) => {
      if (space !== '.') {
        namespace = space;
      }
      return namespace === 'Muster' ? [String(name)] : [];
    });
  }
});

it('docs/aws.md names every alarm, and no other', () => {
  const names = Object.values(withNothing).flatMap(({ Type, Properties }) =>
    Type === 'AWS::CloudWatch::Alarm' ? [(Properties as { AlarmName: string }).AlarmName] : [],
  );
  const told = [...read('docs/aws.md').matchAll(/^\| `…(-[a-z-]+)` \|/gm)].map((match) => `muster-prod${match[1]}`);
  expect(told.sort()).toEqual(names.sort());
});
