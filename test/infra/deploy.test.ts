/**
 * `npm run deploy` to an account of moto's, with everything that a stack can have, and again without the options. What moto makes of
 * a template is its own matter; the template, and what is uploaded, is ours.
 */
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { CreateBucketCommand, GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { Template } from '../../infra/plan/deployed.ts';
import { renderDeployerPolicy } from '../../infra/plan/deployer-policy.ts';
import { type Deployment, planDeployment } from '../../infra/plan/deployment.ts';
import type { GivenOptions } from '../../infra/plan/options.ts';
import { renderFunctionEnvironment, renderStack } from '../../infra/stack/stack.ts';
import { computeSha256 } from '../../src/base/sha256.ts';
import { isOnPath, needProgram } from '../needs.ts';
import { type Account, type AccountCall, startAccount } from '../peers/account.ts';
import { settingsOf, target } from './example.ts';
import { oslsCache } from './packaged.ts';
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
const settings = `${sources}audit: s3://example-muster-audit
signing: kms:arn:aws:kms:eu-central-1:123456789012:key/5555abcd-12ab-34cd-56ef-1234567890ab
publicKeys: public-keys.pem
schedule: { cron: "30 22 * * 1-5", timezone: Europe/Berlin, healAfterHours: [1, 4] }
aws:
  region: eu-central-1
  stage: lab
  auditMode: COMPLIANCE
  auditBucket: { key: own }
  memory: 3008
  timeout: 600
  compute: task
  image: 123456789012.dkr.ecr.eu-central-1.amazonaws.com/muster:1.0.0
  logRetention: 365
  vpc: { subnets: [subnet-0a1b2c3d], securityGroups: [sg-0a1b2c3d] }
  permissionsBoundary: "arn:aws:iam::123456789012:policy/boundary"
  athenaCutoffGigabytes: 2
  tags: { costCentre: "4711" }
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

  async function deployWith(more: Readonly<Record<string, string>>, yaml: string, ...words: readonly string[]) {
    const file = join(checkout, 'settings', 'muster.yaml');
    await writeFile(file, yaml);
    // Every five seconds, osls would ask how the stack gets on.
    const often = { SLS_AWS_MONITORING_FREQUENCY: '500' };
    const env = { PATH: process.env.PATH, HOME: checkout, ...oslsCache, ...often, ...account.environment, ...more };
    return promisify(execFile)(process.execPath, [join(checkout, 'infra/deploy.ts'), '--settings', file, ...words], {
      env,
      maxBuffer: 16 * 1024 * 1024,
    }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (failed: { code: number; stdout: string; stderr: string }) => failed,
    );
  }

  const deploy = (yaml: string, ...words: readonly string[]) => deployWith({}, yaml, ...words);

  async function readTemplate(): Promise<Template> {
    const { TemplateBody = '' } = await clients.formation.send(new GetTemplateCommand({ StackName: 'muster-lab' }));
    return JSON.parse(TemplateBody) as Template;
  }

  async function readUploaded(key: string): Promise<string> {
    const { Body } = await clients.s3.send(new GetObjectCommand({ Bucket: 'example-muster', Key: key }));
    return text(Body as NodeJS.ReadableStream);
  }

  it('makes the stack as the settings and the options say, protects it, and uploads what is pinned', async () => {
    const { code, stderr, stdout } = await deploy(settings, '--alarm-email', 'a@example.com', '--audit-days', '800');
    expect({ code, stderr: code === 0 ? '' : stderr + stdout }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('aws.auditDays: 800, as an option said.');
    const template = await readTemplate();
    expect([...account.protectedStacks]).toEqual(['muster-lab']);
    const uploaded = await readUploaded('settings/muster.yaml');
    expect(uploaded).toBe(settings);
    expect(await readUploaded('settings/lists/exemptions.csv')).toBe(exemptions);
    expect(await readUploaded('settings/public-keys.pem')).toBe(publicKeys);
    const list = await readUploaded('settings/tenants.sha256');
    expect(list).toBe(`${computeSha256(tenant)}  acme.yaml\n`);
    expect(await readUploaded('settings/tenants/acme.yaml')).toBe(tenant);
    expect(await readUploaded('settings/tenants/acme/exemptions.csv')).toBe(exemptions);

    const stack = {
      ...planAll({ alarmEmail: 'a@example.com', auditDays: '800' }).stack,
      settingsSha256: computeSha256(uploaded),
    };
    expect(stack).toMatchObject({ reservedConcurrency: 0, audit: { mode: 'COMPLIANCE', days: 800 } });
    const { NightLambdaFunction, ...ours } = toJson(renderStack(stack).Resources);
    expect(template.Resources).toMatchObject(ours);
    expect(Object.keys(template).filter((name) => ['Parameters', 'Conditions'].includes(name))).toEqual([]);
    expect(template.Resources.NightLambdaFunction?.Properties).toMatchObject({
      ...{ MemorySize: 3008, Timeout: 600, VpcConfig: { SubnetIds: ['subnet-0a1b2c3d'] } },
      Environment: { Variables: renderFunctionEnvironment(stack) },
    });
    expect(template.Resources.NightLogGroup?.Properties).toMatchObject({ RetentionInDays: 365 });
  });

  it('shows what a deployment would make, change and remove, and changes nothing', async () => {
    const before = account.calls.length;
    const yaml = settings
      .replace('  tenants: { folder: tenants }\n', '')
      .replace('memory: 3008', 'memory: 2048')
      .replace('audit: s3://example-muster-audit\n', '');
    const { code, stdout, stderr } = await deploy(`${yaml}lists: {}\n`, '--dry-run');
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.split('\n').map((line) => line.trim());
    expect(lines).toEqual(
      expect.arrayContaining([
        'change  NightLambdaFunction (AWS::Lambda::Function)',
        'Properties.MemorySize: 3008 → 2048',
        'remove  TenantMachine (AWS::StepFunctions::StateMachine)',
        'remove  AuditBucket (AWS::S3::Bucket): leaves the stack, and AWS keeps it',
        expect.stringMatching(/^0 to make, \d+ to change, \d+ to remove; \d+ stay as they are\.$/),
      ]),
    );
    expect(lines.filter((line) => line.includes('ReportBucket (') || line.includes('S3Key'))).toEqual([]);
    expect(account.calls.slice(before).filter(isChange)).toEqual([]);
  });

  it('asks for nothing that the policy for who deploys does not allow', () => {
    const deployment = planAll();
    const policy = renderDeployerPolicy(deployment, place) as unknown as PolicyDocument;
    const asked = account.calls.map(requestOf);
    expect(new Set(asked.map(({ action }) => action)).size).toBeGreaterThan(8);
    const refused = asked.filter((request) => decide([policy], request) !== 'allowed');
    expect([...new Set(refused.map(({ action, resource }) => `${action} ${resource}`))]).toEqual([]);
  });

  it('keeps what options said once, and refuses a bucket that is somebody’s before anything is changed', async () => {
    const LocationConstraint = 'eu-central-1';
    await clients.s3.send(
      new CreateBucketCommand({ Bucket: 'somebodys', CreateBucketConfiguration: { LocationConstraint } }),
    );
    const before = account.calls.length;
    const { code, stdout, stderr } = await deploy(settings.replace('example-muster-audit', 'somebodys'));
    expect(code).toBe(2);
    for (const line of ['aws.alarmEmail: a@example.com', 'aws.auditDays: 800']) {
      expect(stdout).toContain(`${line}, as an option said.`);
    }
    expect(stderr).toContain('The bucket somebodys exists already, and the stack muster-lab');
    expect(account.calls.slice(before).filter(isChange)).toEqual([]);
  });

  it('A8, A13: asks AWS for nothing where no certificate is checked, and changes nothing with keys that it cannot read', async () => {
    const before = account.calls.length;
    expect(await deployWith({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, settings)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^\[settings-invalid\] NODE_TLS_REJECT_UNAUTHORIZED is 0, .*Nothing was sent/),
    });
    expect(account.calls.length).toBe(before);
    const file = join(checkout, 'settings', 'public-keys.pem');
    await writeFile(file, publicKeys.replace('from', 'From'));
    const { code, stderr } = await deploy(settings, '--alarm-email', 'a@example.com');
    await writeFile(file, publicKeys);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('line 1 is not understood ("From 1")'),
    });
    expect(account.calls.slice(before).filter(isChange)).toEqual([]);
  });
}

const place = { ...target, region: 'eu-central-1', stage: 'lab', caller: 'arn:aws:sts::123456789012:user/moto' };

function planAll(given: GivenOptions = {}): Deployment {
  const files = [{ file: 'acme.yaml', body: Buffer.from(tenant) }];
  const { deployment, problems } = planDeployment(settingsOf(settings), place, given, files);
  if (deployment === undefined) {
    throw new Error(problems.join('\n'));
  }
  return deployment;
}

/** JSON leaves out properties that are undefined. */
function toJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

const exemptions = 'match,value,source,reason,owner,expires\n';
const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const publicKeys = `from 1\n${publicKey.export({ type: 'spki', format: 'pem' })}`;

/** Only what a deployment needs, so that nothing is built in the repository itself. */
async function copyCheckout(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-checkout-'));
  for (const part of ['infra', 'src', 'serverless.yml', 'package.json', 'package-lock.json', 'tsconfig.json']) {
    await cp(join(root, part), join(folder, part), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  // What is built has tests of its own; here it only has to be what is deployed.
  const build = "import { mkdirSync, writeFileSync } from 'node:fs';\nmkdirSync('dist', { recursive: true });\n";
  await writeFile(join(folder, 'infra', 'bundle.ts'), `${build}writeFileSync('dist/lambda.mjs', 'export {};');\n`);
  await mkdir(join(folder, 'settings', 'lists'), { recursive: true });
  await writeFile(join(folder, 'settings', 'lists', 'exemptions.csv'), exemptions);
  await writeFile(join(folder, 'settings', 'public-keys.pem'), publicKeys);
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
