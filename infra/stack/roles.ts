/** Two roles with the least rights that they need; docs/aws-permissions.md has the reason for each action. */
import { tables } from '../../src/reports/tables.ts';
import {
  allow,
  allowEach,
  findAuditKey,
  findReportKey,
  getArn,
  inBucket,
  ofThisAccount,
  ref,
  renderRole,
  type Statement,
  sub,
  type TemplatePart,
  toArn,
  trust,
} from './intrinsics.ts';
import { type AuditPlace, type BucketPlace, nameStack, type StackSettings } from './stack-settings.ts';
import { giveTaskItsRoles, runsTask, runTask, trustTasks } from './task.ts';

export function renderRoles(stack: StackSettings): TemplatePart {
  const { reports, audit } = stack;
  return {
    Resources: {
      NightRole: renderRole(
        stack,
        'night',
        [trust('lambda.amazonaws.com'), ...(runsTask(stack) ? [trustTasks] : [])],
        [
          allow('ReadSettings', 's3:GetObject', inBucket(reports, '/settings/*'), { StringEquals: ofOwner(reports) }),
          ...listStoreStatements('KeepNights', 'KeepLogAndLatest', reports, reports.prefix),
          allow('ListStore', 's3:ListBucket', inBucket(reports), {
            StringEquals: ofOwner(reports),
            // A request for a missing key names no prefix; if S3 refused it, the key would seem forbidden, not missing.
            StringLikeIfExists: { 's3:prefix': `${reports.prefix}*` },
          }),
          ...(audit === undefined ? [] : listAuditStatements(audit)),
          ...listKeyStatements(stack),
          ...listSettingStatements(stack),
          allow('KeepFailedStarts', 'sqs:SendMessage', getArn('FailureQueue')),
          allow(
            'WriteOwnLog',
            ['logs:CreateLogStream', 'logs:PutLogEvents'],
            toArn('logs', `log-group:/aws/lambda/${nameStack(stack)}-night:*`),
          ),
        ],
      ),
      ScheduleRole: renderScheduleRole(stack),
    },
    Outputs: {
      NightRole: { Value: getArn('NightRole'), Description: "The subject of Entra's federated credential" },
    },
  };
}

/** The condition on a bucket's account, so that another bucket of its name cannot replace it. */
export function ofOwner({ owner }: BucketPlace): object {
  return { 'aws:ResourceAccount': owner ?? ref('AWS::AccountId') };
}

/** The rights of a run on a store whose keys all begin with `folder`. */
export function listStoreStatements(
  keep: string,
  log: string,
  reports: BucketPlace,
  folder: string,
): readonly Statement[] {
  const inStore = (path: string) => inBucket(reports, `/${folder}${path}`);
  const dated = [...tables.map(({ name }) => name), 'findings', 'report'];
  const Condition = { StringEquals: ofOwner(reports) };
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

function listAuditStatements(audit: AuditPlace): readonly Statement[] {
  const Condition = { StringEquals: ofOwner(audit) };
  return [
    allow('KeepCommits', ['s3:GetObject', 's3:PutObject'], inBucket(audit, `/${audit.prefix}commits/*`), Condition),
    allow('ListAuditBucket', 's3:ListBucket', inBucket(audit), Condition),
  ];
}

function listKeyStatements(stack: StackSettings): readonly Statement[] {
  const { reports, audit = reports } = stack;
  const ofAudit = audit.key === 'own' ? 'UseOwnAuditKeyThroughS3' : 'UseAuditKeyThroughS3';
  return [
    ...useKeyThroughS3('UseKeyThroughS3', findReportKey(stack), reports),
    ...useKeyThroughS3(ofAudit, findAuditKey(stack), audit),
  ];
}

/** The right to use a key through S3. The context is the bucket's ARN with a bucket key, as ours has, otherwise the object's. */
function useKeyThroughS3(sid: string, key: unknown, bucket: BucketPlace): readonly Statement[] {
  const statement = allow(sid, ['kms:GenerateDataKey', 'kms:Decrypt'], key, {
    StringEquals: { 'kms:ViaService': sub('s3.${AWS::Region}.amazonaws.com') },
    StringLike: { 'kms:EncryptionContext:aws:s3:arn': [inBucket(bucket), inBucket(bucket, '/*')] },
  });
  return key === undefined ? [] : [statement];
}

/** Rights for optional settings: signatures, a network, secrets, tokens and channels. */
function listSettingStatements(stack: StackSettings): readonly Statement[] {
  const throughSns = { StringEquals: { 'kms:ViaService': sub('sns.${AWS::Region}.amazonaws.com') } };
  const networkActions = [
    'CreateNetworkInterface',
    'DescribeNetworkInterfaces',
    'DescribeSubnets',
    'DeleteNetworkInterface',
    'AssignPrivateIpAddresses',
    'UnassignPrivateIpAddresses',
  ].map((action) => `ec2:${action}`);
  return [
    ...(stack.signingKey === undefined
      ? []
      : [
          allow('SignCommits', 'kms:Sign', stack.signingKey, {
            StringEquals: { 'kms:SigningAlgorithm': 'ECDSA_SHA_256' },
          }),
        ]),
    ...(stack.network === undefined ? [] : [allow('UseNetwork', networkActions, '*')]),
    ...allowEach('ReadSecrets', 'secretsmanager:GetSecretValue', stack.secrets.map(sub)),
    ...allowEach('ReadParameters', 'ssm:GetParameter', stack.parameters.map(sub)),
    ...getTokens('GetTokenForEntra', stack.audiences.map(sub)),
    ...allowEach('ReadDocuments', 's3:GetObject', stack.documents),
    ...allowEach('PublishToTopics', 'sns:Publish', stack.topics),
    ...(stack.topics.length === 0
      ? []
      : [allow('UseKeyThroughSns', ['kms:GenerateDataKey', 'kms:Decrypt'], getArn('Key'), throughSns)]),
    ...allowEach('PutEventsOnBuses', 'events:PutEvents', stack.buses),
  ];
}

/** The right to request tokens; the action supports no resource, so that the audiences limit it. */
export function getTokens(sid: string, audiences: readonly unknown[]): readonly Statement[] {
  const statement = allow(sid, 'sts:GetWebIdentityToken', '*', {
    'ForAllValues:StringEquals': { 'sts:IdentityTokenAudience': audiences },
    Null: { 'sts:IdentityTokenAudience': 'false' },
  });
  return audiences.length === 0 ? [] : [statement];
}

function renderScheduleRole(stack: StackSettings): object {
  return renderRole(
    stack,
    'schedule',
    [
      trust('scheduler.amazonaws.com', {
        StringEquals: {
          ...ofThisAccount,
          // Scheduler passes the group here, not the schedule.
          'aws:SourceArn': toArn('scheduler', `schedule-group/${nameStack(stack)}`),
        },
      }),
    ],
    [
      ...(runsTask(stack)
        ? [runTask('StartTask'), giveTaskItsRoles]
        : [allow('StartNight', 'lambda:InvokeFunction', getArn('NightLambdaFunction'))]),
      allow('KeepMissedStarts', 'sqs:SendMessage', getArn('MissedStartQueue')),
    ],
  );
}
