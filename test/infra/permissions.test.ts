/** What docs/aws-permissions.md says of rights: each action explained, none with a wildcard, roles handed over by name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tables } from '../../src/reports/tables.ts';
import { asTask, asTenants, everything, stackOf, withTenants } from './example.ts';
import { list, type PolicyDocument } from './policy.ts';
import { makeStack, policyOf, propertiesOf } from './template.ts';

const resources = makeStack(everything);
const withNamedKey = makeStack({
  ...everything,
  audit: everything.audit && { ...everything.audit, key: 'arn:aws:kms:eu-west-1:123456789012:key/1234abcd' },
});
const withTask = makeStack(stackOf(asTask));
const forTenants = [withTenants, asTenants(asTask)].map((yaml) => makeStack(stackOf(yaml)));
const night = policyOf(resources, 'NightRole');

describe('docs/aws-permissions.md', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/aws-permissions.md'), 'utf8');
  const section = (title: string) => new RegExp(`\\n## ${title}\\n([\\s\\S]*?)(?=\\n## |$)`).exec(text)?.[1] ?? '';

  it.each([
    ...['NightRole', 'ScheduleRole', 'TaskExecutionRole', 'ReaderPolicy'],
    ...['TenantRunPolicy', 'TenantStartPolicy', 'TenantMachineRole', 'TenantReaderPolicy'],
  ])('explains every action of %s, and no other', (name) => {
    const told = [...section(name).matchAll(/^\| `([a-z0-9]+:\w+)` \| (\w+) \| .+ \| (.+) \|$/gm)];
    const granted = [resources, withNamedKey, withTask, ...forTenants]
      .filter((from) => from[name] !== undefined)
      .flatMap((from) =>
        policyOf(from, name).Statement.flatMap(({ Sid, Action }) => list(Action).map((one) => `${Sid} ${one}`)),
      );
    expect(told.map(([, action, sid]) => `${sid} ${action}`).sort()).toEqual([...new Set(granted)].sort());
    for (const [line, , , why] of told) {
      expect(why?.length, line).toBeGreaterThan(10);
    }
  });

  it('tells everything that the buckets refuse', () => {
    const told = [...section('What the buckets refuse').matchAll(/^\| (\w+) \| /gm)].map((match) => match[1]);
    const refused = ['ReportBucketPolicy', 'AuditBucketPolicy', 'AccessLogBucketPolicy'].flatMap((name) =>
      policyOf(resources, name).Statement.flatMap(({ Sid, Effect }) => (Effect === 'Deny' ? [Sid] : [])),
    );
    expect(told.filter((sid) => sid !== 'statement').sort()).toEqual([...new Set(refused)].sort());
  });
});

describe('the roles', () => {
  it.each([
    ...['NightRole', 'ScheduleRole', 'ReaderPolicy'],
    ...['TenantRunPolicy', 'TenantStartPolicy', 'TenantMachineRole', 'TenantReaderPolicy'],
  ])(
    'of %s have no action with a wildcard, and no resource that is all, but for actions that know no resource',
    (name) => {
      const from = name.startsWith('Tenant') ? makeStack(stackOf(asTenants(asTask))) : resources;
      for (const { Sid, Action, Resource, Effect } of policyOf(from, name).Statement) {
        expect(Effect).toBe('Allow');
        for (const action of list(Action)) {
          expect(action, Sid).toMatch(/^[a-z0-9]+:[A-Za-z]+$/);
        }
        const isAll = list(Resource ?? '*').includes('*');
        expect(isAll).toBe(
          ['GetTokenForEntra', 'GetTokenForTenants', 'UseNetwork', 'ChooseWorkGroup'].includes(Sid ?? ''),
        );
      }
    },
  );

  it('are handed over by their exact names, to tasks alone', () => {
    const roles = ['night', 'task-execution'].map(
      (one) => `arn:aws:iam::123456789012:role/muster-prod-${one}-eu-west-1`,
    );
    const handing = [withTask, forTenants[1] ?? {}].flatMap((from) =>
      ['ScheduleRole', 'TenantMachineRole'].flatMap((name) =>
        from[name] === undefined
          ? []
          : policyOf(from, name).Statement.filter(({ Action }) => Action === 'iam:PassRole'),
      ),
    );
    expect(handing).toHaveLength(3);
    for (const { Resource, Condition } of handing) {
      expect(Resource).toEqual(roles);
      expect(Condition).toEqual({ StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } });
    }
    expect(JSON.stringify([resources, forTenants[0]])).not.toContain('iam:PassRole');
  });

  it('may be taken by their service for this account alone', () => {
    const trust = (name: string, from = resources) =>
      propertiesOf<{ AssumeRolePolicyDocument: PolicyDocument }>(from, name).AssumeRolePolicyDocument.Statement;
    const StringEquals = { 'aws:SourceAccount': '123456789012' };
    expect(trust('NightRole').map(({ Condition }) => Condition)).toEqual([{ StringEquals }]);
    // ECS knows no narrower ARN in a role's trust than all of an account in a region.
    const ofTasks = {
      ...{ Effect: 'Allow', Principal: { Service: 'ecs-tasks.amazonaws.com' }, Action: 'sts:AssumeRole' },
      Condition: { StringEquals, ArnLike: { 'aws:SourceArn': 'arn:aws:ecs:eu-west-1:123456789012:*' } },
    };
    expect(trust('NightRole', withTask)[1]).toEqual(ofTasks);
    expect(trust('TaskExecutionRole', withTask)).toEqual([ofTasks]);
    expect(trust('ScheduleRole')[0]?.Condition?.StringEquals).toEqual({
      'aws:SourceAccount': '123456789012',
      'aws:SourceArn': 'arn:aws:scheduler:eu-west-1:123456789012:schedule-group/muster-prod',
    });
  });

  it('let every table be copied, and name no folder that is none', () => {
    const keep = night.Statement.find(({ Sid }) => Sid === 'KeepNights');
    const folders = list(keep?.Resource ?? []).flatMap((arn) => /prod\/([a-z-]+)\/date=\*$/.exec(arn)?.[1] ?? []);
    expect(folders).toEqual([...tables.map(({ name }) => name), 'findings', 'report']);
  });
});
