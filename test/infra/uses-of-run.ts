/**
 * What a run asks of AWS under given settings: calls that were observed, in the store and the account that the settings
 * name, and what AWS's own services then ask on its behalf.
 */
import { parseS3Uri } from '../../src/storage/s3/s3-store.ts';
import { settingsOf, target } from './example.ts';
import { auditBucket, bucket, type ObservedCall, type ObservedNights, observedPrefix } from './observe-run.ts';
import { type RecordedCall, type Request, requestOf } from './policy.ts';
import { toArn } from './template.ts';

export interface Observed {
  readonly nights: ObservedNights;
  /** By the secret or the audience as the settings write it. */
  readonly services: ReadonlyMap<string, readonly ObservedCall[]>;
}

const nightRole = 'arn:aws:iam::123456789012:role/muster-prod-night-eu-west-1';
const entra = 'api://AzureADTokenExchange';
/** A tenant may name any below its own folder; there is one right for them all. */
const tenantSecrets = ['aws-secret:muster/tenants/acme/jamf#id', 'aws-ssm:/muster/tenants/acme/heartbeat'];

export function listSecrets(yaml: string): readonly string[] {
  const own = [...yaml.matchAll(/aws-(?:secret|ssm):[^\s"',}]+/g)].map(([secret]) => secret);
  return hasTenants(yaml) ? [...own, ...tenantSecrets] : own;
}

export function listAudiences(yaml: string): readonly string[] {
  return /federated: aws/.test(yaml) || hasTenants(yaml) ? [entra] : [];
}

function hasTenants(yaml: string): boolean {
  return yaml.includes('  tenants: ');
}

export function listUsesOfRun(yaml: string, observed: Observed): readonly Request[] {
  const settings = settingsOf(yaml);
  const store = parseS3Uri(settings.store);
  const audit = settings.audit === undefined ? undefined : parseS3Uri(settings.audit);
  const { reportBucket, auditBucket: kept, vpc } = settings.aws;
  const folders = (own = '') => [own === '' ? '' : `${own}/`, ...(hasTenants(yaml) ? ['tenants/acme/'] : [])];
  const { calls } = observed.nights;
  const settingsReads = calls.filter(({ key }) => key.startsWith('settings/'));
  const reports = folders(store?.prefix).flatMap((prefix) =>
    calls.flatMap((call) => move(call, bucket, observedPrefix, prefix)),
  );
  const commits =
    audit === undefined
      ? []
      : folders(audit.prefix).flatMap((prefix) => calls.flatMap((call) => move(call, auditBucket, '', prefix)));
  const reportKey = reportBucket.owner === undefined ? toArn('kms', 'Key') : undefined;
  const auditKey = kept.key === 's3' ? undefined : kept.key === 'own' ? toArn('kms', 'AuditKey') : kept.key;
  return [
    ...[...settingsReads, ...reports].map((call) => requestOf(call, nightRole, reportBucket.owner)),
    ...commits.map((call) => requestOf(call, nightRole, kept.owner)),
    ...listKeyUses(reportBucket.key ?? reportKey, [...settingsReads, ...reports]),
    ...listKeyUses(auditKey, commits),
    ...calls
      .filter((call) => yaml.includes(`s3://${call.bucket}/${call.key}`))
      .map((call) => requestOf(call, nightRole)),
    ...[...listSecrets(yaml), ...listAudiences(yaml)].flatMap((name) =>
      (observed.services.get(name) ?? []).map(toRequest),
    ),
    ...settings.alerts.channels.flatMap(listChannelUses),
    ...(settings.signing?.startsWith('kms:') ? [ask('kms:Sign', settings.signing.slice(4), signing)] : []),
    ...(vpc === undefined ? [] : networkActions.map((action) => ask(action, '*'))),
    ...ownActions,
  ];
}

function move(call: RecordedCall, of: string, from: string, to: string): readonly RecordedCall[] {
  return call.bucket === of && call.key.startsWith(from)
    ? [{ ...call, key: `${to}${call.key.slice(from.length)}` }]
    : [];
}

function ask(action: string, resource: string, context: Request['context'] = {}): Request {
  return { action, resource, context };
}

/** What S3 asks of the bucket's key: https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html */
function listKeyUses(key: string | undefined, calls: readonly RecordedCall[]): readonly Request[] {
  const asked: Readonly<Record<string, readonly string[]>> = {
    's3:GetObject': ['kms:Decrypt'],
    's3:PutObject': ['kms:GenerateDataKey', 'kms:Decrypt'],
  };
  return key === undefined
    ? []
    : calls.flatMap(({ action, bucket: of, key: path }) =>
        [`arn:aws:s3:::${of}`, `arn:aws:s3:::${of}/${path}`].flatMap((arn) => {
          const context = { 'kms:ViaService': 's3.eu-west-1.amazonaws.com', 'kms:EncryptionContext:aws:s3:arn': arn };
          return (asked[action] ?? []).map((one) => ask(one, key, context));
        }),
      );
}

/** By the service's names of its resources. */
function toRequest({ action, of }: ObservedCall): Request {
  const resources: Readonly<Record<string, string>> = {
    // Secrets Manager appends six characters.
    secretsmanager: toArn('secretsmanager', `secret:${of}-AbCdEf`),
    ssm: toArn('ssm', `parameter${of}`),
    sts: '*',
  };
  const [service = ''] = action.split(':');
  return ask(action, resources[service] ?? '', service === 'sts' ? { 'sts:IdentityTokenAudience': of } : {});
}

/** The channels have tests of their own, which see these calls. */
function listChannelUses(channel: { readonly type: string; readonly topicArn?: string }): readonly Request[] {
  if (channel.type === 'sns') {
    const context = { 'kms:ViaService': 'sns.eu-west-1.amazonaws.com' };
    // https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html
    const ofKey = ['kms:GenerateDataKey', 'kms:Decrypt'].map((action) => ask(action, toArn('kms', 'Key'), context));
    return [ask('sns:Publish', channel.topicArn ?? ''), ...ofKey];
  }
  return channel.type === 'eventbridge' ? [ask('events:PutEvents', toArn('events', 'event-bus/default'))] : [];
}

const signing = { 'kms:SigningAlgorithm': 'ECDSA_SHA_256' };

/** https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html#configuration-vpc-permissions */
const networkActions = [
  'ec2:CreateNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:DeleteNetworkInterface',
  'ec2:AssignPrivateIpAddresses',
  'ec2:UnassignPrivateIpAddresses',
];

/** Lambda asks them with the function's role: its log, and where a start is kept whose every attempt failed. */
const ownActions = [
  ...['logs:CreateLogStream', 'logs:PutLogEvents'].map((action) =>
    ask(action, `arn:aws:logs:${target.region}:${target.account}:log-group:/aws/lambda/muster-prod-night:log-stream:1`),
  ),
  ask('sqs:SendMessage', toArn('sqs', 'FailureQueue')),
];
