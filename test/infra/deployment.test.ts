import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planDeployment } from '../../infra/plan/deployment.ts';
import { resolvePlace, settleOptions } from '../../infra/plan/options.ts';
import { parameterNames } from '../../infra/stack/parameters.ts';
import { compileCache } from '../compile-cache.ts';
import { asTask, everySetting, everything, parametersOf, settingsOf, target, withTenants } from './example.ts';

const key = 'arn:aws:kms:eu-west-1:210987654321:key/1234abcd';

const smallest = everySetting
  .slice(0, everySetting.indexOf('audit:'))
  .replace(/auth: \{.*\}/g, (auth) =>
    auth.includes('federated') ? auth : 'auth: { username: reader, password: aws-secret:jamf }',
  );

function problemsOf(yaml: string, more: Partial<typeof target> = {}): readonly string[] {
  return planDeployment(settingsOf(yaml), { ...target, ...more }).problems;
}

describe('a deployment', () => {
  it('takes everything from the settings', () => {
    expect(everything).toEqual({
      reportBucket: 'acme-muster',
      storePrefix: 'prod/',
      auditBucket: 'acme-muster-audit',
      auditKeyOwn: 'true',
      signingKey: 'arn:aws:kms:eu-west-1:123456789012:key/5555abcd-12ab-34cd-56ef-1234567890ab',
      scheduleExpression: 'cron(15 5 ? * 2,3,4,5,6 *)',
      scheduleTimezone: 'Europe/London',
      healingExpressions: 'cron(15 7 ? * 2,3,4,5,6 *);cron(15 10 ? * 2,3,4,5,6 *)',
      verifyExpression: 'cron(15 13 ? * 1 *)',
      silenceHours: '74',
      tableDays: '1232',
      secretArns: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:muster/jamf-??????',
      parameterArns: 'arn:aws:ssm:eu-west-1:123456789012:parameter/muster/heartbeat',
      tokenAudiences: 'api://AzureADTokenExchange',
      documentArns: 'arn:aws:s3:::example-lists/apple.csv',
      topicArns: 'arn:aws:sns:eu-west-1:123456789012:muster-prod-alerts',
      eventBusArns: 'arn:aws:events:eu-west-1:123456789012:event-bus/default',
      reservedConcurrency: '1',
      alarmEmail: 'ops@example.com',
      auditMode: 'COMPLIANCE',
      auditDays: '500',
      setByOptions: 'none',
      compute: 'function',
      memory: '4096',
      timeout: '600',
      durationAlarmMilliseconds: '480000',
      logRetention: '365',
      athenaCutoffBytes: '536870912',
      tags: '{"costCentre":"4711"}',
      deployerArns: 'arn:aws:iam::123456789012:role/deploy,arn:aws:iam::123456789012:role/*/deploy',
      permissionsBoundary: 'arn:aws:iam::123456789012:policy/boundary',
      subnets: 'subnet-0a1b2c3d,subnet-0a1b2c3e',
      securityGroups: 'sg-0a1b2c3d',
    });
  });

  it('has every parameter that the stack knows, in one case or another', () => {
    const cases = [
      everySetting,
      asTask,
      withTenants,
      `${everySetting}  reportBucket: { owner: "210987654321", key: "${key}" }\n`,
      `${everySetting.replace('{ key: own }', `{ owner: "210987654321", key: "${key}" }`)}`.replace(
        '-audit\n',
        '-audit/a\n',
      ),
    ];
    const given = new Set(cases.flatMap((yaml) => Object.keys(parametersOf(yaml))));
    // The hash of the file itself, which only the deployment reads.
    expect([...given, 'settingsSha256'].sort()).toEqual([...parameterNames].sort());
  });

  it('says nothing about what the settings do not use', () => {
    const unused = [
      'storePrefix',
      'auditBucket',
      'topicArns',
      'documentArns',
      'parameterArns',
      'subnets',
      'permissionsBoundary',
    ];
    const parameters = parametersOf(smallest.replace('/prod', ''));
    expect(unused.filter((name) => name in parameters)).toEqual([]);
    expect(parameters).toMatchObject({ setByOptions: 'none', tags: '{}' });
  });

  it.each([
    ['a user', 'arn:aws:iam::123456789012:user/ops/me', 'arn:aws:iam::123456789012:user/ops/me'],
    [
      'a role, whatever its path',
      'arn:aws-cn:sts::123456789012:assumed-role/ci/build-7',
      'arn:aws-cn:iam::123456789012:role/ci,arn:aws-cn:iam::123456789012:role/*/ci',
    ],
  ])('lets %s that deploys write the settings', (_, caller, patterns) => {
    const { deployment } = planDeployment(settingsOf(smallest), { ...target, caller });
    expect(deployment?.parameters.deployerArns).toBe(patterns);
  });

  it('lets those write the settings whom the settings name, and the deployer must be among them', () => {
    const named = (role: string) => `${smallest}\naws: { deployers: ["arn:aws:iam::123456789012:role/ci/${role}"] }`;
    expect(parametersOf(named('deploy')).deployerArns).toBe('arn:aws:iam::123456789012:role/ci/deploy');
    expect(problemsOf(named('other'))).toEqual([expect.stringContaining('aws.deployers: does not name')]);
  });

  it('knows which buckets the stack does not have yet', () => {
    const plan = (yaml: string, deployed?: Record<string, string>) =>
      planDeployment(settingsOf(yaml), { ...target, ...(deployed ? { deployed } : {}) }).deployment?.newBuckets;
    const both = `${smallest}\naudit: s3://acme-audit`;
    expect(plan(both)).toEqual(['acme-muster', 'acme-audit']);
    expect(plan(both, { ReportBucketName: 'acme-muster', AuditBucketName: '' })).toEqual(['acme-audit']);
    expect(plan(`${both}\naws: { auditBucket: { owner: "210987654321" } }`)).toEqual(['acme-muster']);
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

  it('uploads the file of public keys, which a run and a verification read', () => {
    const { deployment } = planDeployment(settingsOf(`${smallest}\npublicKeys: public.pem`), target);
    expect(deployment?.documents).toEqual([{ setting: 'publicKeys', path: 'public.pem' }]);
  });

  it('uploads lists of machines that lie beside the settings, and lets the function read those in buckets', () => {
    const files = '[{ file: lists/own.csv }, { file: "s3://example-lists/apple.csv" }]';
    const { deployment } = planDeployment(settingsOf(`${smallest}\nlists: { expected: ${files} }`), target);
    expect(deployment?.documents).toEqual([{ setting: 'lists.expected', path: 'lists/own.csv' }]);
    expect(deployment?.parameters).toMatchObject({ documentArns: 'arn:aws:s3:::example-lists/apple.csv' });
  });

  it.each([
    ['a folder as store', smallest.replace('s3://acme-muster/prod', './muster-data'), 'store: must be s3://bucket'],
    [
      'a key in a file',
      `${smallest}\nsigning: file:key.pem\npublicKeys: keys.pem`,
      'signing: must be kms:KEY_ARN on AWS.',
    ],
    ['the same bucket twice', `${smallest}\naudit: s3://acme-muster`, 'audit: must be another bucket'],
    [
      'secrets in the environment',
      smallest.replace('aws-secret:jamf', 'env:JAMF'),
      'sources[0].auth.password: is env:JAMF',
    ],
    ['exemptions elsewhere', `${smallest}\nexemptions: ../exemptions.csv`, 'exemptions: must lie beside'],
    [
      'a key that the stack would make for a bucket of somebody else',
      `${smallest}\naudit: s3://acme-audit\naws: { auditBucket: { owner: "210987654321", key: own } }`,
      'aws.auditBucket.key: is own',
    ],
    ['a schedule AWS cannot keep', `${smallest}\nschedule: { cron: "15 5 1 * 1" }`, 'schedule.cron "15 5 1 * 1"'],
  ])('refuses %s', (_name, yaml, why) => {
    const problems = problemsOf(yaml);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(why);
  });
});

describe('npm run deploy', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-deploy-'));
    await writeFile(join(folder, 'muster.yaml'), `${smallest}\nexemptions: exemptions.csv`);
    await writeFile(join(folder, 'exemptions.csv'), 'match,value,source,reason,owner,expires\n');
    const local = smallest.replace('s3://acme-muster/prod', './data');
    await writeFile(join(folder, 'local.yaml'), `${local}\naws: { stage: lab, auditMode: COMPLIANCE }`);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const deploy = (...given: string[]) =>
    promisify(execFile)(process.execPath, [resolve(import.meta.dirname, '../../infra/deploy.ts'), ...given], {
      env: compileCache,
    }).catch((failed: { stdout: string; stderr: string; code: number }) => failed);

  it('says what it would do, without an account', async () => {
    const { stdout } = await deploy(
      '--dry-run',
      ...['--settings', join(folder, 'muster.yaml'), '--region', 'eu-west-1', '--alarm-email', 'a@example.com'],
    );
    expect(stdout).toContain('muster-prod in account 000000000000, eu-west-1');
    expect(stdout).toContain('scheduleExpression=cron(15 5 * * ? *)');
    expect(stdout).toContain('alarmEmail=a@example.com');
    expect(stdout).toContain('setByOptions=alarmEmail');
    const settings = await readFile(join(folder, 'muster.yaml'));
    expect(stdout).toContain(`settingsSha256=${createHash('sha256').update(settings).digest('hex')}`);
  });

  it('ends with 2 where the settings cannot run on AWS', async () => {
    const options = ['--region', 'eu-west-1', '--stage', 'prod', '--audit-mode', 'GOVERNANCE'];
    const failed = await deploy('--dry-run', ...options, '--settings', join(folder, 'local.yaml'));
    expect(failed).toMatchObject({ code: 2 });
    expect(failed.stdout).toContain('store: must be s3://bucket');
    expect(failed.stdout).toContain('--stage is prod, and aws.stage in the settings is lab.');
    expect(failed.stdout).toContain('--audit-mode is GOVERNANCE, and aws.auditMode in the settings is COMPLIANCE.');
  });

  it('ends with 2 where there are no settings', async () => {
    const failed = await deploy('--dry-run', '--settings', join(folder, 'none.yaml'));
    expect(failed).toMatchObject({ code: 2 });
    expect(failed.stderr).toContain('[settings-unreadable]');
  });
});

const awsOf = (aws: string) =>
  settingsOf(`
sources: [{ name: macs, platform: jamf, url: https://example.com, auth: { clientId: a, clientSecret: env:S }, extensionAttribute: A }]
store: s3://acme-muster
aws: { ${aws} }
`).aws;

const standard = { alarmEmail: '', reservedConcurrency: '0', auditMode: 'GOVERNANCE', auditDays: '400' };
const optioned = {
  ...{ AlarmEmail: 'a@example.com', ReservedConcurrency: '2', AuditMode: 'COMPLIANCE', AuditDays: '800' },
};

describe('what is deployed', () => {
  it('is the standard where nobody has said anything', () => {
    expect(settleOptions(awsOf(''), {}, undefined)).toEqual({
      ...{ values: standard, setByOptions: [], notes: [], problems: [] },
    });
  });

  it('is what the settings say, whatever is deployed', () => {
    const aws = awsOf('alarmEmail: b@example.com, reservedConcurrency: 3, auditMode: GOVERNANCE, auditDays: 90');
    const deployed = { ...optioned, SetByOptions: 'alarmEmail,auditDays' };
    expect(settleOptions(aws, {}, deployed)).toEqual({
      values: { alarmEmail: 'b@example.com', reservedConcurrency: '3', auditMode: 'GOVERNANCE', auditDays: '90' },
      ...{ setByOptions: [], notes: [], problems: [] },
    });
  });

  it('is what an option says where the settings say nothing', () => {
    const given = { alarmEmail: 'a@example.com', auditDays: '800' };
    const settled = settleOptions(awsOf('auditMode: COMPLIANCE'), given, undefined);
    expect(settled).toMatchObject({
      values: { ...standard, alarmEmail: 'a@example.com', auditMode: 'COMPLIANCE', auditDays: '800' },
      setByOptions: ['alarmEmail', 'auditDays'],
    });
    expect(settled.notes[0]).toContain('Write it into the settings: aws: { alarmEmail: a@example.com }');
  });

  it('stays what an option said once, when the next deployment comes without it', () => {
    const deployed = { ...optioned, SetByOptions: 'alarmEmail,reservedConcurrency,auditMode,auditDays' };
    const { values, setByOptions, notes } = settleOptions(awsOf(''), {}, deployed);
    expect(values).toEqual({
      alarmEmail: 'a@example.com',
      reservedConcurrency: '2',
      auditMode: 'COMPLIANCE',
      auditDays: '800',
    });
    expect(setByOptions).toHaveLength(4);
    expect(notes).toHaveLength(4);
  });

  it('goes back to the standard when a line is taken out of the settings', () => {
    const deployed = { ...optioned, SetByOptions: 'none' };
    expect(settleOptions(awsOf(''), {}, deployed).values).toEqual(standard);
  });

  it('is nobody’s address any more where the settings say none', () => {
    expect(settleOptions(awsOf('alarmEmail: none'), {}, optioned).values.alarmEmail).toBe('');
    expect(settleOptions(awsOf(''), { alarmEmail: 'none' }, optioned).values.alarmEmail).toBe('');
  });
});

describe('an option is refused', () => {
  it.each([
    [
      'that contradicts the settings',
      'auditDays: 90',
      { auditDays: '400' },
      '--audit-days is 400, and aws.auditDays in the settings is 90.',
    ],
    ['that is no value of the setting', '', { auditDays: 'x' }, '--audit-days: must be a number from 1 to 36500.'],
  ])('%s', (_, aws, given, problem) => {
    expect(settleOptions(awsOf(aws), given, undefined).problems).toEqual([expect.stringContaining(problem)]);
  });

  it('only where it differs', () => {
    expect(settleOptions(awsOf('auditDays: 90'), { auditDays: '90' }, undefined).problems).toEqual([]);
  });
});

describe('the stack’s place', () => {
  it.each([
    ['is in the settings', 'region: eu-central-1, stage: test', {}, undefined, 'eu-central-1', 'test'],
    ['is said by options', '', { region: 'us-east-1', stage: 'lab' }, 'eu-west-1', 'us-east-1', 'lab'],
    ['is the environment’s region', '', {}, 'eu-west-1', 'eu-west-1', 'prod'],
  ])('%s', (_, aws, given, environment, region, stage) => {
    expect(resolvePlace(awsOf(aws), given, environment)).toEqual({ region, stage, problems: [] });
  });

  it.each([
    ['unknown', '', {}, 'aws.region: is missing'],
    [
      'contradicted',
      'region: eu-west-1',
      { region: 'eu-west-2' },
      '--region is eu-west-2, and aws.region in the settings is eu-west-1.',
    ],
  ])('is refused where it is %s', (_, aws, given, problem) => {
    expect(resolvePlace(awsOf(aws), given, undefined).problems).toEqual([expect.stringContaining(problem)]);
  });
});
