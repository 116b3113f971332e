/**
 * `npm run deploy -- --settings muster.yaml`: one truth, `muster.yaml`, brought to AWS. Reads it, builds, deploys the
 * stack and uploads it; refuses settings that cannot run there before anything is asked of AWS.
 */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { type LoadedSettings, loadSettings } from '../src/compose/load-settings.ts';
import { MusterError } from '../src/errors.ts';
import { parseExemptions } from '../src/settings/exemptions-file.ts';
import { type Deployment, planDeployment, type Wishes } from './deployment.ts';
import { scheduleWarning } from './schedule.ts';

const root = resolve(import.meta.dirname, '..');

const help = `npm run deploy -- [--settings muster.yaml] [--stage prod] [--region eu-west-1]
  --alarm-email ADDRESS          who hears the alarms (confirms by a link in a mail); keeps nobody when left out
  --reserved-concurrency N       keep N of the account's concurrency for the night
  --audit-mode MODE              GOVERNANCE (default) or COMPLIANCE, for the audit bucket
  --audit-days N                 how long manifests are locked (default 400)
  --dry-run                      say what would be deployed, and ask nothing of AWS
`;

async function deploy(): Promise<number> {
  const options = readOptions();
  if (options === undefined) {
    return 0;
  }
  const { stage, region, isDryRun, wishes } = options;
  const loaded = await loadSettings(options.settings, process.env, false);
  const account = isDryRun ? '000000000000' : await accountIn(region);
  const { deployment, problems } = planDeployment(loaded.settings, { stage, region, account }, wishes);
  if (deployment === undefined) {
    say(`The settings in ${loaded.file} cannot run on AWS yet:\n${problems.map((line) => `  ${line}`).join('\n')}`);
    return 2;
  }
  const exemptions = await exemptionsOf(loaded, deployment);
  const warning = scheduleWarning(loaded.settings.schedule);
  if (warning !== undefined) {
    say(warning);
  }
  const parameters = Object.entries(deployment.parameters).map(([name, value]) => `--param=${name}=${value}`);
  say(
    `muster-${stage} in account ${account}, ${region}:\n${parameters.map((line) => `  ${line.slice(8)}`).join('\n')}`,
  );
  if (isDryRun) {
    return 0;
  }
  await run(process.execPath, [join(root, 'infra', 'bundle.ts')]);
  await run(process.execPath, [
    join(root, 'node_modules', 'osls', 'bin', 'serverless.js'),
    ...['deploy', '--stage', stage, '--region', region, ...parameters],
  ]);
  await upload(region, deployment.bucket, [['settings/muster.yaml', await readFile(loaded.file)], ...exemptions]);
  say(`Deployed. The first night by hand:
  aws lambda invoke --region ${region} --function-name muster-${stage}-night --invocation-type Event --cli-binary-format raw-in-base64-out --payload '{}' /dev/stdout`);
  return 0;
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      settings: { type: 'string' },
      stage: { type: 'string', default: 'prod' },
      region: { type: 'string', default: process.env.AWS_REGION || 'eu-west-1' },
      'alarm-email': { type: 'string' },
      'reserved-concurrency': { type: 'string' },
      'audit-mode': { type: 'string' },
      'audit-days': { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    say(help);
    return undefined;
  }
  const wishes: Wishes = {
    ...(values['alarm-email'] ? { alarmEmail: values['alarm-email'] } : {}),
    ...(values['reserved-concurrency'] ? { reservedConcurrency: values['reserved-concurrency'] } : {}),
    ...(values['audit-mode'] ? { auditMode: values['audit-mode'] } : {}),
    ...(values['audit-days'] ? { auditDays: values['audit-days'] } : {}),
  };
  return { settings: values.settings, stage: values.stage, region: values.region, isDryRun: values['dry-run'], wishes };
}

async function accountIn(region: string): Promise<string> {
  const { Account } = await new STSClient({ region }).send(new GetCallerIdentityCommand({}));
  return Account ?? '';
}

/** Read with the same eyes as a night will, so that a broken file is refused here. */
async function exemptionsOf({ folder }: LoadedSettings, { exemptions }: Deployment): Promise<[string, Buffer][]> {
  if (exemptions === undefined) {
    return [];
  }
  const path = join(folder, exemptions);
  const body = await readFile(path);
  parseExemptions(body.toString(), path);
  return [[`settings/${exemptions.replaceAll('\\', '/')}`, body]];
}

async function upload(region: string, bucket: string, files: readonly (readonly [string, Buffer])[]): Promise<void> {
  const client = new S3Client({ region });
  for (const [Key, Body] of files) {
    await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body }));
    say(`Uploaded s3://${bucket}/${Key}`);
  }
}

function run(command: string, given: readonly string[]): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(command, given, { cwd: root, stdio: 'inherit' });
    child.once('error', fail);
    child.once('exit', (code) => (code === 0 ? done() : fail(new Error(`${given[0]} ended with ${code}.`))));
  });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  process.exitCode = await deploy();
} catch (error) {
  const isOurs = error instanceof MusterError;
  process.stderr.write(
    `${isOurs ? `[${error.code}] ` : ''}${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = isOurs && error.code.startsWith('settings-') ? 2 : 1;
}
