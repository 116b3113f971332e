/** The run as a container task: what the stack has for it, and the image's own command line where it may write nothing. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, commandLineEntry } from '../../infra/bundle.ts';
import { planDeployment } from '../../infra/plan/deployment.ts';
import manifest from '../../package.json' with { type: 'json' };
import { computeSha256 } from '../../src/base/sha256.ts';
import { bucket, type Company, logLines, metricsOf, momentOf, openCompany } from '../lambda/company.ts';
import { asTask, everySetting, everything, settingsOf, stackOf, target } from './example.ts';
import { decide, type Request } from './policy.ts';
import { makeStack, policyOf, propertiesOf, toArn } from './template.ts';

const stack = stackOf(asTask);
const task = makeStack(stack);

describe('the stack', () => {
  it('has nothing of it unless the settings ask for it', () => {
    const types = Object.values(makeStack(everything)).map(({ Type }) => Type);
    expect(types.filter((type) => type.startsWith('AWS::ECS::'))).toEqual([]);
    expect(JSON.stringify(makeStack(everything))).not.toContain('ecs-tasks.amazonaws.com');
  });

  it('starts it at every time at which the function would be started, and says for which', () => {
    const schedules = Object.entries(task).filter(([, { Type }]) => Type === 'AWS::Scheduler::Schedule');
    const started = schedules.map(([name, { Properties }]) => {
      const { Target } = Properties as { Target: { Arn: string; Input: string; EcsParameters: object } };
      expect(Target.Arn).toBe(toArn('ecs', 'TaskCluster'));
      expect(Target.EcsParameters).toMatchObject({
        LaunchType: 'FARGATE',
        NetworkConfiguration: {
          AwsvpcConfiguration: {
            Subnets: ['subnet-0a1b2c3d', 'subnet-0a1b2c3e'],
            SecurityGroups: ['sg-0a1b2c3d'],
            AssignPublicIp: 'DISABLED',
          },
        },
      });
      const [override] = JSON.parse(Target.Input).containerOverrides;
      expect(override.environment).toEqual([
        { name: 'MUSTER_SCHEDULED_TIME', value: '<aws.scheduler.scheduled-time>' },
      ]);
      return [name, override.name, ...override.command];
    });
    expect(started).toEqual([
      ['NightSchedule', 'muster', 'run'],
      ['HealingSchedule1', 'muster', 'run'],
      ['HealingSchedule2', 'muster', 'run'],
      ['VerifySchedule', 'muster', 'verify'],
    ]);
  });

  it('runs it without root, on a file system that cannot be written, with the function’s role and settings', () => {
    const definition = propertiesOf<{ ContainerDefinitions: Record<string, unknown>[] }>(task, 'TaskDefinition');
    expect(definition).toMatchObject({
      ...{ Cpu: '1024', Memory: '4096', NetworkMode: 'awsvpc', RequiresCompatibilities: ['FARGATE'] },
      RuntimePlatform: { CpuArchitecture: 'ARM64' },
      TaskRoleArn: 'arn:aws:iam::123456789012:role/muster-prod-night-eu-west-1',
    });
    const [container] = definition.ContainerDefinitions;
    expect(container).toMatchObject({ ReadonlyRootFilesystem: true, User: '1000', Image: stack.image });
    expect(container?.Environment).toEqual(
      expect.arrayContaining([
        { Name: 'MUSTER_SETTINGS', Value: 's3://acme-muster/settings/muster.yaml' },
        { Name: 'MUSTER_SETTINGS_SHA256', Value: '' },
        { Name: 'POWERTOOLS_SERVICE_NAME', Value: 'muster-prod' },
        { Name: 'POWERTOOLS_METRICS_NAMESPACE', Value: 'Muster' },
        { Name: 'HTTPS_PROXY', Value: 'http://proxy.example.com:3128' },
        { Name: 'NO_PROXY', Value: '.amazonaws.com,10.0.0.0/8' },
      ]),
    );
    expect(propertiesOf(task, 'TaskLogGroup')).toMatchObject({ RetentionInDays: 365, KmsKeyId: toArn('kms', 'Key') });
  });

  it.each([
    [2048, { Cpu: '1024', Memory: '2048' }],
    [3008, { Cpu: '1024', Memory: '3072' }],
    [10_240, { Cpu: '2048', Memory: '10240' }],
    [512, { Cpu: '1024', Memory: '2048' }],
  ])('gives it a size that Fargate has, for %i MB', (memory, size) => {
    const sized = makeStack(stackOf(asTask.replace('memory: 4096', `memory: ${memory}`)));
    expect(propertiesOf(sized, 'TaskDefinition')).toMatchObject(size);
  });

  it('rings where it fails, cannot begin or is taken away, where it comes near its limit, and where nothing was published', () => {
    const rule = propertiesOf<{ EventPattern: { detail: object }; Targets: object[] }>(task, 'TaskFailureRule');
    expect(rule.EventPattern.detail).toEqual({
      clusterArn: [toArn('ecs', 'TaskCluster')],
      lastStatus: ['STOPPED'],
      $or: [
        { containers: { exitCode: [{ 'anything-but': [0, 3, 4] }] } },
        { containers: { exitCode: [{ exists: false }] } },
        { stopCode: ['TaskFailedToStart'] },
      ],
    });
    expect(rule.Targets).toEqual([{ Id: 'failures', Arn: toArn('sqs', 'FailureQueue') }]);
    const events = { action: 'sqs:SendMessage', resource: toArn('sqs', 'FailureQueue') };
    const decided = ['muster-prod-task-failed', 'other'].map((one) =>
      decide([policyOf(task, 'QueuePolicy')], {
        ...events,
        context: { 'aws:SourceArn': toArn('events', `rule/${one}`) },
      }),
    );
    expect(decided).toEqual(['allowed', 'not allowed']);
    expect(propertiesOf(task, 'DurationAlarm')).toMatchObject({
      ...{ Namespace: 'Muster', MetricName: 'Duration', Threshold: 5_760_000 },
      Dimensions: [{ Name: 'service', Value: 'muster-prod' }],
    });
    expect(JSON.stringify(propertiesOf(task, 'SilenceAlarm'))).toContain(
      '"Namespace":"Muster","MetricName":"Published"',
    );
  });

  it('lets the schedule start this task alone, and give it only its own roles', () => {
    const documents = [policyOf(task, 'ScheduleRole')];
    const ask = (action: string, resource: string, context: Request['context'] = {}) =>
      decide(documents, { action, resource, context });
    const ours = { 'ecs:cluster': toArn('ecs', 'cluster/muster-prod') };
    expect(ask('ecs:RunTask', toArn('ecs', 'task-definition/muster-prod:7'), ours)).toBe('allowed');
    expect(ask('ecs:RunTask', toArn('ecs', 'task-definition/other:1'), ours)).toBe('not allowed');
    expect(ask('ecs:RunTask', toArn('ecs', 'task-definition/muster-prod:7'), { 'ecs:cluster': 'other' })).toBe(
      'not allowed',
    );
    const pass = (role: string, to: string) =>
      ask('iam:PassRole', `arn:aws:iam::123456789012:role/${role}`, { 'iam:PassedToService': to });
    expect(pass('muster-prod-night-eu-west-1', 'ecs-tasks.amazonaws.com')).toBe('allowed');
    expect(pass('muster-prod-task-execution-eu-west-1', 'ecs-tasks.amazonaws.com')).toBe('allowed');
    expect(pass('muster-prod-night-eu-west-1', 'lambda.amazonaws.com')).toBe('not allowed');
    expect(pass('admin', 'ecs-tasks.amazonaws.com')).toBe('not allowed');
  });

  it('fetches its own image, and nothing else', () => {
    expect(policyOf(task, 'TaskExecutionRole').Statement.map(({ Sid, Resource }) => [Sid, Resource])).toEqual([
      ['SignInToRegistry', '*'],
      ['FetchImage', toArn('ecr', 'repository/muster')],
      ['WriteTaskLog', toArn('logs', 'log-group:/ecs/muster-prod:*')],
    ]);
  });

  it.each([
    ['an image', / {2}image: .*\n/, 'aws.image: is missing'],
    ['a network', / {2}vpc: .*\n/, 'aws.vpc: is missing'],
  ])('is not deployed without %s', (_, line, problem) => {
    const { problems } = planDeployment(settingsOf(asTask.replace(line, '')), target);
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(planDeployment(settingsOf(everySetting.replace(line, '')), target).problems).toEqual([]);
  });
});

describe('the image', () => {
  const dockerfile = readFileSync(join(import.meta.dirname, '../../infra/Dockerfile'), 'utf8');
  let folder: string;
  let company: Company;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-image-'));
    await bundle(join(folder, 'muster'), commandLineEntry);
    company = await openCompany({}, folder);
  });
  afterAll(async () => {
    company.expectClean();
    await company.close();
    await rm(folder, { recursive: true });
  });

  /** As in the image: nothing but the bundle beside it, and nowhere to write. */
  async function run(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const only = ['--no-warnings', '--permission', `--allow-fs-read=${folder}`];
    const child = spawn(process.execPath, [...only, join(folder, 'muster', 'cli.mjs'), ...words], {
      cwd: join(folder, 'muster'),
      env: { ...company.environment, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await ended, out, errors };
  }

  it('runs the command line, as nobody in particular', () => {
    expect(dockerfile).toContain('ENTRYPOINT ["node", "/muster/cli.mjs"]');
    expect(dockerfile).toContain('USER 1000:1000');
  });

  it('is built from images that are named by their digest alone, with the Node of the tests', () => {
    const stages = [...dockerfile.matchAll(/^FROM (\S+)(?: AS (\S+))?$/gim)];
    expect(stages).toHaveLength(dockerfile.match(/^\s*FROM\b/gim)?.length ?? 0);
    const own = stages.map(([, , name]) => name);
    const foreign = stages.flatMap(([, image], index) => (own.slice(0, index).includes(image) ? [] : [image]));
    expect(foreign).toEqual([
      expect.stringMatching(new RegExp(`^node:${manifest.devDependencies.node}-slim@sha256:[0-9a-f]{64}$`)),
    ]);
  });

  it('publishes a night of the schedule’s slot from a bare folder, heals it, and measures both', async () => {
    const slot = '2026-03-01';
    company.simulator.setMoment(momentOf(slot));
    const pinned = {
      MUSTER_SETTINGS_SHA256: computeSha256(company.s3.objects(bucket).get('settings/muster.yaml') ?? ''),
    };
    const main = await run(['run'], { ...pinned, MUSTER_SCHEDULED_TIME: `${slot}T05:15:00Z` });
    expect({ code: main.code, errors: main.errors }).toEqual({ code: 0, errors: '' });
    const lines = logLines(main.out);
    expect(lines).toContainEqual(expect.objectContaining({ event: 'run.published', slot }));
    const metrics = lines.filter((line) => '_aws' in line && metricsOf(line).source === undefined);
    expect(Object.assign({}, ...metrics)).toMatchObject({ Published: 1, StillIncomplete: 0, service: 'muster-test' });

    const healing = await run(['run'], { ...pinned, MUSTER_SCHEDULED_TIME: `${slot}T10:15:00Z` });
    expect(healing.code).toBe(0);
    expect(logLines(healing.out)).toContainEqual(expect.objectContaining({ event: 'run.unchanged' }));
    expect((await run(['verify'], pinned)).code).toBe(0);
  });

  it('ends with the codes of every run', async () => {
    const time = { MUSTER_SCHEDULED_TIME: '2026-03-02T05:15:00Z' };
    expect((await run(['run'], { ...time, MUSTER_SETTINGS_SHA256: 'f'.repeat(64) })).code).toBe(2);
    const good = company.aws.parameters.get('/muster/graph') ?? '';
    company.simulator.setMoment(momentOf('2026-03-02'));
    company.aws.parameters.set('/muster/graph', 'canary-rotated-away');
    expect((await run(['run'], time)).code).toBe(3);
    company.aws.parameters.set('/muster/graph', good);
    await company.putSettings((yaml) => `${yaml}exemptions: missing.csv\n`);
    expect((await run(['run'], time)).code).toBe(1);
  });
});
