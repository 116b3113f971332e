/**
 * What `muster.yaml` says, as `infra/plan/deployment.ts` puts it: the parameters that `npm run deploy` gives to osls, and
 * those of the stack that are made from them. The values come as defaults and not as stack parameters: osls makes a first
 * deployment in two steps, and the first has no parameters yet and would be refused.
 */
import { ref, type TemplatePart } from './intrinsics.ts';

const text = (Default = '', rules: object = {}) => ({ Type: 'String', Default, ...rules });
const number = (Default: string, rules: object) => ({ Type: 'Number', Default, ...rules });
const list = { Type: 'CommaDelimitedList', Default: '' };

const bucketName = '[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]';
const prefix = { AllowedPattern: '^(|[^/*?$].*/)$' };
const account = { AllowedPattern: '^(|\\d{12})$' };
const cron = { AllowedPattern: '^cron\\(.+\\)$' };

/** The stack's parameters, by the names that `npm run deploy` has for them. */
const stackParameters = {
  // S3 refuses every name that begins with sthree-: nobody deploys by accident without muster.yaml.
  reportBucket: text('sthree-set-by-npm-run-deploy', { AllowedPattern: `^${bucketName}$` }),
  storePrefix: text('', {
    ...prefix,
    ConstraintDescription: 'must be empty, or end with a slash and not begin with one',
  }),
  // Empty where the stack makes the bucket.
  reportBucketOwner: text('', account),
  // Empty: the stack's own key; of a bucket that is there already, none.
  reportKey: text(),
  auditBucket: text('', { AllowedPattern: `^(|${bucketName})$` }),
  auditPrefix: text('', prefix),
  auditBucketOwner: text('', account),
  // With neither, S3 itself encrypts the audit bucket.
  auditKey: text(),
  auditKeyOwn: text('false', { AllowedValues: ['true', 'false'] }),
  auditMode: text('GOVERNANCE', { AllowedValues: ['GOVERNANCE', 'COMPLIANCE'] }),
  auditDays: number('400', { MinValue: 1, MaxValue: 36_500 }),
  // Empty where commits are not signed.
  signingKey: text(),
  scheduleExpression: text('cron(15 5 * * ? *)', cron),
  scheduleTimezone: text('UTC', { MinLength: 1, MaxLength: 50 }),
  verifyExpression: text('cron(15 13 ? * 1 *)', cron),
  silenceHours: number('26', { MinValue: 2, MaxValue: 168 }),
  tableDays: number('432', { MinValue: 1 }),
  secretArns: list,
  parameterArns: list,
  tokenAudiences: list,
  documentArns: list,
  topicArns: list,
  eventBusArns: list,
  reservedConcurrency: number('0', { MinValue: 0 }),
  alarmEmail: text(),
  durationAlarmMilliseconds: number('720000', { MinValue: 1 }),
  settingsSha256: text('', { AllowedPattern: '^(|[0-9a-f]{64})$' }),
  deployerArns: list,
  permissionsBoundary: text(),
  subnets: list,
  securityGroups: list,
  athenaCutoffBytes: number('10737418240', { MinValue: 10_485_760 }),
  // Which of the settings above an option of a deployment said, and muster.yaml does not: the next deployment keeps them.
  setByOptions: text('none'),
};

/** Where the stack's name of a parameter says more than the deployment's. */
const longerNames: Readonly<Record<string, string>> = {
  reportBucket: 'ReportBucketName',
  reportKey: 'ReportKeyArn',
  auditBucket: 'AuditBucketName',
  auditKey: 'AuditKeyArn',
  signingKey: 'SigningKeyArn',
};

/** Given to osls, and read while the template is made; `memory` and `timeout` by serverless.yml itself. */
const templateParameters = [
  'compute',
  'healingExpressions',
  'image',
  'memory',
  'timeout',
  'logRetention',
  'tags',
  'httpsProxy',
  'noProxy',
  'tenants',
  'tenantsConcurrency',
  'tenantsSha256',
  'tenantAudiences',
  'tenantPartition',
] as const;

type ParameterName = keyof typeof stackParameters | (typeof templateParameters)[number];

export const parameterNames = [...Object.keys(stackParameters), ...templateParameters] as readonly ParameterName[];

/** A parameter that is missing, or empty, has its default. */
export type StackParameters = Readonly<Partial<Record<ParameterName, string>>>;

export function renderParameters(given: StackParameters): TemplatePart {
  const parameters = Object.entries(stackParameters).map(([name, parameter]) => [
    longerNames[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    { ...parameter, Default: given[name as ParameterName] || parameter.Default },
  ]);
  return {
    Parameters: Object.fromEntries(parameters),
    Conditions: conditions,
    Outputs: {
      SetByOptions: {
        Value: ref('SetByOptions'),
        Description: 'Settings that only an option of npm run deploy has said',
      },
    },
  };
}

const equals = (parameter: string, value: unknown) => ({ 'Fn::Equals': [ref(parameter), value] });
const isSet = (parameter: string) => ({ 'Fn::Not': [equals(parameter, '')] });
const lists = (parameter: string) => ({
  'Fn::Not': [{ 'Fn::Equals': [{ 'Fn::Join': ['', ref(parameter)] }, ''] }],
});
const holds = (Condition: string) => ({ Condition });

const conditions = {
  MakesReportBucket: equals('ReportBucketOwner', ''),
  NamesReportKey: isSet('ReportKeyArn'),
  EncryptsReportsByKey: { 'Fn::Or': [holds('MakesReportBucket'), holds('NamesReportKey')] },
  KeepsAudit: isSet('AuditBucketName'),
  MakesAuditBucket: { 'Fn::And': [holds('KeepsAudit'), equals('AuditBucketOwner', '')] },
  NamesAuditKey: isSet('AuditKeyArn'),
  MakesAuditKey: { 'Fn::And': [holds('MakesAuditBucket'), equals('AuditKeyOwn', 'true')] },
  EncryptsAuditByKey: { 'Fn::Or': [holds('NamesAuditKey'), holds('MakesAuditKey')] },
  SignsCommits: isSet('SigningKeyArn'),
  ReadsSecrets: lists('SecretArns'),
  ReadsParameters: lists('ParameterArns'),
  GetsTokens: lists('TokenAudiences'),
  ReadsDocuments: lists('DocumentArns'),
  TellsTopics: lists('TopicArns'),
  TellsBuses: lists('EventBusArns'),
  ReservesConcurrency: { 'Fn::Not': [equals('ReservedConcurrency', 0)] },
  MailsAlarms: isSet('AlarmEmail'),
  NamesDeployers: lists('DeployerArns'),
  LimitsRoles: isSet('PermissionsBoundary'),
  UsesVpc: lists('Subnets'),
};
