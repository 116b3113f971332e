import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planDeployment } from '../../infra/plan/deployment.ts';
import { parameterNames } from '../../infra/stack/parameters.ts';
import { compileCache } from '../compile-cache.ts';
import { startForwardingProxy } from '../peers/forwarding-proxy.ts';
import { asTask, everySetting, parametersOf, settingsOf, target, withTenants } from './example.ts';

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

  it('allows the audience of a channel that signs in without a secret', () => {
    const channel =
      '{ type: graph-mail, from: a@example.com, to: [b@example.com], tenantId: example.com, auth: { clientId: id, federated: aws }, cloud: usgov }';
    expect(parametersOf(`${smallest}\nalerts: { channels: [${channel}] }\n`).tokenAudiences).toBe(
      'api://AzureADTokenExchange,api://AzureADTokenExchangeUSGov',
    );
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

  let environment: Readonly<Record<string, string>> = {};
  const deploy = (...given: string[]) =>
    promisify(execFile)(process.execPath, [resolve(import.meta.dirname, '../../infra/deploy.ts'), ...given], {
      env: { ...compileCache, ...environment },
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

  it('says on which date clocks skip the start, and ends with 2 where no healing start follows it [C13]', async () => {
    const schedule = (hours: string) => `schedule: { cron: "30 2 * * *", timezone: Europe/Berlin${hours} }`;
    await writeFile(join(folder, 'skipped.yaml'), `${smallest}\n${schedule('')}`);
    await writeFile(join(folder, 'lost.yaml'), `${smallest}\n${schedule(', healAfterHours: []')}`);
    const plan = (file: string) => deploy('--dry-run', '--region', 'eu-west-1', '--settings', join(folder, file));
    expect((await plan('skipped.yaml')).stdout).toMatch(
      /skip 02:30 on 20\d\d-03-\d\d.* at 04:30 on 20.* makes the run/,
    );
    const refused = await plan('lost.yaml');
    expect(refused).toMatchObject({ code: 2, stdout: expect.stringMatching(/skip 02:30 on 20\d\d-03-\d\d/) });
  });

  it('asks AWS through the proxy of the environment, and names the one that refuses [W2]', async () => {
    const proxy = await startForwardingProxy({ routes: {}, password: 'anna:right' });
    const HTTPS_PROXY = `http://anna:hidden@127.0.0.1:${proxy.port}`;
    environment = { HTTPS_PROXY, AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'hidden' };
    const failed = await deploy('--settings', join(folder, 'muster.yaml'), '--region', 'eu-west-1');
    environment = {};
    await proxy.die();
    expect(proxy.requests).toEqual(['CONNECT sts.eu-west-1.amazonaws.com:443']);
    expect(failed).toMatchObject({
      code: 1,
      stderr: `AWS could not be reached, since the proxy http://127.0.0.1:${proxy.port} answered 407. Put a current user and password into the address of the proxy (HTTPS_PROXY).\n`,
    });
  });

  it('ends with 2 where there are no settings', async () => {
    const failed = await deploy('--dry-run', '--settings', join(folder, 'none.yaml'));
    expect(failed).toMatchObject({ code: 2 });
    expect(failed.stderr).toContain('[settings-unreadable]');
  });
});
