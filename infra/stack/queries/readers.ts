/**
 * A policy for people and tools that read the reports, for their roles. It allows latest/ and queries in Athena, but
 * neither the settings nor the facts below runs/. docs/aws-permissions.md has the reason for each action.
 */
import {
  allow,
  allowEach,
  findReportKey,
  inBucket,
  policyDocument,
  ref,
  type Statement,
  sub,
  type TemplatePart,
  toArn,
} from '../intrinsics.ts';
import { nameDatabase, nameStack, type StackSettings } from '../stack-settings.ts';

export function renderReaders(stack: StackSettings): TemplatePart {
  return {
    Resources: {
      ReaderPolicy: renderReaderPolicy(
        sub(`${nameStack(stack)}-reader-\${AWS::Region}`),
        sub('Reads the reports of ${AWS::StackName} and queries them in Athena'),
        listStatements(stack),
      ),
    },
    Outputs: {
      ReaderPolicy: { Value: ref('ReaderPolicy'), Description: 'Attach it to the roles of those who read the reports' },
    },
  };
}

export function renderReaderPolicy(
  ManagedPolicyName: unknown,
  Description: unknown,
  statements: readonly Statement[],
): object {
  return {
    Type: 'AWS::IAM::ManagedPolicy',
    Properties: { ManagedPolicyName, Description, PolicyDocument: policyDocument(statements) },
  };
}

function listStatements(stack: StackSettings): readonly Statement[] {
  const { reports } = stack;
  const key = findReportKey(stack);
  return [
    allow(
      'ReadReports',
      's3:GetObject',
      ['latest/*', '*/date=*'].map((path) => inBucket(reports, `/${reports.prefix}${path}`)),
    ),
    allow('ListReports', ['s3:ListBucket', 's3:GetBucketLocation'], inBucket(reports)),
    allow(
      'KeepQueryResults',
      ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'],
      inBucket(reports, '/query-results/*'),
    ),
    allow('KeepLargeQueryResults', 's3:ListBucketMultipartUploads', inBucket(reports)),
    ...allowEach('UseKeyThroughS3', ['kms:Decrypt', 'kms:GenerateDataKey'], key === undefined ? [] : [key], {
      StringEquals: { 'kms:ViaService': sub('s3.${AWS::Region}.amazonaws.com') },
    }),
    allow(
      'QueryInWorkGroup',
      [
        'athena:StartQueryExecution',
        'athena:StopQueryExecution',
        'athena:GetQueryExecution',
        'athena:BatchGetQueryExecution',
        'athena:ListQueryExecutions',
        'athena:GetQueryResults',
        'athena:GetQueryResultsStream',
        'athena:GetQueryRuntimeStatistics',
        'athena:GetWorkGroup',
        'athena:ListNamedQueries',
        'athena:GetNamedQuery',
        'athena:BatchGetNamedQuery',
      ],
      toArn('athena', `workgroup/${nameStack(stack)}`),
    ),
    allow(
      'SeeDataCatalog',
      [
        'athena:GetDataCatalog',
        'athena:ListDatabases',
        'athena:GetDatabase',
        'athena:ListTableMetadata',
        'athena:GetTableMetadata',
      ],
      toArn('athena', 'datacatalog/AwsDataCatalog'),
    ),
    // Neither action can be limited to a resource.
    allow('ChooseWorkGroup', ['athena:ListWorkGroups', 'athena:ListDataCatalogs'], '*'),
    readTables(nameDatabase(stack)),
  ];
}

function readTables(database: string): Statement {
  return allow(
    'ReadTables',
    [
      'glue:GetDatabase',
      'glue:GetDatabases',
      'glue:GetTable',
      'glue:GetTables',
      'glue:GetPartition',
      'glue:GetPartitions',
      'glue:BatchGetPartition',
    ],
    [
      toArn('glue', 'catalog'),
      // Athena needs it for every query.
      toArn('glue', 'database/default'),
      toArn('glue', `database/${database}`),
      toArn('glue', `table/${database}/*`),
    ],
  );
}
