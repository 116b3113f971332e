import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseTemplate } from '../../infra/plan/deployed.ts';
import { planDeployment } from '../../infra/plan/deployment.ts';
import { compileCache } from '../compile-cache.ts';
import { startForwardingProxy } from '../peers/forwarding-proxy.ts';
import { everySetting, settingsOf, stackOf, target } from './example.ts';
import { readTemplate } from './template.ts';

const smallest = everySetting
  .slice(0, everySetting.indexOf('audit:'))
  .replace(/auth: \{.*\}/g, (auth) =>
    auth.includes('federated') ? auth : 'auth: { username: reader, password: aws-secret:jamf }',
  );

function problemsOf(yaml: string, more: Partial<typeof target> = {}): readonly string[] {
  return planDeployment(settingsOf(yaml), { ...target, ...more }).problems;
}

describe('a deployment', () => {
  it.each([
    ['a user', 'arn:aws:iam::123456789012:user/ops/me', ['arn:aws:iam::123456789012:user/ops/me']],
    [
      'a role, whatever its path',
      'arn:aws-cn:sts::123456789012:assumed-role/ci/build-7',
      ['arn:aws-cn:iam::123456789012:role/ci', 'arn:aws-cn:iam::123456789012:role/*/ci'],
    ],
  ])('lets %s that deploys write the settings', (_, caller, patterns) => {
    const { deployment } = planDeployment(settingsOf(smallest), { ...target, caller });
    expect(deployment?.stack.deployers).toEqual(patterns);
  });

  it('lets those write the settings whom the settings name, and the deployer must be among them', () => {
    const named = (role: string) => `${smallest}\naws: { deployers: ["arn:aws:iam::123456789012:role/ci/${role}"] }`;
    expect(stackOf(named('deploy')).deployers).toEqual(['arn:aws:iam::123456789012:role/ci/deploy']);
    expect(problemsOf(named('other'))).toEqual([expect.stringContaining('aws.deployers: does not name')]);
  });

  it('knows which buckets the stack does not have yet', () => {
    const plan = (yaml: string, template = '{"Resources":{}}') =>
      planDeployment(settingsOf(yaml), { ...target, deployed: parseTemplate(template) }).deployment?.newBuckets;
    const both = `${smallest}\naudit: s3://acme-audit`;
    expect(plan(both)).toEqual(['acme-muster', 'acme-audit']);
    expect(plan(both, JSON.stringify(readTemplate(stackOf(smallest))))).toEqual(['acme-audit']);
    expect(plan(`${both}\naws: { auditBucket: { owner: "210987654321" } }`)).toEqual(['acme-muster']);
  });

  it('goes on with a stack that an earlier version deployed, which has parameters', () => {
    const value = (Ref: string) => ({ Ref });
    const template = {
      Parameters: {
        ...{ ReportBucketName: { Default: 'acme-muster' }, AuditMode: { Default: 'COMPLIANCE' } },
        ...{ AuditDays: { Default: '400' }, SetByOptions: { Default: 'auditMode' } },
      },
      Resources: { ReportBucket: { Type: 'AWS::S3::Bucket', Properties: { BucketName: value('ReportBucketName') } } },
      Outputs: { SetByOptions: { Value: value('SetByOptions') } },
    };
    const deployed = parseTemplate(JSON.stringify(template));
    expect(deployed.options).toEqual({ auditMode: 'COMPLIANCE' });
    const { deployment } = planDeployment(settingsOf(`${smallest}\naudit: s3://acme-audit`), { ...target, deployed });
    expect(deployment?.newBuckets).toEqual(['acme-audit']);
    expect(deployment?.stack).toMatchObject({ audit: { mode: 'COMPLIANCE' }, setByOptions: deployed.options });
  });

  it('takes an ARN as it is, in whatever account', () => {
    const arn = 'arn:aws:secretsmanager:eu-west-1:999999999999:secret:jamf-AbCdEf';
    expect(stackOf(smallest.replace('aws-secret:jamf', `aws-secret:${arn}#password`)).secrets).toEqual([arn]);
  });

  it('names the partition and audience of other clouds', () => {
    const settings = settingsOf(smallest.replace('federated: aws }', 'federated: aws }\n    cloud: china'));
    const { deployment } = planDeployment(settings, { ...target, region: 'cn-north-1' });
    expect(deployment?.stack).toMatchObject({
      secrets: ['arn:aws-cn:secretsmanager:cn-north-1:123456789012:secret:jamf-??????'],
      audiences: ['api://AzureADTokenExchangeChina'],
    });
  });

  it('allows the audience of a channel that signs in without a secret', () => {
    const channel =
      '{ type: graph-mail, from: a@example.com, to: [b@example.com], tenantId: example.com, auth: { clientId: id, federated: aws }, cloud: usgov }';
    expect(stackOf(`${smallest}\nalerts: { channels: [${channel}] }\n`).audiences).toEqual([
      ...['api://AzureADTokenExchange', 'api://AzureADTokenExchangeUSGov'],
    ]);
  });

  it('uploads the file of public keys, which a run and a verification read', () => {
    const { deployment } = planDeployment(settingsOf(`${smallest}\npublicKeys: public.pem`), target);
    expect(deployment?.documents).toEqual([{ setting: 'publicKeys', path: 'public.pem' }]);
  });

  it('uploads lists of machines that lie beside the settings, and lets the function read those in buckets', () => {
    const files = '[{ file: lists/own.csv }, { file: "s3://example-lists/apple.csv" }]';
    const { deployment } = planDeployment(settingsOf(`${smallest}\nlists: { expected: ${files} }`), target);
    expect(deployment?.documents).toEqual([{ setting: 'lists.expected', path: 'lists/own.csv' }]);
    expect(deployment?.stack.documents).toEqual(['arn:aws:s3:::example-lists/apple.csv']);
  });

  it.each([
    ['a folder as store', smallest.replace('s3://acme-muster/prod', './muster-data'), 'store: must be s3://bucket'],
    [
      'a key in a file',
      `${smallest}\nsigning: file:key.pem\npublicKeys: keys.pem`,
      'signing: must be kms:KEY_ARN on AWS.',
    ],
    ['a prefix that stands for more', `${smallest}\naudit: s3://acme-audit/a*`, 'audit: must have a prefix without'],
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
      // No account, also none that the machine would give.
      env: { ...compileCache, AWS_EC2_METADATA_DISABLED: 'true', ...environment },
    }).catch((failed: { stdout: string; stderr: string; code: number }) => failed);

  it('says that the settings can be deployed, without an account', async () => {
    const { stdout } = await deploy(
      '--dry-run',
      ...['--settings', join(folder, 'muster.yaml'), '--region', 'eu-west-1', '--alarm-email', 'a@example.com'],
    );
    expect(stdout).toContain('muster-prod in account 000000000000, eu-west-1');
    expect(stdout).toContain('aws.alarmEmail: a@example.com, as an option said.');
    expect(stdout).toContain('They are not compared with what is deployed');
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
