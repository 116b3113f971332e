/**
 * From `muster.yaml` to the stack's parameters, or every reason why these settings cannot run on AWS. Pure: it is told
 * the account and region it is for.
 */
import { isAbsolute, normalize } from 'node:path';
import type { Settings } from '../src/compose/read-settings.ts';
import { parseReference } from '../src/settings/secret-references.ts';
import { federationAudiences } from '../src/sources/intune/settings.ts';
import { parseS3Uri } from '../src/storage/s3/s3-store.ts';
import { translate } from './schedule.ts';

interface Target {
  readonly region: string;
  readonly account: string;
  readonly stage: string;
}

export interface Wishes {
  readonly reservedConcurrency?: string;
  readonly alarmEmail?: string;
  readonly auditMode?: string;
  readonly auditDays?: string;
}

export interface Deployment {
  /** Names as in serverless.yml; only what differs from its defaults. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly bucket: string;
  /** The exemptions file, relative to the settings, or undefined. */
  readonly exemptions: string | undefined;
}

type Planned =
  | { readonly deployment: Deployment; readonly problems: readonly [] }
  | { readonly deployment: undefined; readonly problems: readonly string[] };

export function planDeployment(settings: Settings, target: Target, wishes: Wishes = {}): Planned {
  const problems: string[] = [];
  const store = parseS3Uri(settings.store);
  const audit = settings.audit === undefined ? undefined : parseS3Uri(settings.audit);
  const schedule = translate(settings.schedule);
  if (!/^[a-z][a-z0-9]{0,15}$/.test(target.stage)) {
    problems.push(`stage "${target.stage}" must be at most 16 lower-case letters and digits, beginning with a letter.`);
  }
  if (store === undefined) {
    problems.push('store: must be s3://bucket or s3://bucket/prefix on AWS.');
  }
  if (settings.audit !== undefined && audit === undefined) {
    problems.push('audit: must be s3://bucket.');
  }
  if (store && audit?.bucket === store.bucket) {
    problems.push('audit: must be another bucket than store.');
  }
  if ('problem' in schedule) {
    problems.push(`${schedule.problem}.`);
  }
  problems.push(...environmentReferences(settings));
  const exemptions = settings.exemptions === undefined ? undefined : normalize(settings.exemptions);
  if (exemptions !== undefined && (isAbsolute(exemptions) || exemptions.startsWith('..'))) {
    problems.push('exemptions: must lie beside the settings or below, to be uploaded with them.');
  }
  if (store === undefined || 'problem' in schedule || problems.length > 0) {
    return { deployment: undefined, problems };
  }

  const parameters = {
    reportBucket: store.bucket,
    ...prefixed('storePrefix', store),
    ...(audit === undefined ? {} : { auditBucket: audit.bucket, ...prefixed('auditPrefix', audit) }),
    scheduleExpression: schedule.expression,
    scheduleTimezone: schedule.timezone,
    silenceHours: String(schedule.silenceHours),
    // Nights that are kept, and a month for a baseline that is kept longer.
    tableDays: String(settings.retention.nights * schedule.longestGap + 32),
    ...listed(
      'secretArns',
      references(settings, 'aws-secret').map((name) => secretArn(name, target)),
    ),
    ...listed(
      'parameterArns',
      references(settings, 'aws-ssm').map((name) => parameterArn(name, target)),
    ),
    ...listed('tokenAudiences', audiences(settings)),
    ...listed(
      'topicArns',
      settings.alerts.channels.flatMap((one) => (one.type === 'sns' ? [one.topicArn] : [])),
    ),
    ...listed(
      'eventBusArns',
      settings.alerts.channels.flatMap((one) => (one.type === 'eventbridge' ? [busArn(one.busName, target)] : [])),
    ),
    ...wishes,
  };
  return { deployment: { parameters, bucket: store.bucket, exemptions }, problems: [] };
}

function prefixed(name: string, { prefix }: { readonly prefix: string }): Record<string, string> {
  return prefix === '' ? {} : { [name]: `${prefix}/` };
}

function listed(name: string, values: readonly string[]): Record<string, string> {
  return values.length === 0 ? {} : { [name]: [...new Set(values)].sort().join(',') };
}

/** Nobody sets environment variables of the function: they would be secrets that anybody sees who sees the function. */
function environmentReferences(settings: Settings): string[] {
  return textsOf(settings)
    .filter(({ text }) => parseReference(text)?.from === 'env')
    .map(({ path, text }) => `${path}: is ${text}; on AWS keep it as aws-secret:NAME#key or aws-ssm:/path.`);
}

function references(settings: Settings, from: 'aws-secret' | 'aws-ssm'): string[] {
  return textsOf(settings).flatMap(({ text }) => {
    const reference = parseReference(text);
    return reference?.from === from ? [reference.name] : [];
  });
}

interface Text {
  readonly path: string;
  readonly text: string;
}

function textsOf(value: unknown, path = ''): Text[] {
  if (typeof value === 'string') {
    return [{ path, text: value }];
  }
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([key, item]) =>
    textsOf(item, Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`),
  );
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

function audiences({ sources }: Settings): string[] {
  return sources.flatMap((source) =>
    source.platform === 'intune' && 'federated' in source.auth ? [federationAudiences[source.cloud]] : [],
  );
}
