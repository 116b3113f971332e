/** Saved queries, and the workgroup they run in. A test runs the same SQL in DuckDB on the same files. */
import { readFileSync } from 'node:fs';
import { ref, reportKey, sub, type TemplatePart, when } from '../intrinsics.ts';

export function renderQueries(name: string): TemplatePart {
  return {
    Resources: {
      ReportWorkGroup: {
        Type: 'AWS::Athena::WorkGroup',
        Properties: {
          Name: name,
          Description: 'Queries over what Muster published',
          RecursiveDeleteOption: true,
          WorkGroupConfiguration: {
            EnforceWorkGroupConfiguration: true,
            // 10 GB cost five US cents, so a mistake stays cheap.
            BytesScannedCutoffPerQuery: ref('AthenaCutoffBytes'),
            EngineVersion: { SelectedEngineVersion: 'Athena engine version 3' },
            ResultConfiguration: {
              OutputLocation: sub('s3://${ReportBucketName}/query-results/'),
              EncryptionConfiguration: when(
                'EncryptsReportsByKey',
                { EncryptionOption: 'SSE_KMS', KmsKey: reportKey },
                { EncryptionOption: 'SSE_S3' },
              ),
            },
          },
        },
      },
      MissingLongestQuery: renderQuery(
        'Who has been missing longest',
        'Devices of the latest run that need action, longest missing first',
        'missing-longest',
      ),
      CoverageByWeekQuery: renderQuery(
        'Coverage by week',
        'Coverage, its interval, and how many runs were complete',
        'coverage-by-week',
      ),
      FlappingDevicesQuery: renderQuery(
        'Flapping devices',
        'Devices that repeatedly lose the agent and get it back',
        'flapping-devices',
      ),
      DeviceHistoryQuery: renderQuery(
        "A device's history by serial number",
        'One machine, run by run; Athena asks for its serial number, then for the first date, both in single quotes',
        'device-history',
      ),
      LeftTheCountQuery: renderQuery(
        'What was removed from scope',
        'Devices that are no longer counted, and why',
        'left-the-count',
      ),
    },
  };
}

/** `file` lies beside this one, with the extension sql. */
export function renderQuery(Name: string, Description: string, file: string): object {
  return {
    Type: 'AWS::Athena::NamedQuery',
    Properties: {
      Name,
      Description,
      Database: ref('ReportDatabase'),
      WorkGroup: ref('ReportWorkGroup'),
      QueryString: readFileSync(new URL(`${file}.sql`, import.meta.url), 'utf8'),
    },
  };
}
