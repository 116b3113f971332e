/**
 * Alarms for a run that fails, stays incomplete, cannot start, comes near its limits, or does not happen, and for a
 * damaged store; and a page that shows them. `src/run/reporting/emit-metrics.ts` writes the metrics of the namespace
 * Muster (a test compares the names).
 */
import { ref, sub, type TemplatePart } from './intrinsics.ts';
import { nameStack, type StackSettings } from './stack-settings.ts';
import { runsTask } from './task.ts';

export function renderMonitoring(stack: StackSettings): TemplatePart {
  const name = nameStack(stack);
  const { silenceHours, timezone } = stack.schedule;
  const service = { Name: 'service', Value: name };
  const ofFunction = { Name: 'FunctionName', Value: ref('NightLambdaFunction') };
  const metric = (Namespace: string, MetricName: string, dimension: object, Statistic: string) => ({
    Namespace,
    MetricName,
    Dimensions: [dimension],
    Statistic,
    Period: 300,
  });
  const measured = (name: string, statistic = 'Maximum') => metric('Muster', name, service, statistic);
  const counted = (name: string) => metric('AWS/Lambda', name, ofFunction, 'Sum');
  const waiting = (queue: string) => {
    const dimension = { Name: 'QueueName', Value: { 'Fn::GetAtt': [queue, 'QueueName'] } };
    return metric('AWS/SQS', 'ApproximateNumberOfMessagesVisible', dimension, 'Maximum');
  };
  const render = (end: string, description: unknown, properties: object) =>
    renderAlarm(`${name}-${end}`, description, properties);
  return {
    Resources: {
      Dashboard: renderDashboard(name),
      NightFailedAlarm: render(
        'night-failed',
        'A run ended with an error and published nothing. Lambda tries it again twice. See docs/aws.md (Alarms).',
        counted('Errors'),
      ),
      StillIncompleteAlarm: render(
        'still-incomplete',
        'The run is still incomplete after its last retry (exit 3). A source was not complete, or a message is undelivered. See coverage.csv and the log.',
        // Written by the last start of a slot, and by each that ends complete; in between, the alarm keeps its state.
        { ...measured('StillIncomplete'), TreatMissingData: 'ignore' },
      ),
      SilenceAlarm: render(
        'no-published-run',
        `No run was published for ${silenceHours} hours. Check the schedule, the function and this account. See docs/aws.md (Alarms).`,
        whenSilent(
          silenceHours,
          { Namespace: 'Muster', MetricName: 'Published', Dimensions: [service] },
          'published',
          'Published runs an hour',
        ),
      ),
      MissedStartAlarm: render(
        'missed-start',
        'The schedule could not start a run; the queue of missed starts has the start and the reason.',
        waiting('MissedStartQueue'),
      ),
      FailureQueueAlarm: render(
        'failure-kept',
        'Every attempt of a run failed; the failure queue has its event and the last error. See docs/aws.md (Alarms).',
        waiting('FailureQueue'),
      ),
      DurationAlarm: render(
        'duration',
        'A run took more than 80 % of the time that it may take. See docs/aws.md (Alarms).',
        {
          ...measured('Duration'),
          // A task measures itself, under the same name.
          Namespace: runsTask(stack) ? 'Muster' : 'AWS/Lambda',
          Dimensions: [runsTask(stack) ? service : ofFunction],
          ComparisonOperator: 'GreaterThanThreshold',
          Threshold: stack.durationAlarmMilliseconds,
        },
      ),
      MemoryAlarm: render(
        'memory',
        'A run used more than 80 % of its memory. Set aws.memory. See docs/aws.md (Alarms).',
        { ...measured('MemoryUsed'), ComparisonOperator: 'GreaterThanThreshold', Threshold: 80 },
      ),
      ThrottleAlarm: render(
        'throttled',
        'Lambda refused to start the function, since the account or the function has no concurrency left. It is tried again for six hours.',
        counted('Throttles'),
      ),
      VerifyAlarm: render(
        'verify-failed',
        'The weekly verification found a published run damaged or missing; the log names each file.',
        // Rings until a verification finds everything sound.
        { ...measured('Damaged'), TreatMissingData: 'ignore' },
      ),
      VerifyMissedAlarm: render(
        'verify-missed',
        'No verification ended in the last calendar week, though one starts every Sunday. See docs/aws.md (Alarms).',
        // Counts verifications, each of which writes this metric once, whatever it found.
        { ...measured('Damaged', 'SampleCount'), ...inCalendarWeek(timezone) },
      ),
    },
  };
}

/**
 * Counts in calendar weeks, each of which has exactly one verification, in the zone of its schedule. The longest
 * rolling window, seven days, would be empty whenever a verification takes longer than the one before.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-evaluation-window.html
 */
const inCalendarWeek = (timezone: string) => ({
  Period: 7 * 86_400,
  EvaluationWindow: { WallClockWindow: { Timezone: sub(timezone) } },
  ComparisonOperator: 'LessThanThreshold',
  TreatMissingData: 'breaching',
});

/** Renders an alarm that rings at the first value of 1 or more, unless `properties` change that. */
export function renderAlarm(AlarmName: unknown, AlarmDescription: unknown, properties: object): object {
  return {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmName,
      AlarmDescription,
      EvaluationPeriods: 1,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Threshold: 1,
      TreatMissingData: 'notBreaching',
      ...properties,
      AlarmActions: [ref('AlertTopic')],
      OKActions: [ref('AlertTopic')],
    },
  };
}

/** Properties of an alarm that rings when nothing was counted for longer than the schedule allows. */
export function whenSilent(hours: number, Metric: object, Id: string, Label: string): object {
  return {
    Metrics: [
      { Id, ReturnData: false, MetricStat: { Metric, Period: 3600, Stat: 'Sum' } },
      // Fills hours without a run with 0; for missing hours, CloudWatch would look further back.
      { Id: 'filled', Expression: `FILL(${Id}, 0)`, Label, ReturnData: true },
    ],
    EvaluationPeriods: hours,
    DatapointsToAlarm: hours,
    ComparisonOperator: 'LessThanThreshold',
    TreatMissingData: 'breaching',
  };
}

/** Renders one page: whether runs are published, their figures, and the alarms. */
function renderDashboard(name: string): object {
  return {
    Type: 'AWS::CloudWatch::Dashboard',
    Properties: {
      DashboardName: name,
      DashboardBody: sub(JSON.stringify({ start: '-P30D', periodOverride: 'inherit', widgets: listWidgets(name) })),
    },
  };
}

/** Alarms in the order of the page: the most urgent first. */
const alarms = [
  'Silence',
  'NightFailed',
  'StillIncomplete',
  'MissedStart',
  'FailureQueue',
  'Verify',
  'VerifyMissed',
  'Duration',
  'Memory',
  'Throttle',
];

/** Lists the widgets; a dot repeats the value in the line above. */
function listWidgets(name: string): readonly object[] {
  const ofFunction = (metric: string) => ['AWS/Lambda', metric, 'FunctionName', '${NightLambdaFunction}'];
  const alarm = 'arn:${AWS::Partition}:cloudwatch:${AWS::Region}:${AWS::AccountId}:alarm:';
  return [
    {
      type: 'alarm',
      ...place(0, 0, 24, 3),
      properties: { title: 'Alarms', alarms: alarms.map((one) => `${alarm}\${${one}Alarm}`) },
    },
    renderChart(
      place(0, 3, 12, 7),
      'Coverage and its interval (percent)',
      'Minimum',
      [
        ['Muster', 'CoverageHigh', 'service', name, { label: 'at most' }],
        ['.', 'Coverage', '.', '.', { label: 'coverage' }],
        ['.', 'CoverageLow', '.', '.', { label: 'at least' }],
      ],
      { yAxis: { left: { max: 100 } } },
    ),
    renderChart(place(12, 3, 12, 7), 'Lost and recovered', 'Maximum', [
      ['Muster', 'Lost', 'service', name],
      ['.', 'Recovered', '.', '.'],
    ]),
    renderChart(place(0, 10, 8, 6), 'Runs', 'Sum', [
      ['Muster', 'Published', 'service', name],
      ['.', 'Incomplete', '.', '.'],
      ofFunction('Errors'),
    ]),
    renderChart(place(8, 10, 8, 6), 'Devices', 'Maximum', [['Muster', 'Devices', 'service', name]]),
    renderChart(place(16, 10, 8, 6), 'Duration of a run (ms)', 'Maximum', [ofFunction('Duration')]),
  ];
}

function place(x: number, y: number, width: number, height: number): object {
  return { x, y, width, height };
}

function renderChart(
  place: object,
  title: string,
  stat: string,
  metrics: readonly (readonly unknown[])[],
  more: object = {},
): object {
  const properties = { title, region: '${AWS::Region}', view: 'timeSeries', period: 86_400, stat, metrics, ...more };
  return { type: 'metric', ...place, properties };
}
