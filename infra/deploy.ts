/**
 * `npm run deploy -- --settings muster.yaml`: deploys `muster.yaml` to AWS. Reads it, builds, deploys the stack and
 * uploads it; refuses settings that cannot run there before anything is changed.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { MusterError } from '../src/base/errors.ts';
import { omitUndefined } from '../src/base/omit-undefined.ts';
import { computeSha256 } from '../src/base/sha256.ts';
import { loadSettings } from '../src/compose/load-settings.ts';
import { findProxyFailure } from '../src/http/connection-failures.ts';
import { prepareNetwork } from '../src/http/prepare-network.ts';
import { describeTarget, noAccount, refuseForeignBuckets, uploadFiles } from './account.ts';
import { readDocuments, readTenantFiles, readTenantUploads } from './files.ts';
import { deployStack, packageStack } from './osls.ts';
import { describeChanges } from './plan/changes.ts';
import { renderDeployerPolicy } from './plan/deployer-policy.ts';
import { type Deployment, planDeployment, type Target } from './plan/deployment.ts';
import { type GivenOptions, resolvePlace } from './plan/options.ts';
import { planSkippedStarts } from './plan/skipped-starts.ts';
import { renderAuditOwnerTemplate, renderReportOwnerTemplate } from './stack/owner-templates.ts';

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
    print(
      'The settings can be deployed. They are not compared with what is deployed, which takes credentials for AWS.',
    );
    return 0;
  }
  await refuseForeignBuckets(target, deployment);
  if (values['dry-run']) {
    const changes = describeChanges(target.deployed, await packageStack(stack, region));
    print(changes.map((line) => `  ${line}`).join('\n'));
    return 0;
  }
  await deployStack(stack, region);
  const { bucket, owner = target.account } = stack.reports;
  await uploadFiles({ region, bucket, owner }, [['settings/muster.yaml', settings], ...documents]);
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

/** Describes a failure; AWS's clients report only that there was no answer. */
function describeFailure(error: unknown): string {
  const proxyFailure = error instanceof MusterError ? undefined : findProxyFailure(error);
  if (proxyFailure !== undefined) {
    return `AWS could not be reached, since ${proxyFailure.sentence}. ${proxyFailure.advice}`;
  }
  return error instanceof Error ? error.message : String(error);
}

/** Whether `parseArgs` threw the error. */
function isParseError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
