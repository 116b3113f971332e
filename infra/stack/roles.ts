/** Two roles, each with only what it needs; docs/aws-permissions.md has the reason for each action. */
import { tables } from '../../src/reports/tables.ts';
import {
  allow,
  getArn,
  inAudit,
  inReports,
  ofThisAccount,
  ref,
  renderRole,
  reportKey,
  type Statement,
  sub,
  type TemplatePart,
  toArn,
  trust,
  when,
} from './intrinsics.ts';
import { giveTaskItsRoles, runTask, type Task, trustTasks } from './task.ts';

export function renderRoles(name: string, task: Task | undefined): TemplatePart {
  return {
    Resources: {
      NightRole: renderRole(
        'night',
        [trust('lambda.amazonaws.com'), ...(task === undefined ? [] : [trustTasks])],
        [
          allow('ReadSettings', 's3:GetObject', inReports('/settings/*'), { StringEquals: ofReportAccount }),
          ...listStoreStatements('KeepNights', 'KeepLogAndLatest', '/${StorePrefix}'),
          allow('ListStore', 's3:ListBucket', inReports(), {
            StringEquals: ofReportAccount,
            // A request for one missing key names no prefix; if S3 refused it, the key would seem forbidden and not missing.
            StringLikeIfExists: { 's3:prefix': sub('${StorePrefix}*') },
          }),
          ...auditStatements,
          ...keyStatements,
          ...listSettingStatements(),
          allow('KeepFailedStarts', 'sqs:SendMessage', getArn('FailureQueue')),
          allow(
            'WriteOwnLog',
            ['logs:CreateLogStream', 'logs:PutLogEvents'],
            toArn('logs', `log-group:/aws/lambda/${name}-night:*`),
          ),
        ],
      ),
      ScheduleRole: renderScheduleRole(name, task),
    },
    Outputs: {
      NightRole: { Value: getArn('NightRole'), Description: "The subject of Entra's federated credential" },
    },
  };
}

export const ofReportAccount = {
  'aws:ResourceAccount': when('MakesReportBucket', ref('AWS::AccountId'), ref('ReportBucketOwner')),
};
export const ofAuditAccount = {
  'aws:ResourceAccount': when('MakesAuditBucket', ref('AWS::AccountId'), ref('AuditBucketOwner')),
};

/** What a run needs of a store, all of whose keys begin with `folder`. */
export function listStoreStatements(keep: string, log: string, folder: string): readonly Statement[] {
  const inStore = (path: string) => inReports(`${folder}${path}`);
  const dated = [...tables.map(({ name }) => name), 'findings', 'report'];
  const Condition = { StringEquals: ofReportAccount };
  return [
    allow(
      keep,
      ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
      [
        inStore('runs/*'),
        inStore('deliveries/*'),
        ...dated.map((one) => inStore(`${one}/date=*`)),
        inStore('.probe/*'),
      ],
      Condition,
    ),
    allow(log, ['s3:GetObject', 's3:PutObject'], ['commits/*', 'latest.json', 'latest/*'].map(inStore), Condition),
  ];
}

const auditStatements = [
  allow('KeepCommits', ['s3:GetObject', 's3:PutObject'], inAudit('/${AuditPrefix}commits/*'), {
    StringEquals: ofAuditAccount,
  }),
  allow('ListAuditBucket', 's3:ListBucket', inAudit(), { StringEquals: ofAuditAccount }),
].map((statement) => when('KeepsAudit', statement));

const keyStatements = [
  when('EncryptsReportsByKey', useKeyThroughS3('UseKeyThroughS3', reportKey, [inReports(), inReports('/*')])),
  when('MakesAuditKey', useKeyThroughS3('UseOwnAuditKeyThroughS3', getArn('AuditKey'), [inAudit(), inAudit('/*')])),
  when('NamesAuditKey', useKeyThroughS3('UseAuditKeyThroughS3', ref('AuditKeyArn'), [inAudit(), inAudit('/*')])),
];

/** `contexts` are the bucket's ARN, where it has a bucket key, as ours has; else the objects'. */
function useKeyThroughS3(sid: string, key: unknown, contexts: readonly unknown[]): Statement {
  return allow(sid, ['kms:GenerateDataKey', 'kms:Decrypt'], key, {
    StringEquals: { 'kms:ViaService': sub('s3.${AWS::Region}.amazonaws.com') },
    StringLike: { 'kms:EncryptionContext:aws:s3:arn': contexts },
  });
}

/** What the settings ask for: signatures, a network, secrets, tokens and channels. */
function listSettingStatements(): readonly unknown[] {
  return [
    when(
      'SignsCommits',
      allow('SignCommits', 'kms:Sign', ref('SigningKeyArn'), {
        StringEquals: { 'kms:SigningAlgorithm': 'ECDSA_SHA_256' },
      }),
    ),
    when(
      'UsesVpc',
      allow(
        'UseNetwork',
        [
          'ec2:CreateNetworkInterface',
          'ec2:DescribeNetworkInterfaces',
          'ec2:DescribeSubnets',
          'ec2:DeleteNetworkInterface',
          'ec2:AssignPrivateIpAddresses',
          'ec2:UnassignPrivateIpAddresses',
        ],
        '*',
      ),
    ),
    when('ReadsSecrets', allow('ReadSecrets', 'secretsmanager:GetSecretValue', ref('SecretArns'))),
    when('ReadsParameters', allow('ReadParameters', 'ssm:GetParameter', ref('ParameterArns'))),
    when('GetsTokens', getTokens('GetTokenForEntra', ref('TokenAudiences'))),
    when('ReadsDocuments', allow('ReadDocuments', 's3:GetObject', ref('DocumentArns'))),
    when('TellsTopics', allow('PublishToTopics', 'sns:Publish', ref('TopicArns'))),
    when(
      'TellsTopics',
      allow('UseKeyThroughSns', ['kms:GenerateDataKey', 'kms:Decrypt'], getArn('Key'), {
        StringEquals: { 'kms:ViaService': sub('sns.${AWS::Region}.amazonaws.com') },
      }),
    ),
    when('TellsBuses', allow('PutEventsOnBuses', 'events:PutEvents', ref('EventBusArns'))),
  ];
}

/** The action knows no resource; the audiences limit it. */
export function getTokens(sid: string, audiences: unknown): Statement {
  return allow(sid, 'sts:GetWebIdentityToken', '*', {
    'ForAllValues:StringEquals': { 'sts:IdentityTokenAudience': audiences },
    Null: { 'sts:IdentityTokenAudience': 'false' },
  });
}

function renderScheduleRole(name: string, task: Task | undefined): object {
  return renderRole(
    'schedule',
    [
      trust('scheduler.amazonaws.com', {
        StringEquals: {
          ...ofThisAccount,
          // Scheduler names the group here, not the schedule.
          'aws:SourceArn': toArn('scheduler', `schedule-group/${name}`),
        },
      }),
    ],
    [
      ...(task === undefined
        ? [allow('StartNight', 'lambda:InvokeFunction', getArn('NightLambdaFunction'))]
        : [runTask('StartTask'), giveTaskItsRoles]),
      allow('KeepMissedStarts', 'sqs:SendMessage', getArn('MissedStartQueue')),
    ],
  );
}
