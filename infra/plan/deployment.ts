/**
 * Makes the stack's settings from `muster.yaml`, or lists every reason why these settings cannot run on AWS. Pure: the
 * account, the region and the deployed template are arguments.
 */
import { isAbsolute } from 'node:path';
import type { Settings } from '../../src/compose/read-settings.ts';
import { formatProblem } from '../../src/settings/fields.ts';
import { listReferences } from '../../src/settings/secret-references.ts';
import { parseS3Uri } from '../../src/storage/s3/s3-store.ts';
import type { OwnerTemplateInput } from '../stack/owner-templates.ts';
import type { AuditPlace, BucketPlace, StackSettings } from '../stack/stack-settings.ts';
import { readBucketName, type Template } from './deployed.ts';
import { describeStack, partitionOf } from './describe-stack.ts';
import { type GivenOptions, type SettledOptions, settleOptions } from './options.ts';
import { translate } from './schedule.ts';
import { listDocuments, type NamedDocument } from './settings-parts.ts';
import { planTenants, type TenantFile, type TenantPlan } from './tenant-plan.ts';

export interface Target {
  readonly region: string;
  readonly account: string;
  readonly stage: string;
  /** The caller's ARN from `sts:GetCallerIdentity`. */
  readonly caller: string;
  /** The stack's template; undefined where there is none yet. */
  readonly deployed?: Template;
}

export interface Deployment {
  readonly stack: StackSettings;
  /** Buckets that the stack has to make. */
  readonly newBuckets: readonly string[];
  /** Files that the settings name, by paths relative to the settings. */
  readonly documents: readonly NamedDocument[];
  readonly tenants: TenantPlan;
  /** Inputs of templates for other accounts that keep the buckets. */
  readonly owners: { readonly report: OwnerTemplateInput; readonly audit: OwnerTemplateInput | undefined };
  /** Sentences for the person who deploys. */
  readonly notes: readonly string[];
}

type Planned =
  | { readonly deployment: Deployment; readonly problems: readonly [] }
  | { readonly deployment: undefined; readonly problems: readonly string[] };

type Place = NonNullable<ReturnType<typeof parseS3Uri>>;

/** Plans a deployment; `tenantFiles` are those in the folder that `aws.tenants` names. */
export function planDeployment(
  settings: Settings,
  target: Target,
  given: GivenOptions = {},
  tenantFiles: readonly TenantFile[] = [],
): Planned {
  const store = parseS3Uri(settings.store);
  const audit = settings.audit === undefined ? undefined : parseS3Uri(settings.audit);
  const schedule = translate(settings.schedule);
  const options = settleOptions(settings.aws, given, target.deployed?.options ?? {});
  const deployers = listDeployers(settings, target.caller);
  const tenants = planTenants(settings, tenantFiles, Number(options.values.reservedConcurrency));
  const problems = [
    ...findPlaceProblems(settings, store, audit),
    ...('problem' in schedule ? [`${schedule.problem}.`] : []),
    // Excludes tags, which may look like references.
    ...environmentReferences({ ...settings, aws: undefined }),
    ...findDocumentProblems(settings),
    ...findTaskProblems(settings),
    ...options.problems,
    ...findDeployerProblems(settings, target.caller),
    ...tenants.problems,
  ];
  if (store === undefined || 'problem' in schedule || problems.length > 0) {
    return { deployment: undefined, problems };
  }

  const places = describePlaces(settings, store, audit, options);
  const owner = (place: BucketPlace): OwnerTemplateInput => ({
    place,
    account: target.account,
    nightRole: `arn:${partitionOf(target.region)}:iam::${target.account}:role/muster-${target.stage}-night-${target.region}`,
    deployers,
    lock: toLock(options),
    servesTenants: settings.aws.tenants !== undefined,
  });
  const deployment = {
    stack: describeStack(settings, target, { places, schedule, options, deployers, tenantPlan: tenants }),
    newBuckets: [
      ...findNewBucket(places.reports, readBucketName(target.deployed, 'ReportBucket')),
      ...(places.audit ? findNewBucket(places.audit, readBucketName(target.deployed, 'AuditBucket')) : []),
    ],
    documents: listDocuments(settings),
    tenants,
    owners: { report: owner(places.reports), audit: places.audit && owner(places.audit) },
    notes: options.notes,
  };
  return { deployment, problems: [] };
}

function findPlaceProblems(settings: Settings, store: Place | undefined, audit: Place | undefined): string[] {
  const { reportBucket, auditBucket } = settings.aws;
  return [
    ...(store === undefined ? ['store: must be s3://bucket or s3://bucket/prefix on AWS.'] : []),
    ...(settings.audit !== undefined && audit === undefined ? ['audit: must be s3://bucket.'] : []),
    ...(settings.signing?.startsWith('file:') ? ['signing: must be kms:KEY_ARN on AWS.'] : []),
    ...Object.entries({ store, audit })
      .filter(([, place]) => /[*?$]/.test(place?.prefix ?? ''))
      // These characters would match more than themselves in a role's rights.
      .map(([name]) => `${name}: must have a prefix without * ? and $ on AWS.`),
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

function describePlaces({ aws }: Settings, store: Place, audit: Place | undefined, options: SettledOptions) {
  const { reportBucket, auditBucket } = aws;
  const toPlace = ({ bucket, prefix }: Place) => ({ bucket, prefix: prefix === '' ? '' : `${prefix}/` });
  const reports: BucketPlace = { ...toPlace(store), owner: reportBucket.owner, key: reportBucket.key };
  const key = auditBucket.key === 's3' ? undefined : auditBucket.key;
  const auditPlace: AuditPlace | undefined = audit && {
    ...{ ...toPlace(audit), owner: auditBucket.owner, key },
    ...toLock(options),
  };
  return { reports, audit: auditPlace };
}

function toLock({ values }: SettledOptions) {
  return { mode: values.auditMode, days: Number(values.auditDays) };
}

function findDocumentProblems(settings: Settings): string[] {
  return listDocuments(settings)
    .filter(({ path }) => isAbsolute(path) || path.startsWith('..'))
    .map(({ setting }) => `${setting}: must lie beside the settings or below, to be uploaded with them.`);
}

/** Principals that may write the settings: those of `aws.deployers`, otherwise the caller. */
function listDeployers({ aws }: Settings, caller: string): readonly string[] {
  return aws.deployers.length > 0 ? aws.deployers : toPrincipalPatterns(caller);
}

/**
 * Patterns of a caller's ARN. A session's ARN has its role's name, without the path that the role's own ARN may have.
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

/** The bucket, if the stack has to make it: it belongs to no other account, and is not deployed yet. */
function findNewBucket({ bucket, owner }: BucketPlace, deployed: unknown): string[] {
  return owner === undefined && bucket !== deployed ? [bucket] : [];
}

/** Problems of references to environment variables: everybody who sees the function would see these secrets. */
function environmentReferences(settings: object): string[] {
  return listReferences(settings)
    .filter(({ reference }) => reference.from === 'env')
    .map(({ path, text }) => formatProblem(path, `is ${text}; on AWS keep it as aws-secret:NAME#key or aws-ssm:/path`));
}
