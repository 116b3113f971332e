/** Saved queries, and the workgroup they run in. A test runs the same SQL in DuckDB on the same files. */
import { findReportKey, ref, sub, type TemplatePart } from '../intrinsics.ts';
import { nameStack, type StackSettings } from '../stack-settings.ts';

export function renderQueries(stack: StackSettings): TemplatePart {
  const key = findReportKey(stack);
  return {
    Resources: {
      ReportWorkGroup: {
        Type: 'AWS::Athena::WorkGroup',
        Properties: {
          Name: nameStack(stack),
          Description: 'Queries over what Muster published',
          RecursiveDeleteOption: true,
          WorkGroupConfiguration: {
            EnforceWorkGroupConfiguration: true,
            // Limits the cost of a mistake: 10 GB cost five US cents.
            BytesScannedCutoffPerQuery: stack.athenaCutoffBytes,
            EngineVersion: { SelectedEngineVersion: 'Athena engine version 3' },
            ResultConfiguration: {
              OutputLocation: sub(`s3://${stack.reports.bucket}/query-results/`),
              EncryptionConfiguration:
                key === undefined ? { EncryptionOption: 'SSE_S3' } : { EncryptionOption: 'SSE_KMS', KmsKey: key },
            },
          },
        },
      },
      ...Object.fromEntries(savedQueries.map((query) => [query.resource, renderQuery(query)])),
    },
  };
}

interface SavedQuery {
  readonly resource: string;
  readonly name: string;
  readonly description: string;
  readonly sql: string;
}

export function renderQuery({ name, description, sql }: SavedQuery): object {
  return {
    Type: 'AWS::Athena::NamedQuery',
    Properties: {
      Name: name,
      Description: description,
      Database: ref('ReportDatabase'),
      WorkGroup: ref('ReportWorkGroup'),
      QueryString: sql,
    },
  };
}

const savedQueries: readonly SavedQuery[] = [
  {
    resource: 'MissingLongestQuery',
    name: 'Who has been Not Installed longest',
    description: 'Devices of the latest run that need action, longest first',
    sql: `-- Who has been Not Installed longest, as of the latest run. "Since" reads "at least since".
SELECT
  device_name, serial_number, "user", source, platform, reason, not_installed_since,
  date_diff('day', not_installed_since, slot) AS days_missing, proven, stale, last_seen_at, device_id
FROM typed_not_installed
WHERE "date" IN (SELECT max("date") FROM coverage)
ORDER BY not_installed_since, source, device_id
LIMIT 500
`,
  },
  {
    resource: 'CoverageByWeekQuery',
    name: 'Coverage by week',
    description: 'Coverage, its interval, and how many runs were complete',
    sql: `-- Coverage week by week (Mondays first), for each source and in all, with the number of complete runs.
SELECT
  CAST(date_trunc('week', slot) AS date) AS week, source,
  count(*) AS nights, count_if(soundness = 'complete') AS complete_nights,
  max_by(counted, slot) AS counted_at_end, max_by(not_installed, slot) AS not_installed_at_end,
  min(coverage_low) AS lowest, max_by(coverage, slot) AS coverage_at_end, max(coverage_high) AS highest,
  sum(lost) AS lost, sum(recovered) AS recovered
FROM typed_coverage
GROUP BY CAST(date_trunc('week', slot) AS date), source
ORDER BY week DESC, source
`,
  },
  {
    resource: 'FlappingDevicesQuery',
    name: 'Flapping devices',
    description: 'Devices that repeatedly lose the agent and get it back',
    sql: `-- Devices that repeatedly lost the agent and got it back: three changes or more in the last 30 days.
SELECT
  source, platform, device_id, max_by(device_name, slot) AS device_name, max_by(serial_number, slot) AS serial_number,
  count_if(change = 'lost') AS times_lost, count_if(change = 'recovered') AS times_recovered,
  min(slot) AS first_change, max(slot) AS last_change
FROM typed_changes
WHERE change IN ('lost', 'recovered') AND slot > (SELECT max(slot) - INTERVAL '30' DAY FROM typed_coverage)
GROUP BY source, platform, device_id
HAVING count(*) >= 3
ORDER BY count(*) DESC, source, device_id
`,
  },
  {
    resource: 'DeviceHistoryQuery',
    name: "A device's history by serial number",
    description:
      'One machine, run by run; Athena asks for its serial number, then for the first date, both in single quotes',
    sql: `-- One machine, run by run since a date, by its serial number; also under other ids and in other sources.
SELECT
  slot, source, device_id, device_name, status, reason, value, value_at, last_seen_at, proven, stale, counted,
  excluded_because, not_installed_since, answered_on
FROM typed_devices
WHERE lower(trim(serial_number)) = lower(trim(?)) AND "date" >= ?
ORDER BY slot, source, device_id
`,
  },
  {
    resource: 'EnrolledNowhereQuery',
    name: 'Bought and never enrolled',
    description: 'Machines on the list of expected ones that no source knew in the latest run, and since when',
    sql: `-- Machines on the list that are enrolled nowhere, as of the latest run, and the first kept run that said so.
SELECT
  serial_number, max_by(owner, slot) AS owner, max_by(site, slot) AS site, max_by(bought, slot) AS bought,
  max_by("until", slot) AS "until", max_by(note, slot) AS note, max_by(list, slot) AS list, min(slot) AS since
FROM typed_unenrolled
GROUP BY serial_number
HAVING max("date") = (SELECT max("date") FROM coverage)
ORDER BY since, serial_number
LIMIT 500
`,
  },
  {
    resource: 'SilentLongestQuery',
    name: 'Not checking in for longest',
    description:
      'Installed devices that their console has not seen, as of the latest run, longest not checking in first',
    sql: `-- Installed, and not checking in: not seen by their console. Those that it does not know at all come first.
SELECT
  device_name, serial_number, "user", source, platform, reporting_at,
  date_diff('day', reporting_at, slot) AS days_silent, last_seen_at, device_id
FROM typed_devices
WHERE "date" IN (SELECT max("date") FROM coverage) AND silent
ORDER BY reporting_at NULLS FIRST, source, device_id
LIMIT 500
`,
  },
  {
    resource: 'LeftTheCountQuery',
    name: 'What was removed from scope',
    description: 'Devices that are no longer counted, and why',
    sql: `-- What was removed from scope in the last 30 days, and why: the count before, plus what joined, less these, is the count now.
SELECT slot, source, platform, device_id, device_name, serial_number, change, from_status, reason
FROM typed_changes
WHERE change IN ('removed', 'excluded') AND slot > (SELECT max(slot) - INTERVAL '30' DAY FROM typed_coverage)
ORDER BY slot DESC, source, device_id
`,
  },
];

/** A query over the stores of all tenants. */
export const tenantsQuery: SavedQuery = {
  resource: 'CoverageOfTenantsQuery',
  name: 'All tenants',
  description: 'The latest run of each tenant within seven days: its date, coverage and soundness',
  sql: `-- The latest run of every tenant within the last seven days; a tenant that is not here has not published since.
SELECT
  tenant, max(slot) AS last_run, max_by(soundness, slot) AS soundness, max_by(devices, slot) AS devices,
  max_by(counted, slot) AS counted, max_by(not_installed, slot) AS not_installed,
  max_by(coverage_low, slot) AS at_least, max_by(coverage, slot) AS coverage, max_by(coverage_high, slot) AS at_most
FROM typed_tenants_coverage
WHERE source = 'all' AND "date" >= CAST(CAST(current_date - INTERVAL '7' DAY AS date) AS varchar)
GROUP BY tenant
ORDER BY at_least, tenant
`,
};
