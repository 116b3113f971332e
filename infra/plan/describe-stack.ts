/** Makes the settings of the stack from those of a deployment, or from defaults. Pure. */
import * as v from 'valibot';
import { platformTimeLimit } from '../../src/base/time-limit.ts';
import type { Settings } from '../../src/compose/read-settings.ts';
import { defaultRetention, defaultSchedule } from '../../src/compose/settings-schema.ts';
import { type AwsSettings, awsSchema } from '../../src/settings/aws.ts';
import { listReferences } from '../../src/settings/secret-references.ts';
import type { AuditPlace, BucketPlace, StackSettings } from '../stack/stack-settings.ts';
import type { Target } from './deployment.ts';
import { type SettledOptions, standardOptions } from './options.ts';
import { type Translated, translate } from './schedule.ts';
import { listAudiences, listBucketDocuments, type NamedDocument, sortUnique } from './settings-parts.ts';
import type { TenantPlan } from './tenant-plan.ts';

/** Facts about the settings that are found before the stack is described. */
interface Findings {
  readonly places: { readonly reports: BucketPlace; readonly audit: AuditPlace | undefined };
  readonly schedule: Translated;
  readonly options: Pick<SettledOptions, 'values' | 'setByOptions'>;
  readonly deployers: readonly string[];
  readonly tenantPlan: TenantPlan;
}

/** Describes the stack without the hash of the settings file, which only the deployment reads. */
export function describeStack(settings: Settings, target: Target, findings: Findings): StackSettings {
  const { places, schedule, options, deployers, tenantPlan } = findings;
  const partition = partitionOf(target.region);
  return {
    stage: target.stage,
    settingsSha256: '',
    ...places,
    signingKey: settings.signing?.replace(/^kms:/, ''),
    ...describeSchedule(schedule, settings.retention.nights),
    ...describePermissions(settings, target),
    documents: listDocumentArns([...listBucketDocuments(settings), ...tenantPlan.bucketDocuments], partition),
    deployers,
    ...describeOptions(options),
    ...describeAws(settings.aws),
    tenants: tenantPlan.tenants && { ...tenantPlan.tenants, partition },
  };
}

function describeSchedule({ longestGap, ...schedule }: Translated, nights: number) {
  // Days of kept runs, and a month for a baseline that is kept longer.
  return { schedule, tableDays: nights * longestGap + 32 };
}

function describeOptions({ values, setByOptions }: Findings['options']) {
  return {
    alarmEmail: values.alarmEmail,
    reservedConcurrency: Number(values.reservedConcurrency),
    setByOptions,
  };
}

function describeAws(aws: AwsSettings) {
  const limit = aws.compute === 'task' ? platformTimeLimit : aws.timeout * 1000;
  return {
    memory: aws.memory,
    timeout: aws.timeout,
    durationAlarmMilliseconds: limit * alarmingShare,
    network: aws.vpc,
    proxy: aws.proxy,
    image: aws.compute === 'task' ? aws.image : undefined,
    logRetention: aws.logRetention,
    tags: aws.tags,
    permissionsBoundary: aws.permissionsBoundary,
    athenaCutoffBytes: Math.round(aws.athenaCutoffGigabytes * 1024 ** 3),
  };
}

/** Share of its time above which a run raises an alarm. */
const alarmingShare = 0.8;

function describePermissions(settings: Settings, target: Target) {
  const { channels } = settings.alerts;
  const references = (from: 'aws-secret' | 'aws-ssm') =>
    listReferences(settings).flatMap(({ reference }) => (reference.from === from ? [reference.name] : []));
  return {
    secrets: sortUnique(references('aws-secret').map((name) => toSecretArn(name, target))),
    parameters: sortUnique(references('aws-ssm').map((name) => toParameterArn(name, target))),
    audiences: sortUnique(listAudiences(settings)),
    topics: sortUnique(channels.flatMap((one) => (one.type === 'sns' ? [one.topicArn] : []))),
    buses: sortUnique(channels.flatMap((one) => (one.type === 'eventbridge' ? [toBusArn(one.busName, target)] : []))),
  };
}

function listDocumentArns(documents: readonly NamedDocument[], partition: string): readonly string[] {
  return sortUnique(documents.map(({ path }) => path.replace('s3://', `arn:${partition}:s3:::`)));
}

/** The ARN of a secret; Secrets Manager adds six random characters to a name. */
function toSecretArn(name: string, target: Target): string {
  return name.startsWith('arn:') ? name : `${arn('secretsmanager', target)}secret:${name}-??????`;
}

function toParameterArn(name: string, target: Target): string {
  return `${arn('ssm', target)}parameter/${name.replace(/^\//, '')}`;
}

function toBusArn(name: string, target: Target): string {
  return name.startsWith('arn:') ? name : `${arn('events', target)}event-bus/${name}`;
}

function arn(service: string, { region, account }: Target): string {
  return `arn:${partitionOf(region)}:${service}:${region}:${account}:`;
}

export function partitionOf(region: string): string {
  if (region.startsWith('cn-')) {
    return 'aws-cn';
  }
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
}

/** The stack of the default settings, as `npx osls package` makes it. */
export const defaultStack: StackSettings = {
  stage: 'prod',
  settingsSha256: '',
  // S3 refuses names that begin with sthree-, so that nobody deploys by accident without muster.yaml.
  reports: { bucket: 'sthree-set-by-npm-run-deploy', prefix: '', owner: undefined, key: undefined },
  audit: undefined,
  signingKey: undefined,
  ...describeSchedule(translate(defaultSchedule) as Translated, defaultRetention.nights),
  ...{ secrets: [], parameters: [], audiences: [], documents: [], topics: [], buses: [] },
  deployers: [],
  ...describeOptions({ values: standardOptions, setByOptions: {} }),
  ...describeAws(v.parse(awsSchema, {})),
  tenants: undefined,
};
