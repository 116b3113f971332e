/** `aws.tenants`: what the stack has for tenants, and the tables over all of theirs. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { describe, expect, it } from 'vitest';
import { planDeployment } from '../../infra/plan/deployment.ts';
import { renderAuditOwnerTemplate, renderReportOwnerTemplate } from '../../infra/stack/owner-templates.ts';
import { tables } from '../../src/reports/tables.ts';
import { openDuck } from './duck.ts';
import { asTask, asTenants, everything, settingsOf, stackOf, target, tenantFiles, withTenants } from './example.ts';
import { decide, requestOf } from './policy.ts';
import { makeStack, policyOf, propertiesOf, readTemplate, toArn } from './template.ts';
import { prestoView } from './views.ts';

const resources = makeStack(stackOf(withTenants));

describe('a deployment without tenants', () => {
  it('has nothing of them', () => {
    expect(JSON.stringify(readTemplate(everything))).not.toMatch(/tenants/i);
  });
});

describe('the stack for tenants', () => {
  const role = 'arn:aws:iam::123456789012:role/muster-prod-night-eu-west-1';
  const night = [policyOf(resources, 'NightRole'), policyOf(resources, 'TenantRunPolicy')];
  const decided = (action: string, key: string) =>
    decide(
      [...night, policyOf(resources, 'ReportBucketPolicy')],
      requestOf({ bucket: 'acme-muster', action, key }, role),
    );

  it('lets a run keep its store, under the rules of every store, and read its settings', () => {
    for (const path of ['runs/2026-11-20/a/events.json', 'devices/date=2026-11-20/devices.csv', 'latest.json']) {
      expect(decided('s3:GetObject', `tenants/acme/${path}`), path).toBe('allowed');
    }
    expect(decided('s3:GetObject', 'settings/tenants/acme.yaml')).toBe('allowed');
    expect(decided('s3:PutObject', 'settings/tenants/acme.yaml')).not.toBe('allowed');
    expect(decided('s3:GetObject', 'tenants/acme/other.csv')).toBe('not allowed');
    expect(decided('s3:DeleteObject', 'tenants/acme/commits/0000000001.json')).toBe('denied');
  });

  it.each([
    ['ReportBucketPolicy', 'RunsAreCreatedOnce', 'runs/*'],
    ['ReportBucketPolicy', 'CommitsAreCreatedOnce', 'commits/*'],
    ['ReportBucketPolicy', 'OnlyRunsWriteTheStore', 'commits/*'],
    ['ReportBucketPolicy', 'OnlyRunsWriteTheStore', 'latest.json'],
    ['ReportBucketPolicy', 'OnlyRunsWriteTheStore', 'runs/*'],
    ['ReportBucketPolicy', 'OnlyRunsWriteTheStore', 'deliveries/*'],
    ['ReportBucketPolicy', 'NobodyRemovesCommits', 'commits/*'],
    ['ReportBucketPolicy', 'NobodyRemovesOldVersionsOfRuns', 'runs/*'],
    ['AuditBucketPolicy', 'OnlyCommits', 'commits/*'],
  ])('has the rule of %s %s for the stores of tenants too', (policy, sid, path) => {
    const statement = policyOf(resources, policy).Statement.find(({ Sid }) => Sid === sid);
    const bucket = policy === 'AuditBucketPolicy' ? 'acme-muster-audit' : 'acme-muster';
    expect(statement?.Resource ?? statement?.NotResource).toContainEqual(`arn:aws:s3:::${bucket}/tenants/*/${path}`);
    const { owners } = planDeployment(settingsOf(withTenants), target, {}, tenantFiles).deployment ?? {};
    const render = policy === 'AuditBucketPolicy' ? renderAuditOwnerTemplate : renderReportOwnerTemplate;
    const owned = owners?.[policy === 'AuditBucketPolicy' ? 'audit' : 'report'];
    expect(JSON.stringify(owned && render(owned))).toContain(`/tenants/*/${path}`);
  });

  it('has one list of rights for the stores of tenants and for its own', () => {
    const paths = (name: string, sid: string, before: string) => {
      const found = policyOf(resources, name).Statement.find(({ Sid }) => Sid === sid);
      return [found?.Resource].flat().map((one) => String(one).replace(`arn:aws:s3:::acme-muster/${before}`, ''));
    };
    expect(paths('TenantRunPolicy', 'KeepTenantRuns', 'tenants/*/').sort()).toEqual(
      paths('NightRole', 'KeepNights', 'prod/').sort(),
    );
    expect(paths('TenantRunPolicy', 'KeepTenantLogs', 'tenants/*/')).toEqual(
      paths('NightRole', 'KeepLogAndLatest', 'prod/'),
    );
  });

  it('reads secrets of tenants alone, beside those of the deployment', () => {
    const ask = (name: string) =>
      decide(night, {
        action: 'secretsmanager:GetSecretValue',
        resource: toArn('secretsmanager', `secret:${name}`),
        context: {},
      });
    expect(ask('muster/tenants/acme/jamf-AbCdEf')).toBe('allowed');
    expect(ask('muster/other-AbCdEf')).toBe('not allowed');
  });

  it('lets the state machine list the settings, invoke the function and start its own children, and nothing else', () => {
    const ask = (action: string, resource: string, context = {}) =>
      decide([policyOf(resources, 'TenantMachineRole')], { action, resource, context });
    const account = { 'aws:ResourceAccount': '123456789012' };
    const bucket = 'arn:aws:s3:::acme-muster';
    expect(ask('s3:ListBucket', bucket, { ...account, 's3:prefix': 'settings/tenants/' })).toBe('allowed');
    expect(ask('s3:ListBucket', bucket, { ...account, 's3:prefix': 'prod/' })).toBe('not allowed');
    expect(ask('s3:GetObject', `${bucket}/settings/tenants/acme.yaml`, account)).toBe('not allowed');
    expect(ask('lambda:InvokeFunction', toArn('lambda', 'NightLambdaFunction'))).toBe('allowed');
    expect(ask('lambda:InvokeFunction', toArn('lambda', 'other'))).toBe('not allowed');
    expect(ask('states:StartExecution', toArn('states', 'stateMachine:muster-prod-tenants'))).toBe('allowed');
    expect(ask('states:StartExecution', toArn('states', 'stateMachine:other'))).toBe('not allowed');
  });

  it('starts them at every time at which the deployment’s own run starts, and rings where one of them fails', () => {
    const schedules = Object.entries(resources).filter(([, { Type }]) => Type === 'AWS::Scheduler::Schedule');
    const times = (prefix: string) =>
      schedules.flatMap(([name, { Properties }]) =>
        name.startsWith('Tenant') === (prefix === 'Tenant')
          ? [(Properties as { ScheduleExpression: string }).ScheduleExpression]
          : [],
      );
    expect(times('Tenant')).toHaveLength(4);
    expect(times('Tenant').sort()).toEqual(times('').sort());
    expect(propertiesOf(resources, 'TenantsFailedAlarm')).toMatchObject({
      ...{ AlarmName: 'muster-prod-tenants-failed', Threshold: 1 },
      AlarmActions: ['arn:aws:sns:eu-west-1:123456789012:AlertTopic'],
    });
    expect(JSON.stringify(propertiesOf(resources, 'TenantsFailedAlarm'))).toMatch(
      /ExecutionsFailed.*ExecutionsTimedOut.*ExecutionsAborted/,
    );
    expect(propertiesOf(resources, 'TenantsSilenceAlarm')).toMatchObject({
      EvaluationPeriods: 74,
      TreatMissingData: 'breaching',
    });
  });

  it('lets a task have the settings of tenants, and the machine run no other task', () => {
    const withTask = makeStack(stackOf(asTenants(asTask)));
    const { ContainerDefinitions } = propertiesOf<{ ContainerDefinitions: { Environment: object[] }[] }>(
      withTask,
      'TaskDefinition',
    );
    expect(ContainerDefinitions[0]?.Environment).toContainEqual({
      ...{ Name: 'MUSTER_TENANTS', Value: 's3://acme-muster/settings/tenants/' },
    });
    const ask = (resource: string) =>
      decide([policyOf(withTask, 'TenantMachineRole')], {
        ...{ action: 'ecs:RunTask', resource: toArn('ecs', resource) },
        context: { 'ecs:cluster': toArn('ecs', 'cluster/muster-prod') },
      });
    expect([ask('task-definition/muster-prod:7'), ask('task-definition/other:1')]).toEqual(['allowed', 'not allowed']);
  });
});

describe('the tables over all tenants', () => {
  const glue = Object.values(resources).flatMap(({ Type, Properties }) =>
    Type === 'AWS::Glue::Table' ? [(Properties as { TableInput: TableInput }).TableInput] : [],
  );
  type TableInput = Parameters<typeof prestoView>[0];

  it('stand over every table of every tenant', () => {
    const found = glue.filter(({ Name }) => Name.startsWith('tenants_'));
    expect(found.map(({ Parameters: given }) => given['storage.location.template'])).toEqual(
      tables.map(({ name }) => `s3://acme-muster/tenants/\${tenant}/${name}/date=\${date}`),
    );
    for (const { Parameters: given, PartitionKeys } of found) {
      expect(PartitionKeys.map(({ Name }) => Name)).toEqual(['tenant', 'date']);
      expect(given).toMatchObject({ 'projection.tenant.type': 'enum', 'projection.tenant.values': 'acme,contoso' });
    }
  });

  it('answer which tenant published what last', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-tenants-'));
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const coverage = tables.find(({ name }) => name === 'coverage');
    const names = coverage?.columns.map(({ name }) => name) ?? [];
    const write = async (tenant: string, slot: string, low: string) => {
      const place = join(folder, 'tenants', tenant, 'coverage', `date=${slot}`);
      await mkdir(place, { recursive: true });
      const row: Record<string, string> = {
        slot,
        source: 'all',
        soundness: 'complete',
        coverage_low: low,
        counted: '10',
      };
      await writeFile(join(place, 'coverage.csv'), stringify([names, names.map((name) => row[name] ?? '')]));
    };
    await write('acme', day(2), '90.00');
    await write('acme', day(1), '91.00');
    await write('contoso', day(1), '80.00');
    await write('gone', day(20), '10.00');
    const view = glue.find(({ Name }) => Name === 'typed_tenants_coverage');
    const { QueryString } = propertiesOf<{ QueryString: string }>(resources, 'CoverageOfTenantsQuery');
    const duck = await openDuck(
      folder,
      [
        { name: 'tenants_coverage', sql: tenantsSql(folder, names) },
        { name: 'typed_tenants_coverage', sql: prestoView(view as TableInput).originalSql },
      ],
      [],
    );
    try {
      expect(await duck.ask(QueryString)).toMatchObject([
        { tenant: 'contoso', last_run: day(1), at_least: '80.00', soundness: 'complete' },
        { tenant: 'acme', last_run: day(1), at_least: '91.00', counted: '10' },
      ]);
    } finally {
      duck.close();
      await rm(folder, { recursive: true });
    }
  });

  /** What Athena's projection does: the tenant is part of the path. */
  function tenantsSql(folder: string, names: readonly string[]): string {
    const types = names.map((name) => `'${name}': 'VARCHAR'`).join(', ');
    return `SELECT * EXCLUDE filename, regexp_extract(filename, '/tenants/([^/]+)/', 1) AS tenant
      FROM read_csv('${join(folder, 'tenants')}/*/coverage/date=*/coverage.csv', header = true, columns = {${types}},
        nullstr = 'never written', auto_detect = false, hive_partitioning = true, hive_types_autocast = false, filename = true)`;
  }
});
