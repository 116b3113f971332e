/**
 * Checks the tenants' settings (`aws.tenants`) before `npm run deploy` uploads them. Uploads are pinned by their
 * SHA-256, so that the result holds for every run: each tenant has a store and secrets of its own. Pure.
 */
import { isUtf8 } from 'node:buffer';
import { extname, isAbsolute, normalize } from 'node:path';
import * as v from 'valibot';
import { computeSha256 } from '../../src/base/sha256.ts';
import { readSettings, type Settings } from '../../src/compose/read-settings.ts';
import { awsSchema } from '../../src/settings/aws.ts';
import { formatProblem } from '../../src/settings/fields.ts';
import { listReferences } from '../../src/settings/secret-references.ts';
import {
  isTenantName,
  maximumTenants,
  tenantSecretsFolder,
  tenantSettingsFolder,
  tenantStoresFolder,
} from '../../src/settings/tenants.ts';
import { parseS3Uri } from '../../src/storage/s3/s3-store.ts';
import type { Tenants } from '../stack/stack-settings.ts';
import { listAudiences, listBucketDocuments, listDocuments, type NamedDocument, sortUnique } from './settings-parts.ts';

/** A file directly in the tenants' folder. */
export interface TenantFile {
  /** Name with extension. */
  readonly file: string;
  readonly body: Buffer;
}

export interface TenantPlan {
  /** The stack's part; undefined without `aws.tenants`. */
  readonly tenants: Omit<Tenants, 'partition'> | undefined;
  /** Files that the tenants' settings name, by paths relative to their folder. */
  readonly documents: readonly NamedDocument[];
  /** Objects in buckets that they name. */
  readonly bucketDocuments: readonly NamedDocument[];
  /** SHA-256 and name of each settings file, in the form of `sha256sum`. */
  readonly hashes: string;
  readonly problems: readonly string[];
}

const noTenants: TenantPlan = { tenants: undefined, documents: [], bucketDocuments: [], hashes: '', problems: [] };

/** Plans the tenants; `settings` are the deployment's own. */
export function planTenants(settings: Settings, files: readonly TenantFile[], reserved: number): TenantPlan {
  const { tenants } = settings.aws;
  if (tenants === undefined) {
    return noTenants;
  }
  const read = files.map((one) => readTenant(one, settings));
  const found = read.flatMap(({ tenant }) => (tenant === undefined ? [] : [tenant]));
  const hashes = files.map(({ file, body }) => `${computeSha256(body)}  ${file}\n`).join('');
  return {
    tenants: {
      names: files.map(({ file }) => file.slice(0, -'.yaml'.length)),
      concurrency: tenants.concurrency,
      sha256: computeSha256(hashes),
      audiences: sortUnique(found.flatMap(listAudiences)),
    },
    documents: found.flatMap(listDocuments),
    bucketDocuments: found.flatMap(listBucketDocuments),
    hashes,
    problems: [...findFolderProblems(settings, files, reserved), ...read.flatMap(({ problems }) => problems)],
  };
}

function findFolderProblems({ aws, store, audit }: Settings, files: readonly TenantFile[], reserved: number): string[] {
  const { folder = '', concurrency = 0 } = aws.tenants ?? {};
  const places = Object.entries({ store, audit }).filter(([, address]) =>
    `${parseS3Uri(address ?? '')?.prefix}/`.startsWith(tenantStoresFolder),
  );
  return [
    ...(files.length === 0 ? [`aws.tenants.folder: ${folder} has no settings file (NAME.yaml).`] : []),
    ...(files.length > maximumTenants
      ? [`aws.tenants.folder: ${folder} has ${files.length} tenants; one deployment serves ${maximumTenants} at most.`]
      : []),
    ...places.map(([name]) => `${name}: must not lie below ${tenantStoresFolder}, where the tenants' are.`),
    ...(reserved > 0 && reserved <= concurrency
      ? [
          `aws.reservedConcurrency: is ${reserved}; with aws.tenants it must be at least ${concurrency + 1} (aws.tenants.concurrency and the deployment's own run), or 0.`,
        ]
      : []),
  ];
}

interface ReadTenant {
  readonly tenant: Settings | undefined;
  readonly problems: readonly string[];
}

function readTenant({ file, body }: TenantFile, settings: Settings): ReadTenant {
  const at = (problem: string) => `${settings.aws.tenants?.folder}/${file}: ${problem}`;
  const name = file.slice(0, -extname(file).length);
  if (extname(file) !== '.yaml' || !isTenantName(name)) {
    const sentence = 'is no tenant: a name has at most 40 lower-case letters, digits and single hyphens, then .yaml.';
    return { tenant: undefined, problems: [at(sentence)] };
  }
  if (!isUtf8(body)) {
    return { tenant: undefined, problems: [at('is not UTF-8 text; save it as UTF-8.')] };
  }
  const { settings: tenant, problems } = readSettings(body.toString('utf8'));
  return { tenant, problems: (tenant === undefined ? problems : findTenantProblems(name, tenant, settings)).map(at) };
}

function findTenantProblems(name: string, tenant: Settings, own: Settings): string[] {
  return [
    ...findPlaceProblems(name, tenant, own),
    ...findSecretProblems(name, tenant),
    ...findSharedProblems(tenant, own),
    ...listDocuments(tenant)
      .filter(({ path }) => isAbsolute(path) || path.startsWith('..') || !normalize(path).startsWith(`${name}/`))
      .map(({ setting }) => `${setting}: must lie in the folder ${name}, beside the file.`),
    // The role may read what tenants name, and in its rights these characters would match more than themselves.
    ...listBucketDocuments(tenant)
      .filter(({ path }) => !path.split('/').slice(3, -1).includes(name) || /[*?$,]/.test(path))
      .map(
        ({ setting }) =>
          `${setting}: must lie in a folder ${name} of its bucket, under a name without * ? $ and comma.`,
      ),
  ];
}

/** Problems of a tenant's store: two tenants in one store would publish over one another's baselines. */
function findPlaceProblems(name: string, tenant: Settings, own: Settings): string[] {
  const expected = (address: string) => `s3://${parseS3Uri(address)?.bucket}/${tenantStoresFolder}${name}`;
  const store = expected(own.store);
  const audit = own.audit === undefined ? undefined : expected(own.audit);
  const auditProblem =
    audit === undefined
      ? 'audit: needs an audit bucket in the settings of the deployment.'
      : `audit: is ${tenant.audit}; it must be ${audit}, or be left out.`;
  return [
    ...(tenant.store === store ? [] : [`store: is ${tenant.store}; it must be ${store}, which no other tenant has.`]),
    ...(tenant.audit === undefined || tenant.audit === audit ? [] : [auditProblem]),
  ];
}

/** Problems of a tenant's secrets: another tenant's, by mistake, would be sent to this tenant's platform. */
function findSecretProblems(name: string, tenant: Settings): string[] {
  const folder = `${tenantSecretsFolder}${name}`;
  return listReferences({ ...tenant, aws: undefined }).flatMap(({ path, text, reference }) => {
    const isOwn =
      reference.from !== 'env' &&
      `${reference.name.replace(/^\//, '')}/`.startsWith(`${folder}/`) &&
      !reference.name.split('/').includes('..');
    const sentence = `is ${text}; keep it as aws-secret:${folder}/NAME#key or aws-ssm:/${folder}/NAME, this tenant's own`;
    return isOwn ? [] : [formatProblem(path, sentence)];
  });
}

/** Problems of settings that all tenants share with the deployment: one role, one schedule and one bucket. */
function findSharedProblems(tenant: Settings, own: Settings): string[] {
  const isSame = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right);
  const targets = ({ alerts }: Settings) =>
    alerts.channels.flatMap((one) => {
      if (one.type === 'sns') {
        return [one.topicArn];
      }
      return one.type === 'eventbridge' ? [one.busName] : [];
    });
  const allowed = targets(own);
  return [
    ...(isSame(tenant.schedule, own.schedule)
      ? []
      : ['schedule: must be that of the deployment; one schedule starts all tenants.']),
    ...(isSame(tenant.aws, v.parse(awsSchema, {})) ? [] : ['aws: stands in the settings of the deployment only.']),
    ...(tenant.signing === undefined || tenant.signing === own.signing
      ? []
      : ['signing: must be that of the deployment, or be left out.']),
    ...(tenant.retention.nights <= own.retention.nights
      ? []
      : [`retention.nights: is ${tenant.retention.nights}; the deployment keeps ${own.retention.nights} at most.`]),
    ...targets(tenant)
      .filter((target) => !allowed.includes(target))
      .map((target) => `alerts.channels: ${target} must also be a channel of the deployment, whose role it is.`),
  ];
}

/** The key of a tenant's file in the bucket. */
export function toTenantKey(file: string): string {
  return `${tenantSettingsFolder}${file.replaceAll('\\', '/')}`;
}
