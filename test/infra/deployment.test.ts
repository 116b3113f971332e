import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planDeployment } from '../../infra/deployment.ts';
import { everySetting, everything, parametersOf, settingsOf, target } from './example.ts';

const smallest = everySetting
  .slice(0, everySetting.indexOf('audit:'))
  .replace(/auth: \{.*\}/g, (auth) =>
    auth.includes('federated') ? auth : 'auth: { username: reader, password: aws-secret:jamf }',
  );

function problemsOf(yaml: string, stage = 'prod'): readonly string[] {
  return planDeployment(settingsOf(yaml), { ...target, stage }).problems;
}

describe('a deployment', () => {
  it('takes everything from the settings', () => {
    expect(everything).toEqual({
      reportBucket: 'acme-muster',
      storePrefix: 'prod/',
      auditBucket: 'acme-muster-audit',
      scheduleExpression: 'cron(15 5 ? * 2,3,4,5,6 *)',
      scheduleTimezone: 'Europe/London',
      silenceHours: '74',
      tableDays: '1232',
      secretArns: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:muster/jamf-??????',
      parameterArns: 'arn:aws:ssm:eu-west-1:123456789012:parameter/muster/heartbeat',
      tokenAudiences: 'api://AzureADTokenExchange',
      topicArns: 'arn:aws:sns:eu-west-1:123456789012:muster-prod-alerts',
      eventBusArns: 'arn:aws:events:eu-west-1:123456789012:event-bus/default',
      reservedConcurrency: '1',
      alarmEmail: 'ops@example.com',
    });
  });

  it('says nothing about what the settings do not use', () => {
    expect(Object.keys(parametersOf(smallest.replace('/prod', '')))).toEqual([
      'reportBucket',
      'scheduleExpression',
      'scheduleTimezone',
      'silenceHours',
      'tableDays',
      'secretArns',
      'tokenAudiences',
    ]);
  });

  it('takes an ARN as it is, in whatever account', () => {
    const arn = 'arn:aws:secretsmanager:eu-west-1:999999999999:secret:jamf-AbCdEf';
    expect(parametersOf(smallest.replace('aws-secret:jamf', `aws-secret:${arn}#password`)).secretArns).toBe(arn);
  });

  it('names the partition and audience of other clouds', () => {
    const settings = settingsOf(smallest.replace('federated: aws }', 'federated: aws }\n    cloud: china'));
    const { deployment } = planDeployment(settings, { ...target, region: 'cn-north-1' });
    expect(deployment?.parameters).toMatchObject({
      secretArns: 'arn:aws-cn:secretsmanager:cn-north-1:123456789012:secret:jamf-??????',
      tokenAudiences: 'api://AzureADTokenExchangeChina',
    });
  });

  it.each([
    ['a folder as store', smallest.replace('s3://acme-muster/prod', './muster-data'), 'store: must be s3://bucket'],
    ['the same bucket twice', `${smallest}\naudit: s3://acme-muster`, 'audit: must be another bucket'],
    [
      'secrets in the environment',
      smallest.replace('aws-secret:jamf', 'env:JAMF'),
      'sources[0].auth.password: is env:JAMF',
    ],
    ['exemptions elsewhere', `${smallest}\nexemptions: ../exemptions.csv`, 'exemptions: must lie beside'],
    ['a schedule AWS cannot keep', `${smallest}\nschedule: { cron: "15 5 1 * 1" }`, 'schedule.cron "15 5 1 * 1"'],
  ])('refuses %s', (_name, yaml, why) => {
    const problems = problemsOf(yaml);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(why);
  });

  it('refuses a stage that no resource can be named after', () => {
    expect(problemsOf(smallest, 'My_Stage')[0]).toContain('stage "My_Stage"');
  });
});

describe('npm run deploy', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-deploy-'));
    await writeFile(join(folder, 'muster.yaml'), `${smallest}\nexemptions: exemptions.csv`);
    await writeFile(join(folder, 'exemptions.csv'), 'match,value,source,reason,owner,expires\n');
    await writeFile(join(folder, 'local.yaml'), smallest.replace('s3://acme-muster/prod', './data'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const deploy = (...given: string[]) =>
    promisify(execFile)(process.execPath, [resolve(import.meta.dirname, '../../infra/deploy.ts'), ...given], {
      env: {},
    }).catch((failed: { stdout: string; stderr: string; code: number }) => failed);

  it('says what it would do, without an account', async () => {
    const { stdout } = await deploy(
      '--dry-run',
      '--settings',
      join(folder, 'muster.yaml'),
      '--alarm-email',
      'a@example.com',
    );
    expect(stdout).toContain('muster-prod in account 000000000000, eu-west-1');
    expect(stdout).toContain('scheduleExpression=cron(15 5 * * ? *)');
    expect(stdout).toContain('alarmEmail=a@example.com');
  });

  it('ends with 2 where the settings cannot run on AWS', async () => {
    const failed = await deploy('--dry-run', '--settings', join(folder, 'local.yaml'));
    expect(failed).toMatchObject({ code: 2 });
    expect(failed.stdout).toContain('store: must be s3://bucket');
  });

  it('ends with 2 where there are no settings', async () => {
    const failed = await deploy('--dry-run', '--settings', join(folder, 'none.yaml'));
    expect(failed).toMatchObject({ code: 2 });
    expect(failed.stderr).toContain('[settings-unreadable]');
  });
});
