/**
 * `npm run deploy` to an account of moto's: several times, with other settings and options each time. What moto makes of
 * a template is its own matter; which parameters the stack has, and what is uploaded, is ours.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { CloudFormationClient, DescribeStacksCommand, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { renderDeployerPolicy } from '../../infra/plan/deployer-policy.ts';
import { planDeployment } from '../../infra/plan/deployment.ts';
import { compileCache } from '../cli/muster.ts';
import { isOnPath, needProgram } from '../needs.ts';
import { type Account, type AccountCall, startAccount } from '../peers/account.ts';
import { settingsOf, target } from './example.ts';
import { decide, type PolicyDocument } from './policy.ts';

if (isOnPath('moto_server')) {
  describe('npm run deploy, to moto', deployToMoto);
} else {
  test('npm run deploy, to moto', ({ skip }) => needProgram(skip, 'moto_server'));
}

const root = resolve(import.meta.dirname, '../..');
const sources = `
sources:
  - name: macs
    platform: jamf
    url: https://example.jamfcloud.com
    auth: { clientId: "aws-secret:muster/jamf#id", clientSecret: "aws-secret:muster/jamf#secret" }
    extensionAttribute: Agent Status
store: s3://example-muster
exemptions: lists/exemptions.csv
`;
const first = `${sources}audit: s3://example-muster-audit
aws: { region: eu-central-1, stage: lab, memory: 3008, tags: { costCentre: "4711" }, auditBucket: { key: own } }
`;
const second = `${sources}audit: s3://example-muster-audit
signing: kms:arn:aws:kms:eu-central-1:123456789012:key/5555abcd-12ab-34cd-56ef-1234567890ab
schedule: { cron: "30 22 * * 1-5", timezone: Europe/Berlin, healAfterHours: [1, 4] }
aws:
  region: eu-central-1
  stage: lab
  auditMode: COMPLIANCE
  timeout: 600
  compute: task
  image: 123456789012.dkr.ecr.eu-central-1.amazonaws.com/muster:1.0.0
  logRetention: 365
  vpc: { subnets: [subnet-0a1b2c3d], securityGroups: [sg-0a1b2c3d] }
  permissionsBoundary: "arn:aws:iam::123456789012:policy/boundary"
  athenaCutoffGigabytes: 2
  tenants: { folder: tenants }
`;
const tenant = sources
  .replaceAll('muster/jamf', 'muster/tenants/acme/jamf')
  .replace('s3://example-muster', 's3://example-muster/tenants/acme')
  .replace('lists/exemptions.csv', 'acme/exemptions.csv')
  .concat('schedule: { cron: "30 22 * * 1-5", timezone: Europe/Berlin, healAfterHours: [1, 4] }\n');

function deployToMoto(): void {
  let account: Account;
  let checkout: string;
  let clients: { readonly formation: CloudFormationClient; readonly s3: S3Client };

  beforeAll(async () => {
    account = await startAccount();
    const credentials = { accessKeyId: 'moto', secretAccessKey: 'moto' };
    const options = { endpoint: account.behind, credentials, region: 'eu-central-1' };
    clients = { formation: new CloudFormationClient(options), s3: new S3Client({ ...options, forcePathStyle: true }) };
    checkout = await copyCheckout();
  });
  afterAll(async () => {
    await account.close();
    await rm(checkout, { recursive: true });
  });

  async function deploy(settings: string, ...words: readonly string[]) {
    const file = join(checkout, 'settings', 'muster.yaml');
    await writeFile(file, settings);
    // Every five seconds, osls would ask how the stack gets on.
    const often = { SLS_AWS_MONITORING_FREQUENCY: '500' };
    const env = { PATH: process.env.PATH, HOME: checkout, ...compileCache, ...often, ...account.environment };
    return promisify(execFile)(process.execPath, [join(checkout, 'infra/deploy.ts'), '--settings', file, ...words], {
      env,
      maxBuffer: 16 * 1024 * 1024,
    }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (failed: { code: number; stdout: string; stderr: string }) => failed,
    );
  }

  async function parametersOf(stack: string): Promise<Record<string, string>> {
    const { Stacks: [found] = [] } = await clients.formation.send(new DescribeStacksCommand({ StackName: stack }));
    const entries = (found?.Parameters ?? []).map(({ ParameterKey = '', ParameterValue = '' }) => [
      ParameterKey,
      ParameterValue,
    ]);
    return Object.fromEntries(entries);
  }

  async function readUploaded(key: string): Promise<string> {
    const { Body } = await clients.s3.send(new GetObjectCommand({ Bucket: 'example-muster', Key: key }));
    return text(Body as NodeJS.ReadableStream);
  }

  /** Of the function, as the stack has it. */
  async function functionOf(stack: string): Promise<Record<string, unknown>> {
    const { TemplateBody = '' } = await clients.formation.send(new GetTemplateCommand({ StackName: stack }));
    return JSON.parse(TemplateBody).Resources.NightLambdaFunction.Properties;
  }

  it('makes the stack as the settings and the options say, protects it, and uploads what is pinned', async () => {
    const { code, stderr, stdout } = await deploy(first, '--alarm-email', 'a@example.com', '--audit-days', '800');
    expect({ code, stderr: code === 0 ? '' : stderr + stdout }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('aws.auditDays: 800, as an option said.');
    expect(await parametersOf('muster-lab')).toMatchObject({
      ReportBucketName: 'example-muster',
      AuditBucketName: 'example-muster-audit',
      AuditKeyOwn: 'true',
      AlarmEmail: 'a@example.com',
      AuditDays: '800',
      AuditExpiryDays: '801',
      AuditMode: 'GOVERNANCE',
      SetByOptions: 'alarmEmail,auditDays',
      ScheduleExpression: 'cron(15 5 * * ? *)',
      DeployerArns: 'arn:aws:sts::123456789012:user/moto',
    });
    expect([...account.protectedStacks]).toEqual(['muster-lab']);
    const uploaded = await readUploaded('settings/muster.yaml');
    expect(uploaded).toBe(first);
    const { SettingsSha256: pinned } = await parametersOf('muster-lab');
    expect(pinned).toBe(createHash('sha256').update(uploaded).digest('hex'));
    expect(await readUploaded('settings/lists/exemptions.csv')).toBe(exemptions);
    expect(await functionOf('muster-lab')).toMatchObject({
      MemorySize: 3008,
      Timeout: 900,
      Environment: { Variables: { MUSTER_SETTINGS_SHA256: { Ref: 'SettingsSha256' } } },
    });
  });

  it('deployed again with other settings and no option, is what the settings say, and keeps what options said', async () => {
    const { code, stderr, stdout } = await deploy(second);
    expect({ code, stderr: code === 0 ? '' : stderr + stdout }).toEqual({ code: 0, stderr: '' });
    expect(await parametersOf('muster-lab')).toMatchObject({
      AlarmEmail: 'a@example.com',
      AuditDays: '800',
      SetByOptions: 'alarmEmail,auditDays',
      AuditMode: 'COMPLIANCE',
      AuditKeyOwn: 'false',
      ScheduleExpression: 'cron(30 22 ? * 2,3,4,5,6 *)',
      ScheduleTimezone: 'Europe/Berlin',
      VerifyExpression: 'cron(30 6 ? * 1 *)',
      DurationAlarmMilliseconds: '5760000',
      SigningKeyArn: 'arn:aws:kms:eu-central-1:123456789012:key/5555abcd-12ab-34cd-56ef-1234567890ab',
      Compute: 'task',
      PermissionsBoundary: 'arn:aws:iam::123456789012:policy/boundary',
      Subnets: 'subnet-0a1b2c3d',
      SecurityGroups: 'sg-0a1b2c3d',
      AthenaCutoffBytes: '2147483648',
    });
    expect(await readUploaded('settings/muster.yaml')).toBe(second);
    expect(await functionOf('muster-lab')).toMatchObject({ MemorySize: 2048, Timeout: 600 });
    const { TemplateBody = '' } = await clients.formation.send(new GetTemplateCommand({ StackName: 'muster-lab' }));
    const { Resources } = JSON.parse(TemplateBody);
    expect(Resources.HealingSchedule1.Properties.ScheduleExpression).toBe('cron(30 23 ? * 2,3,4,5,6 *)');
    expect(Resources.HealingSchedule2.Properties.ScheduleExpression).toBe('cron(30 2 ? * 3,4,5,6,7 *)');
    expect(Resources.NightLogGroup.Properties.RetentionInDays).toBe(365);
    expect(Resources.TaskDefinition.Properties.ContainerDefinitions[0].Image).toContain('muster:1.0.0');
    const list = await readUploaded('settings/tenants.sha256');
    expect(list).toBe(`${createHash('sha256').update(tenant).digest('hex')}  acme.yaml\n`);
    expect(await readUploaded('settings/tenants/acme.yaml')).toBe(tenant);
    expect(await readUploaded('settings/tenants/acme/exemptions.csv')).toBe(exemptions);
    expect((await functionOf('muster-lab')).Environment).toMatchObject({
      Variables: { MUSTER_TENANTS_SHA256: createHash('sha256').update(list).digest('hex') },
    });
    expect(Resources.TenantMachine.Properties.Definition.StartAt).toBe('Run every tenant');
  });

  it('refuses a bucket that the stack of another stage has, before anything is changed', async () => {
    const before = account.calls.length;
    const { code, stderr } = await deploy(second.replace('stage: lab', 'stage: other'));
    expect(code).toBe(2);
    expect(stderr).toContain('exists already, and the stack muster-');
    expect(account.calls.slice(before).filter(isChange)).toEqual([]);
  });

  it('asks for nothing that the policy for who deploys does not allow', () => {
    const caller = 'arn:aws:sts::123456789012:user/moto';
    const files = [{ file: 'acme.yaml', body: Buffer.from(tenant) }];
    const { deployment } = planDeployment(settingsOf(second), { ...place, caller }, {}, files);
    if (deployment === undefined) {
      throw new Error('the settings can be deployed');
    }
    const policy = renderDeployerPolicy(deployment, place) as unknown as PolicyDocument;
    const asked = account.calls.map(requestOf);
    expect(new Set(asked.map(({ action }) => action)).size).toBeGreaterThan(8);
    const refused = asked.filter((request) => decide([policy], request) !== 'allowed');
    expect([...new Set(refused.map(({ action, resource }) => `${action} ${resource}`))]).toEqual([]);
  });
}

const place = { ...target, region: 'eu-central-1', stage: 'lab' };
const exemptions = 'match,value,source,reason,owner,expires\n';

/** Only what a deployment needs, so that nothing is built in the repository itself. */
async function copyCheckout(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-checkout-'));
  for (const part of ['infra', 'src', 'serverless.yml', 'package.json', 'tsconfig.json']) {
    await cp(join(root, part), join(folder, part), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  // What is built has tests of its own; here it only has to be what is deployed.
  const build = "import { mkdirSync, writeFileSync } from 'node:fs';\nmkdirSync('dist', { recursive: true });\n";
  await writeFile(join(folder, 'infra', 'bundle.ts'), `${build}writeFileSync('dist/lambda.mjs', 'export {};');\n`);
  await mkdir(join(folder, 'settings', 'lists'), { recursive: true });
  await writeFile(join(folder, 'settings', 'lists', 'exemptions.csv'), exemptions);
  await mkdir(join(folder, 'settings', 'tenants', 'acme'), { recursive: true });
  await writeFile(join(folder, 'settings', 'tenants', 'acme.yaml'), tenant);
  await writeFile(join(folder, 'settings', 'tenants', 'acme', 'exemptions.csv'), exemptions);
  return folder;
}

function isChange({ action, method }: AccountCall): boolean {
  return /^(Create|Update|Delete|Put)/.test(action) || method === 'PUT' || method === 'DELETE';
}

/** What IAM would be asked for a call, by the service's own names of actions and resources. */
function requestOf({ service, action, method, path }: AccountCall) {
  const arn = (of: string, resource: string) => `arn:aws:${of}:eu-central-1:123456789012:${resource}`;
  const context = {};
  switch (service) {
    case 'sts':
      // Needs no permission: https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html
      return { action: 'cloudformation:ValidateTemplate', resource: '*', context };
    case 'cloudformation':
      return {
        action: `cloudformation:${action}`,
        resource: action === 'ValidateTemplate' ? '*' : arn('cloudformation', 'stack/muster-lab/1'),
        context,
      };
    case 'lambda':
      return { action: 'lambda:GetFunction', resource: arn('lambda', 'function:muster-lab-night'), context };
    case 's3': {
      const [, bucket = '', ...key] = path.split('/');
      const isObject = key.join('/') !== '';
      const verbs: Record<string, string> = {
        GET: 'GetObject',
        HEAD: 'GetObject',
        PUT: 'PutObject',
        DELETE: 'DeleteObject',
        POST: 'DeleteObject',
      };
      const verb = isObject ? verbs[method] : method === 'POST' ? 'DeleteObject' : 'ListBucket';
      const resource = `arn:aws:s3:::${bucket}${isObject ? `/${key.join('/')}` : method === 'POST' ? '/any' : ''}`;
      return { action: `s3:${verb}`, resource, context };
    }
    default:
      throw new Error(`a deployment asked ${service} for ${action}`);
  }
}
