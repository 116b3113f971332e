/** What must never be lost from the stack, and what docs/aws.md promises of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderEnvironment } from '../../infra/stack/task.ts';
import { everything, parametersOf } from './example.ts';
import { decide } from './policy.ts';
import { makeStack, policyOf, propertiesOf, toArn } from './template.ts';

const withNothing = makeStack();
const withEverything = makeStack(everything);
const root = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const serverless = read('serverless.yml');

describe.each([
  ['with nothing set', withNothing, {}],
  ['with everything set', withEverything, everything],
] as const)('the stack %s', (_name, resources, given: Readonly<Record<string, string>>) => {
  it('starts a night at its moment, in its zone, and keeps what could not be started', () => {
    expect(propertiesOf(resources, 'NightSchedule')).toMatchObject({
      ScheduleExpression: given.scheduleExpression ?? 'cron(15 5 * * ? *)',
      ScheduleExpressionTimezone: given.scheduleTimezone ?? 'UTC',
      FlexibleTimeWindow: { Mode: 'OFF' },
      State: 'ENABLED',
      Target: {
        Arn: toArn('lambda', 'NightLambdaFunction'),
        RoleArn: 'arn:aws:iam::123456789012:role/muster-prod-schedule-eu-west-1',
        Input: '{"scheduledTime":"<aws.scheduler.scheduled-time>"}',
        RetryPolicy: { MaximumRetryAttempts: 20, MaximumEventAgeInSeconds: 21600 },
        DeadLetterConfig: { Arn: toArn('sqs', 'MissedStartQueue') },
      },
    });
  });

  it('heals at every hour that the settings say, and verifies once a week, each as the night itself', () => {
    interface Schedule {
      readonly Target: { readonly Input: string };
      readonly [name: string]: unknown;
    }
    const withoutOwn = (schedule: Schedule) => ({
      ...schedule,
      Description: '',
      ScheduleExpression: '',
      Target: { ...schedule.Target, Input: '' },
    });
    const night = propertiesOf(resources, 'NightSchedule') as Schedule;
    const schedules = Object.values(resources).filter(({ Type }) => Type === 'AWS::Scheduler::Schedule');
    const starts = schedules.map(({ Properties }) => {
      const schedule = Properties as Schedule;
      expect(withoutOwn(schedule)).toEqual(withoutOwn(night));
      return [schedule.ScheduleExpression, schedule.Target.Input];
    });
    const scheduledTime = '{"scheduledTime":"<aws.scheduler.scheduled-time>"}';
    expect(starts).toEqual([
      [given.scheduleExpression ?? 'cron(15 5 * * ? *)', scheduledTime],
      ...(given.healingExpressions ?? '').split(';').flatMap((one) => (one === '' ? [] : [[one, scheduledTime]])),
      [given.verifyExpression ?? 'cron(15 13 ? * 1 *)', '{"verify":true}'],
    ]);
  });

  it('keeps every bucket private, encrypted, and when the stack goes; and versioned what runs write', () => {
    const buckets = Object.entries(resources).filter(([, { Type }]) => Type === 'AWS::S3::Bucket');
    expect(buckets.map(([name]) => name)).toEqual([
      'ReportBucket',
      'AccessLogBucket',
      ...(given.auditBucket ? ['AuditBucket'] : []),
    ]);
    const byS3 = { SSEAlgorithm: 'AES256' };
    for (const [name, bucket] of buckets) {
      const byKey = {
        SSEAlgorithm: 'aws:kms',
        KMSMasterKeyID: toArn('kms', name === 'AuditBucket' ? 'AuditKey' : 'Key'),
      };
      expect(bucket.DeletionPolicy).toBe('Retain');
      expect(bucket.Properties).toMatchObject({
        ...(name === 'AccessLogBucket' ? {} : { VersioningConfiguration: { Status: 'Enabled' } }),
        OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [
            { ServerSideEncryptionByDefault: name === 'AccessLogBucket' ? byS3 : byKey },
          ],
        },
      });
    }
  });

  it('lets the function do and cost what was measured and agreed', () => {
    for (const line of [
      ...['runtime: nodejs24.x', 'architecture: arm64', 'handler: dist/lambda.handler', 'deletionProtection: true'],
      ...["memorySize: ${param:memory, '2048'}", "timeout: ${param:timeout, '900'}"],
    ]) {
      expect(serverless).toContain(line);
    }
  });

  it('limits every role, where the settings name a boundary', () => {
    const roles = Object.values(resources).filter(({ Type }) => Type === 'AWS::IAM::Role');
    expect(roles.length).toBeGreaterThan(1);
    for (const { Properties } of roles) {
      expect((Properties as { PermissionsBoundary?: string }).PermissionsBoundary).toBe(given.permissionsBoundary);
    }
  });

  it('lets one query read as much as the settings say', () => {
    expect(propertiesOf(resources, 'ReportWorkGroup')).toMatchObject({
      WorkGroupConfiguration: { BytesScannedCutoffPerQuery: given.athenaCutoffBytes ?? '10737418240' },
    });
  });

  it('lets nothing that stands expire', () => {
    interface Rule {
      readonly Id: string;
      readonly Prefix?: string;
      readonly ExpirationInDays?: number;
    }
    const rulesOf = (bucket: string) =>
      propertiesOf<{ LifecycleConfiguration: { Rules: Rule[] } }>(resources, bucket).LifecycleConfiguration.Rules;
    const expiring = rulesOf('ReportBucket').filter((rule) => rule.ExpirationInDays !== undefined);
    expect(expiring.map(({ Id, Prefix }) => [Id, Prefix])).toEqual([['query-results', 'query-results/']]);
    expect(rulesOf('ReportBucket').map(({ Id }) => Id)).toContain('unfinished-uploads');
    // The log of commits stands for good, in the audit too.
    expect(given.auditBucket ? rulesOf('AuditBucket').map(({ Id }) => Id) : []).toEqual(
      given.auditBucket ? ['unfinished-uploads'] : [],
    );
  });

  it('writes down who uses the reports, for a year, and takes nobody else’s word for it', () => {
    expect(propertiesOf(resources, 'ReportBucket')).toMatchObject({
      LoggingConfiguration: { DestinationBucketName: 'AccessLogBucket' },
    });
    expect(resources.ReportBucket).toMatchObject({ DependsOn: ['AccessLogBucketPolicy'] });
    expect(propertiesOf(resources, 'AccessLogBucket')).toMatchObject({
      LifecycleConfiguration: { Rules: [{ Id: 'unfinished-uploads' }, { Id: 'a-year', ExpirationInDays: 365 }] },
    });
    const policy = policyOf(resources, 'AccessLogBucketPolicy');
    expect(policy.Statement.flatMap(({ Effect, Principal }) => (Effect === 'Allow' ? [Principal] : []))).toEqual([
      { Service: 'logging.s3.amazonaws.com' },
    ]);
    const reports = `arn:aws:s3:::${given.reportBucket ?? 'sthree-set-by-npm-run-deploy'}`;
    const decided = (context: Record<string, string>, action = 's3:PutObject') =>
      decide([policy], {
        ...{ action, resource: 'arn:aws:s3:::AccessLogBucket/2026-11-20-05-15-00-ABCDEF' },
        context: { 'aws:SourceAccount': '123456789012', 'aws:SourceArn': reports, ...context },
      });
    expect(decided({})).toBe('allowed');
    expect(decided({ 'aws:SourceArn': 'arn:aws:s3:::other' })).toBe('not allowed');
    expect(decided({ 'aws:SourceAccount': '999999999999' })).toBe('not allowed');
    expect(decided({}, 's3:GetObject')).toBe('not allowed');
    expect(decided({ 'aws:SecureTransport': 'false' })).toBe('denied');
  });
});

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
      EvaluationPeriods: '74',
      DatapointsToAlarm: '74',
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
      TreatMissingData: 'breaching',
      Metrics: [
        { MetricStat: { Period: 3600, Stat: 'Sum', Metric: { Namespace: 'Muster', MetricName: 'Published' } } },
        { Expression: 'FILL(published, 0)', ReturnData: true },
      ],
    });
    expect(propertiesOf(withNothing, 'SilenceAlarm')).toMatchObject({
      EvaluationPeriods: '26',
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
      ...{ ComparisonOperator: 'GreaterThanThreshold', Threshold: '480000' },
    });
    expect(propertiesOf(withNothing, 'DurationAlarm')).toMatchObject({ Threshold: '720000' });
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
    expect(renderEnvironment('muster-prod', '')).toMatchObject({
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

describe('docs/aws.md', () => {
  const aws = read('docs/aws.md');

  it('shows settings that can be deployed', () => {
    const yaml = /```yaml\n([\s\S]*?)```/.exec(aws)?.[1] ?? '';
    expect(parametersOf(yaml)).toMatchObject({
      reportBucket: 'example-muster',
      scheduleExpression: 'cron(15 5 * * ? *)',
      scheduleTimezone: 'Europe/London',
      tokenAudiences: 'api://AzureADTokenExchange',
    });
  });

  it('names every alarm, and no other', () => {
    const names = Object.values(withNothing).flatMap(({ Type, Properties }) =>
      Type === 'AWS::CloudWatch::Alarm' ? [(Properties as { AlarmName: string }).AlarmName] : [],
    );
    const told = [...aws.matchAll(/^\| `…(-[a-z-]+)` \|/gm)].map((match) => `muster-prod${match[1]}`);
    expect(told.sort()).toEqual(names.sort());
  });
});
