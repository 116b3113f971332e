/** What every other role and policy of a stack is for: derived from what the stack starts, and what AWS then asks for it. */
import { tables } from '../../src/reports/tables.ts';
import { toCopyKeys } from '../../src/storage/keys.ts';
import { settingsOf } from './example.ts';
import type { Request } from './policy.ts';
import { propertiesOf, type Resources, toArn } from './template.ts';
import { fileTables, glueViews } from './views.ts';

interface Schedule {
  readonly Target: { readonly Arn: string; readonly DeadLetterConfig: { readonly Arn: string } };
}

interface TaskDefinition {
  readonly TaskRoleArn: string;
  readonly ExecutionRoleArn: string;
  readonly ContainerDefinitions: readonly { readonly Image: string }[];
}

const bucket = 'arn:aws:s3:::acme-muster';
const ofSettings = { 's3:prefix': 'settings/tenants/', 'aws:ResourceAccount': '123456789012' };
const ofCluster = { 'ecs:cluster': toArn('ecs', 'cluster/muster-prod') };

function ask(action: string, resource: string, context: Request['context'] = {}): Request {
  const always = { 'aws:SecureTransport': 'true', 's3:TlsVersion': '1.3' };
  return { action, resource, context: { ...always, ...context } };
}

export function listUsesOfSchedules(resources: Resources): readonly Request[] {
  const schedules = Object.values(resources).filter(({ Type }) => Type === 'AWS::Scheduler::Schedule');
  return schedules.flatMap(({ Properties }) => {
    const { Arn, DeadLetterConfig } = (Properties as Schedule).Target;
    const starts: Readonly<Record<string, () => readonly Request[]>> = {
      [toArn('lambda', 'NightLambdaFunction')]: () => [ask('lambda:InvokeFunction', Arn)],
      [toArn('ecs', 'TaskCluster')]: () => startTask(resources),
      TenantMachine: () => [ask('states:StartExecution', toArn('states', 'stateMachine:muster-prod-tenants'))],
    };
    const start = starts[Arn];
    if (start === undefined) {
      throw new Error(`what does a schedule ask to start ${Arn}?`);
    }
    return [...start(), ask('sqs:SendMessage', DeadLetterConfig.Arn)];
  });
}

/** https://docs.aws.amazon.com/AmazonECS/latest/developerguide/security_iam_id-based-policy-examples.html */
function startTask(resources: Resources): readonly Request[] {
  const { TaskRoleArn, ExecutionRoleArn } = propertiesOf<TaskDefinition>(resources, 'TaskDefinition');
  const toTasks = { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' };
  return [
    ask('ecs:RunTask', toArn('ecs', 'task-definition/muster-prod:7'), ofCluster),
    ...[TaskRoleArn, ExecutionRoleArn].map((role) => ask('iam:PassRole', role, toTasks)),
  ];
}

/** https://docs.aws.amazon.com/AmazonECR/latest/userguide/ECR_on_ECS.html */
export function listUsesOfTaskStart(resources: Resources): readonly Request[] {
  const { ContainerDefinitions } = propertiesOf<TaskDefinition>(resources, 'TaskDefinition');
  const isInRegistry = ContainerDefinitions[0]?.Image.includes('.dkr.ecr.');
  const repository = toArn('ecr', 'repository/muster');
  const fetching = [
    ask('ecr:GetAuthorizationToken', '*'),
    ...['BatchCheckLayerAvailability', 'BatchGetImage', 'GetDownloadUrlForLayer'].map((action) =>
      ask(`ecr:${action}`, repository),
    ),
  ];
  const logging = ['logs:CreateLogStream', 'logs:PutLogEvents'].map((action) =>
    ask(action, toArn('logs', 'log-group:/ecs/muster-prod:log-stream:1')),
  );
  return isInRegistry ? [...fetching, ...logging] : logging;
}

/** By what the states of the machine call: https://docs.aws.amazon.com/step-functions/latest/dg/service-integration-iam-templates.html */
export function listUsesOfMachine(resources: Resources): readonly Request[] {
  const definition = JSON.stringify(propertiesOf(resources, 'TenantMachine').Definition);
  const machine = toArn('states', 'stateMachine:muster-prod-tenants');
  const child = toArn('states', 'execution:muster-prod-tenants/tenants:1');
  const task = toArn('ecs', 'task/muster-prod/1');
  const taskRule = toArn('events', 'rule/StepFunctionsGetEventsForECSTaskRule');
  const integrations: Readonly<Record<string, () => readonly Request[]>> = {
    's3:listObjectsV2': () => [ask('s3:ListBucket', bucket, ofSettings)],
    'lambda:invoke': () => [ask('lambda:InvokeFunction', toArn('lambda', 'NightLambdaFunction'))],
    'ecs:runTask.sync': () => [
      ...startTask(resources),
      ...['ecs:StopTask', 'ecs:DescribeTasks'].map((action) => ask(action, task, ofCluster)),
      ...['PutTargets', 'PutRule', 'DescribeRule'].map((action) => ask(`events:${action}`, taskRule)),
    ],
  };
  const called = [...definition.matchAll(/arn:aws:states:::([\w:.]+)/g)].flatMap(([, name = '']) => {
    const requests = integrations[name];
    if (requests === undefined) {
      throw new Error(`what does the machine ask for ${name}?`);
    }
    return requests();
  });
  const children = [
    ask('states:StartExecution', machine),
    ...['states:DescribeExecution', 'states:StopExecution'].map((action) => ask(action, child)),
  ];
  return definition.includes('"Mode":"DISTRIBUTED"') ? [...called, ...children] : called;
}

/**
 * Queries in Athena's console and through its drivers, and a copy of what is latest:
 * https://docs.aws.amazon.com/athena/latest/ug/security-iam-athena.html and the pages below it.
 */
export function listUsesOfReaders(yaml: string): readonly Request[] {
  const { store, aws } = settingsOf(yaml);
  const [, folder = ''] = /^s3:\/\/[^/]+\/?(.*)$/.exec(store) ?? [];
  const prefix = folder === '' ? '' : `${folder}/`;
  const key = aws.reportBucket.owner === undefined ? toArn('kms', 'Key') : aws.reportBucket.key;
  const workGroup = toArn('athena', 'workgroup/muster-prod');
  const catalog = toArn('athena', 'datacatalog/AwsDataCatalog');
  const ofAthena = (resource: string, actions: string) =>
    actions.split(' ').map((action) => ask(`athena:${action}`, resource));
  const ofGlue = (resource: string, actions: string) =>
    actions.split(' ').map((action) => ask(`glue:${action}`, toArn('glue', resource)));
  const throughS3 = { 'kms:ViaService': 's3.eu-west-1.amazonaws.com' };
  return [
    ...ofAthena('*', 'ListWorkGroups ListDataCatalogs'),
    ...ofAthena(workGroup, 'GetWorkGroup ListNamedQueries GetNamedQuery BatchGetNamedQuery StartQueryExecution'),
    ...ofAthena(workGroup, 'StopQueryExecution GetQueryExecution BatchGetQueryExecution ListQueryExecutions'),
    ...ofAthena(workGroup, 'GetQueryResults GetQueryResultsStream GetQueryRuntimeStatistics'),
    ...ofAthena(catalog, 'GetDataCatalog ListDatabases GetDatabase ListTableMetadata GetTableMetadata'),
    ...['catalog', 'database/default', 'database/muster_prod'].flatMap((one) =>
      ofGlue(one, 'GetDatabase GetDatabases'),
    ),
    ...[...fileTables, ...glueViews].flatMap(({ Name }) =>
      ofGlue(`table/muster_prod/${Name}`, 'GetTable GetTables GetPartition GetPartitions BatchGetPartition'),
    ),
    ask('s3:GetBucketLocation', bucket),
    ask('s3:ListBucket', bucket, { 's3:prefix': `${prefix}devices/date=2026-11-20/` }),
    ...tables.flatMap(({ name }) => toCopyKeys(`${name}.csv`, '2026-11-20').map((copy) => readReport(prefix, copy))),
    ...['index.html', 'muster.xlsx'].map((name) => readReport(prefix, `latest/${name}`)),
    ...['GetObject', 'PutObject', 'AbortMultipartUpload', 'ListMultipartUploadParts'].map((action) =>
      ask(`s3:${action}`, `${bucket}/query-results/a.csv`),
    ),
    ask('s3:ListBucketMultipartUploads', bucket),
    ...(key === undefined ? [] : ['kms:Decrypt', 'kms:GenerateDataKey'].map((action) => ask(action, key, throughS3))),
  ];
}

function readReport(prefix: string, path: string): Request {
  return ask('s3:GetObject', `${bucket}/${prefix}${path}`);
}

export function listUsesOfTenantReaders(): readonly Request[] {
  return tables.flatMap(({ name }) =>
    toCopyKeys(`${name}.csv`, '2026-11-20').map((copy) => readReport('tenants/acme/', copy)),
  );
}
