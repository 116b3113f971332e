/**
 * `npm run deploy -- --settings muster.yaml`: one truth, `muster.yaml`, brought to AWS. Reads it, builds, deploys the
 * stack and uploads it; refuses settings that cannot run there before anything is changed.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { HeadBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { buildAwsClientOptions } from '../src/aws/client.ts';
import { MusterError } from '../src/base/errors.ts';
import { omitUndefined } from '../src/base/omit-undefined.ts';
import { computeSha256 } from '../src/base/sha256.ts';
import { type LoadedSettings, loadSettings } from '../src/compose/load-settings.ts';
import { findProxyFailure } from '../src/http/connection-failures.ts';
import { prepareNetwork } from '../src/http/prepare-network.ts';
import { parsePeopleFile } from '../src/settings/people/people-files.ts';
import { tenantSettingsFolder, toHashesAddress } from '../src/settings/tenants.ts';
import { parseTrustedKeys } from '../src/storage/signing/parse-keys.ts';
import { describeChanges } from './plan/changes.ts';
import { parseTemplate, type Template } from './plan/deployed.ts';
import { renderDeployerPolicy } from './plan/deployer-policy.ts';
import { type Deployment, planDeployment, type Target } from './plan/deployment.ts';
import { type GivenOptions, resolvePlace } from './plan/options.ts';
import type { NamedDocument } from './plan/settings-parts.ts';
import { planSkippedStarts } from './plan/skipped-starts.ts';
import { type TenantFile, toTenantKey } from './plan/tenant-plan.ts';
import { renderAuditOwnerTemplate, renderReportOwnerTemplate } from './stack/owner-templates.ts';
import type { StackSettings } from './stack/stack-settings.ts';

const root = resolve(import.meta.dirname, '..');

const help = `npm run deploy -- [--settings muster.yaml]
  Everything about the deployment stands in the block aws of the settings. An option says what the settings do not say,
  and stays deployed until they say something else:
  --stage prod                   the stack is muster-<stage>
  --region eu-west-1             where it is deployed
  --alarm-email ADDRESS          who receives the alarms (confirms by a link in a mail)
  --reserved-concurrency N       keep N of the account's concurrency for the function
  --audit-mode MODE              GOVERNANCE or COMPLIANCE, for the audit bucket
  --audit-days N                 how long commits are locked
  Instead of deploying:
  --dry-run                      show what would be made, changed and removed; changes nothing
  --deployer-policy              print the policy of a role that may deploy these settings, for CI
  --owner-template report|audit  print the template for the account that keeps the bucket
`;

async function deploy(): Promise<number> {
  const { values } = parseArgs({ options: commandLine });
  if (values.help) {
    print(help);
    return 0;
  }
  prepareNetwork(process.env);
  const loaded = await loadSettings(values.settings, process.env, 'none');
  const { region, stage, problems: placeProblems } = resolvePlace(loaded.settings.aws, values, process.env.AWS_REGION);
  const target = await describeTarget({ region, stage }, values['dry-run']);
  const tenantFiles = await readTenantFiles(loaded);
  const { deployment, problems } = planDeployment(loaded.settings, target, readGivenOptions(values), tenantFiles);
  const skipped = planSkippedStarts(loaded.settings.schedule, new Date());
  const allProblems = [...placeProblems, ...problems, ...skipped.problems];
  if (deployment === undefined || allProblems.length > 0) {
    const lines = allProblems.map((line) => `  ${line}`);
    print(`The settings in ${loaded.file} cannot run on AWS yet:\n${lines.join('\n')}`);
    return 2;
  }
  const printed = renderInstead(values, deployment, target);
  if (printed !== undefined) {
    print(JSON.stringify(printed, null, 2));
    return 0;
  }
  const settings = await readFile(loaded.file);
  const stack = { ...deployment.stack, settingsSha256: computeSha256(settings) };
  for (const line of [...skipped.notes, ...deployment.notes]) {
    print(line);
  }
  print(`muster-${stage} in account ${target.account}, ${region}`);
  const documents = [
    ...(await readDocuments(loaded.folder, deployment.documents, (path) => `settings/${path.replaceAll('\\', '/')}`)),
    ...(await readTenantUploads(loaded, deployment, tenantFiles)),
  ];
  if (target.account === noAccount.account) {
    print('AWS gave no credentials, so this is not compared with what is deployed. The settings can be deployed.');
    return 0;
  }
  await refuseForeignBuckets(target, deployment);
  await run([join(root, 'infra', 'bundle.ts')]);
  if (values['dry-run']) {
    const changes = describeChanges(target.deployed, await packageStack(stack, region));
    print(changes.map((line) => `  ${line}`).join('\n'));
    return 0;
  }
  await withStackFile(stack, (file) => runOsls('deploy', stack, region, file));
  const { bucket, owner = target.account } = stack.reports;
  await upload({ region, bucket, owner }, [['settings/muster.yaml', settings], ...documents]);
  print(`Deployed. The first run by hand:
  aws lambda invoke --region ${region} --function-name muster-${stage}-night --invocation-type Event --cli-binary-format raw-in-base64-out --payload '{}' /dev/stdout`);
  return 0;
}

const commandLine = {
  settings: { type: 'string' },
  stage: { type: 'string' },
  region: { type: 'string' },
  'alarm-email': { type: 'string' },
  'reserved-concurrency': { type: 'string' },
  'audit-mode': { type: 'string' },
  'audit-days': { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  'deployer-policy': { type: 'boolean', default: false },
  'owner-template': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

type Given = ReturnType<typeof parseArgs<{ options: typeof commandLine }>>['values'];

function readGivenOptions(values: Given): GivenOptions {
  return omitUndefined({
    alarmEmail: values['alarm-email'],
    reservedConcurrency: values['reserved-concurrency'],
    auditMode: values['audit-mode'],
    auditDays: values['audit-days'],
  });
}

function renderInstead(values: Given, deployment: Deployment, target: Target): object | undefined {
  const { report, audit } = deployment.owners;
  switch (values['owner-template']) {
    case 'report':
      return renderReportOwnerTemplate(report);
    case 'audit':
      if (audit !== undefined) {
        return renderAuditOwnerTemplate(audit);
      }
      throw new MusterError('command-line', 'The settings name no audit bucket (audit: s3://bucket).');
    case undefined:
      return values['deployer-policy'] ? renderDeployerPolicy(deployment, target) : undefined;
    default:
      throw new MusterError('command-line', `--owner-template is ${values['owner-template']}; it is report or audit.`);
  }
}

/** Without an account, a dry run still says whether the settings can be deployed. */
const noAccount = { account: '000000000000', caller: 'arn:aws:iam::000000000000:user/you' };

async function describeTarget(place: Pick<Target, 'region' | 'stage'>, isDryRun: boolean): Promise<Target> {
  if (place.region === '') {
    return { ...place, ...noAccount };
  }
  try {
    const client = new STSClient({ ...buildAwsClientOptions(), region: place.region });
    const { Account: account = '', Arn: caller = '' } = await client.send(new GetCallerIdentityCommand({}));
    return omitUndefined({ ...place, account, caller, deployed: await readDeployedTemplate(place) });
  } catch (error) {
    if (isDryRun && error instanceof Error && error.name === 'CredentialsProviderError') {
      return { ...place, ...noAccount };
    }
    throw error;
  }
}

async function readDeployedTemplate({ region, stage }: Pick<Target, 'region' | 'stage'>) {
  try {
    const command = new GetTemplateCommand({ StackName: `muster-${stage}` });
    const { TemplateBody = '' } = await new CloudFormationClient({ ...buildAwsClientOptions(), region }).send(command);
    return parseTemplate(TemplateBody);
  } catch (error) {
    if (error instanceof Error && error.name === 'ValidationError' && /does not exist/.test(error.message)) {
      return undefined;
    }
    throw error;
  }
}

/** Most often another stage or region, whose stack has the bucket: with it, the whole deployment would go astray. */
async function refuseForeignBuckets({ region, stage }: Target, { newBuckets }: Deployment): Promise<void> {
  const client = new S3Client({ ...buildAwsClientOptions(), region });
  for (const bucket of newBuckets) {
    const isThere = await client.send(new HeadBucketCommand({ Bucket: bucket })).then(
      () => true,
      (error: unknown) => !(error instanceof Error && error.name === 'NotFound'),
    );
    if (isThere) {
      throw new MusterError(
        'settings-invalid',
        `The bucket ${bucket} exists already, and the stack muster-${stage} in ${region} did not make it. If another stack did, ` +
          'write its region and stage into the settings (aws: { region, stage }); if it is to be used as it is, its account ' +
          '(aws.reportBucket.owner, aws.auditBucket.owner); else choose another name. Nothing was deployed.',
      );
    }
  }
}

/** A document is read with the same eyes as a run will, so that a broken file is refused here. */
function readDocuments(folder: string, documents: readonly NamedDocument[], toKey: (path: string) => string) {
  const read = documents.map(async ({ path, setting }): Promise<Upload> => {
    const file = join(folder, path);
    const body = await readFile(file);
    // A list that is not as it should be fails no run.
    if (setting === 'exemptions' || setting === 'acknowledged' || setting === 'notes') {
      parsePeopleFile(setting, body, file);
    } else if (setting === 'publicKeys') {
      parseTrustedKeys(body, file);
    }
    return [toKey(path), body];
  });
  return Promise.all(read);
}

/** What lies directly in the folder is a tenant; what their settings name lies in folders of theirs. */
async function readTenantFiles({ folder, settings }: LoadedSettings): Promise<readonly TenantFile[]> {
  const { tenants } = settings.aws;
  if (tenants === undefined) {
    return [];
  }
  const place = join(folder, tenants.folder);
  const entries = await readdir(place, { withFileTypes: true }).catch((cause: unknown) => {
    const sentence = `The folder ${place} (aws.tenants.folder) could not be read. Name one beside the settings.`;
    throw new MusterError('settings-unreadable', sentence, { cause });
  });
  const names = entries.flatMap((entry) => (entry.isFile() && !entry.name.startsWith('.') ? [entry.name] : [])).sort();
  return Promise.all(names.map(async (file) => ({ file, body: await readFile(join(place, file)) })));
}

async function readTenantUploads(
  { folder, settings }: LoadedSettings,
  { tenants }: Deployment,
  files: readonly TenantFile[],
): Promise<Upload[]> {
  const place = join(folder, settings.aws.tenants?.folder ?? '');
  const list: Upload = [toHashesAddress(tenantSettingsFolder), Buffer.from(tenants.hashes)];
  const settingsFiles = files.map(({ file, body }): Upload => [toTenantKey(file), body]);
  const documents = await readDocuments(place, tenants.documents, toTenantKey);
  return files.length === 0 ? [] : [list, ...settingsFiles, ...documents];
}

type Upload = [key: string, body: Buffer];

interface Destination {
  readonly region: string;
  readonly bucket: string;
  readonly owner: string;
}

async function upload({ region, bucket, owner }: Destination, files: readonly Upload[]) {
  const client = new S3Client({ ...buildAwsClientOptions(), region });
  for (const [Key, Body] of files) {
    await putObject(client, { Bucket: bucket, Key, Body, ExpectedBucketOwner: owner });
    print(`Uploaded s3://${bucket}/${Key}`);
  }
}

/** A bucket's policy that names a new deployer takes some seconds to be known everywhere. */
const waits = [1_000, 2_000, 5_000, 10_000, 20_000];

async function putObject(client: S3Client, input: PutObjectCommand['input'], attempt = 0): Promise<void> {
  try {
    await client.send(new PutObjectCommand(input));
  } catch (error) {
    const wait = waits[attempt];
    if (wait === undefined || !(error instanceof Error && error.name === 'AccessDenied')) {
      throw error;
    }
    await sleep(wait);
    await putObject(client, input, attempt + 1);
  }
}

/** The template as osls would deploy it. */
function packageStack(stack: StackSettings, region: string): Promise<Template> {
  return withStackFile(stack, async (file) => {
    const folder = join(file, '..', 'packaged');
    await runOsls('package', stack, region, file, `--package=${folder}`);
    return parseTemplate(await readFile(join(folder, 'cloudformation-template-update-stack.json'), 'utf8'));
  });
}

/** `stack.cjs` reads the file. */
async function withStackFile<Result>(stack: StackSettings, use: (file: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-deploy-'));
  try {
    const file = join(folder, 'stack.json');
    await writeFile(file, JSON.stringify(stack));
    return await use(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function runOsls(command: string, { stage }: StackSettings, region: string, file: string, ...more: readonly string[]) {
  const osls = join(root, 'node_modules', 'osls', 'bin', 'serverless.js');
  return run([osls, command, '--stage', stage, '--region', region, `--param=stack=${file}`, ...more]);
}

function run(given: readonly string[]): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, given, { cwd: root, stdio: 'inherit' });
    child.once('error', fail);
    child.once('exit', (code) => (code === 0 ? done() : fail(new Error(`${given[0]} ended with ${code}.`))));
  });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const inputCodes: readonly string[] = ['command-line', 'settings-unreadable', 'settings-invalid'];

try {
  process.exitCode = await deploy();
} catch (error) {
  const isOurs = error instanceof MusterError;
  const message = describeFailure(error);
  process.stderr.write(`${isOurs ? `[${error.code}] ` : ''}${message}\n`);
  const isInput = isOurs ? inputCodes.includes(error.code) : isParseError(error);
  process.exitCode = isInput ? 2 : 1;
}

/** The clients of AWS say only that there was no answer. */
function describeFailure(error: unknown): string {
  const proxyFailure = error instanceof MusterError ? undefined : findProxyFailure(error);
  if (proxyFailure !== undefined) {
    return `AWS could not be reached, since ${proxyFailure.sentence}. ${proxyFailure.advice}`;
  }
  return error instanceof Error ? error.message : String(error);
}

/** Of `parseArgs`. */
function isParseError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
