/** One page: whether runs are published, their figures, and the alarms. */
import { sub, type TemplatePart } from '../intrinsics.ts';

export function renderDashboard(name: string): TemplatePart {
  return {
    Resources: {
      Dashboard: {
        Type: 'AWS::CloudWatch::Dashboard',
        Properties: {
          DashboardName: name,
          DashboardBody: sub(JSON.stringify({ start: '-P30D', periodOverride: 'inherit', widgets: listWidgets(name) })),
        },
      },
    },
  };
}

/** In an order of their own: the most urgent first. */
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

/** A dot repeats what stands there in the line above. */
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
