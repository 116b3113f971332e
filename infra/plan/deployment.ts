/**
 * From `muster.yaml` to the stack's parameters, or every reason why these settings cannot run on AWS. Pure: it is told
 * the account and region it is for, and what is deployed there now.
 */
import { isAbsolute } from 'node:path';
import { platformTimeLimit } from '../../src/cli/console/session.ts';
import type { Settings } from '../../src/compose/read-settings.ts';
import { formatProblem } from '../../src/settings/fields.ts';
import { listReferences } from '../../src/settings/secret-references.ts';
import { parseS3Uri } from '../../src/storage/s3/s3-store.ts';
import type { OwnerTemplateInput } from '../stack/owner-templates.ts';
import type { StackParameters } from '../stack/parameters.ts';
import { expressionSeparator } from '../stack/starts.ts';
import { type GivenOptions, settleOptions } from './options.ts';
import { type Translated, translate } from './schedule.ts';
import { joinNames, listAudiences, listBucketDocuments, listDocuments, type NamedDocument } from './settings-parts.ts';
import { planTenants, type TenantFile, type TenantPlan } from './tenant-plan.ts';

export interface Target {
  readonly region: string;
  readonly account: string;
  readonly stage: string;
  /** Who deploys, as `sts:GetCallerIdentity` says. */
  readonly caller: string;
  /** The parameters of the stack; undefined where there is none yet. */
  readonly deployed?: Readonly<Record<string, string>>;
}

export interface Deployment {
  readonly parameters: StackParameters;
  readonly bucket: string;
  /** Buckets that the stack is to make and does not have yet. */
  readonly newBuckets: readonly string[];
  /** Files that the settings name, relative to the settings. */
  readonly documents: readonly NamedDocument[];
  readonly tenants: TenantPlan;
  /** For the accounts that keep the buckets. */
  readonly owners: { readonly report: OwnerTemplateInput; readonly audit: OwnerTemplateInput | undefined };
  /** What a person should know. */
  readonly notes: readonly string[];
}

type Planned =
  | { readonly deployment: Deployment; readonly problems: readonly [] }
  | { readonly deployment: undefined; readonly problems: readonly string[] };

type Place = NonNullable<ReturnType<typeof parseS3Uri>>;

/** `tenantFiles` are those in the folder that `aws.tenants` names. */
export function planDeployment(
  settings: Settings,
  target: Target,
  given: GivenOptions = {},
  tenantFiles: readonly TenantFile[] = [],
): Planned {
  const store = parseS3Uri(settings.store);
  const audit = settings.audit === undefined ? undefined : parseS3Uri(settings.audit);
  const schedule = translate(settings.schedule);
  const settled = settleOptions(settings.aws, given, target.deployed);
  const deployers = listDeployers(settings, target.caller);
  const tenants = planTenants(settings, tenantFiles, Number(settled.values.reservedConcurrency));
  const problems = [
    ...findPlaceProblems(settings, store, audit),
    ...('problem' in schedule ? [`${schedule.problem}.`] : []),
    // A tag may look like a reference.
    ...environmentReferences({ ...settings, aws: undefined }),
    ...findDocumentProblems(settings),
    ...findTaskProblems(settings),
    ...settled.problems,
    ...findDeployerProblems(settings, target.caller),
    ...tenants.problems,
  ];
  if (store === undefined || 'problem' in schedule || problems.length > 0) {
    return { deployment: undefined, problems };
  }

  const { aws } = settings;
  // Nights that are kept, and a month for a baseline that is kept longer.
  const keptDays = settings.retention.nights * schedule.longestGap + 32;
  const parameters = omitEmpty({
    ...describePlaces(settings, store, audit),
    ...describeSchedule(schedule),
    tableDays: String(keptDays),
    ...describePermissions(settings, target),
    documentArns: listDocumentArns([...listBucketDocuments(settings), ...tenants.bucketDocuments], target),
    ...settled.values,
    setByOptions: settled.setByOptions.join(',') || 'none',
    compute: aws.compute,
    image: aws.compute === 'task' ? (aws.image ?? '') : '',
    memory: String(aws.memory),
    timeout: String(aws.timeout),
    durationAlarmMilliseconds: String(
      (aws.compute === 'task' ? platformTimeLimit : aws.timeout * 1000) * alarmingShare,
    ),
    logRetention: String(aws.logRetention),
    athenaCutoffBytes: String(Math.round(aws.athenaCutoffGigabytes * 1024 ** 3)),
    tags: JSON.stringify(aws.tags),
    deployerArns: deployers.join(','),
    permissionsBoundary: aws.permissionsBoundary ?? '',
    subnets: joinNames(aws.vpc?.subnets ?? []),
    securityGroups: joinNames(aws.vpc?.securityGroups ?? []),
    httpsProxy: aws.proxy?.url ?? '',
    noProxy: joinNames(aws.proxy?.noProxy ?? []),
    ...tenants.parameters,
    tenantPartition: aws.tenants === undefined ? '' : partitionOf(target.region),
  });
  const owner = (place: Place): OwnerTemplateInput => ({
    bucket: place.bucket,
    prefix: toPrefix(place),
    account: target.account,
    nightRole: `arn:${partitionOf(target.region)}:iam::${target.account}:role/muster-${target.stage}-night-${target.region}`,
    deployers,
    audit: { mode: settled.values.auditMode, days: settled.values.auditDays },
    servesTenants: aws.tenants !== undefined,
  });
  const deployment = {
    parameters,
    bucket: store.bucket,
    newBuckets: [
      ...findNewBucket(store, aws.reportBucket.owner, target.deployed?.ReportBucketName),
      ...(audit ? findNewBucket(audit, aws.auditBucket.owner, target.deployed?.AuditBucketName) : []),
    ],
    documents: listDocuments(settings),
    tenants,
    owners: { report: owner(store), audit: audit && owner(audit) },
    notes: settled.notes,
  };
  return { deployment, problems: [] };
}

/** A run that takes more than this share of its time raises an alarm. */
const alarmingShare = 0.8;

function findPlaceProblems(settings: Settings, store: Place | undefined, audit: Place | undefined): string[] {
  const { reportBucket, auditBucket } = settings.aws;
  return [
    ...(store === undefined ? ['store: must be s3://bucket or s3://bucket/prefix on AWS.'] : []),
    ...(settings.audit !== undefined && audit === undefined ? ['audit: must be s3://bucket.'] : []),
    ...(settings.signing?.startsWith('file:') ? ['signing: must be kms:KEY_ARN on AWS.'] : []),
    ...(store && audit?.bucket === store.bucket ? ['audit: must be another bucket than store.'] : []),
    ...(auditBucket.owner !== undefined && auditBucket.key === 'own'
      ? ['aws.auditBucket.key: is own, which the stack makes only for a bucket of its own; name the ARN of the key.']
      : []),
    ...(reportBucket.owner !== undefined && settings.audit === undefined && auditBucket.owner !== undefined
      ? ['aws.auditBucket.owner: is for audit:, which is missing.']
      : []),
  ];
}

function findTaskProblems({ aws }: Settings): string[] {
  const problems = [
    ...(aws.image === undefined
      ? ['aws.image: is missing; a task needs the image to run, built with infra/Dockerfile.']
      : []),
    ...(aws.vpc === undefined ? ['aws.vpc: is missing; a task needs subnets and security groups.'] : []),
  ];
  return aws.compute === 'task' ? problems : [];
}

function describePlaces(settings: Settings, store: Place, audit: Place | undefined): StackParameters {
  const { reportBucket, auditBucket } = settings.aws;
  return {
    reportBucket: store.bucket,
    storePrefix: toPrefix(store),
    reportBucketOwner: reportBucket.owner ?? '',
    reportKey: reportBucket.key ?? '',
    auditBucket: audit?.bucket ?? '',
    auditPrefix: audit ? toPrefix(audit) : '',
    auditBucketOwner: auditBucket.owner ?? '',
    auditKey: auditBucket.key.startsWith('arn:') ? auditBucket.key : '',
    auditKeyOwn: auditBucket.key === 'own' ? 'true' : '',
    signingKey: settings.signing?.replace(/^kms:/, '') ?? '',
  };
}

function describeSchedule(schedule: Translated): StackParameters {
  return {
    scheduleExpression: schedule.expression,
    scheduleTimezone: schedule.timezone,
    healingExpressions: schedule.healing.join(expressionSeparator),
    verifyExpression: schedule.verify,
    silenceHours: String(schedule.silenceHours),
  };
}

function describePermissions(settings: Settings, target: Target): StackParameters {
  const { channels } = settings.alerts;
  return {
    secretArns: joinNames(references(settings, 'aws-secret').map((name) => secretArn(name, target))),
    parameterArns: joinNames(references(settings, 'aws-ssm').map((name) => parameterArn(name, target))),
    tokenAudiences: joinNames(listAudiences(settings)),
    topicArns: joinNames(channels.flatMap((one) => (one.type === 'sns' ? [one.topicArn] : []))),
    eventBusArns: joinNames(
      channels.flatMap((one) => (one.type === 'eventbridge' ? [busArn(one.busName, target)] : [])),
    ),
  };
}

function listDocumentArns(documents: readonly NamedDocument[], { region }: Target): string {
  return joinNames(documents.map(({ path }) => path.replace('s3://', `arn:${partitionOf(region)}:s3:::`)));
}

function findDocumentProblems(settings: Settings): string[] {
  return listDocuments(settings)
    .filter(({ path }) => isAbsolute(path) || path.startsWith('..'))
    .map(({ setting }) => `${setting}: must lie beside the settings or below, to be uploaded with them.`);
}

/** The account's other roles cannot write the settings; who deploys writes them by the way. */
function listDeployers({ aws }: Settings, caller: string): readonly string[] {
  return aws.deployers.length > 0 ? aws.deployers : toPrincipalPatterns(caller);
}

/**
 * The ARN of a session has its role's name, without the path that the role's own ARN may have.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-arns
 */
function toPrincipalPatterns(caller: string): readonly string[] {
  const [, partition, account, role] = /^arn:([^:]+):sts::(\d+):assumed-role\/([^/]+)\//.exec(caller) ?? [];
  return role === undefined
    ? [caller]
    : [`arn:${partition}:iam::${account}:role/${role}`, `arn:${partition}:iam::${account}:role/*/${role}`];
}

function findDeployerProblems({ aws }: Settings, caller: string): string[] {
  const patterns = toPrincipalPatterns(caller);
  const name = patterns[0]?.split('/').at(-1) ?? '';
  const isNamed = aws.deployers.some((one) => patterns.includes(one) || one.endsWith(`/${name}`));
  return aws.deployers.length === 0 || isNamed
    ? []
    : [`aws.deployers: does not name ${patterns[0]}, who is deploying and writes the settings.`];
}

/** Not one that the stack has, and not one of somebody else. */
function findNewBucket({ bucket }: Place, owner: string | undefined, deployed: string | undefined): string[] {
  return owner === undefined && bucket !== deployed ? [bucket] : [];
}

function toPrefix({ prefix }: Place): string {
  return prefix === '' ? '' : `${prefix}/`;
}

/** The deploy tool takes no empty value; the template's defaults are the empty ones. */
function omitEmpty(parameters: StackParameters): StackParameters {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ''));
}

/** Nobody sets environment variables of the function: they would be secrets that anybody sees who sees the function. */
function environmentReferences(settings: object): string[] {
  return listReferences(settings)
    .filter(({ reference }) => reference.from === 'env')
    .map(({ path, text }) => formatProblem(path, `is ${text}; on AWS keep it as aws-secret:NAME#key or aws-ssm:/path`));
}

function references(settings: Settings, from: 'aws-secret' | 'aws-ssm'): string[] {
  return listReferences(settings).flatMap(({ reference }) => (reference.from === from ? [reference.name] : []));
}

/** Secrets Manager puts six characters of its own behind a name. */
function secretArn(name: string, target: Target): string {
  return name.startsWith('arn:') ? name : `${arn('secretsmanager', target)}secret:${name}-??????`;
}

function parameterArn(name: string, target: Target): string {
  return `${arn('ssm', target)}parameter/${name.replace(/^\//, '')}`;
}

function busArn(name: string, target: Target): string {
  return name.startsWith('arn:') ? name : `${arn('events', target)}event-bus/${name}`;
}

function arn(service: string, { region, account }: Target): string {
  return `arn:${partitionOf(region)}:${service}:${region}:${account}:`;
}

function partitionOf(region: string): string {
  if (region.startsWith('cn-')) {
    return 'aws-cn';
  }
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
}
