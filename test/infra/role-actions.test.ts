/** Every role and policy of a stack allows what is used with it, and nothing else, whatever the options are. */
import { beforeAll, describe, expect, it } from 'vitest';
import { asTask, asTenants, everySetting, stackOf, withTenants } from './example.ts';
import { auditBucket, bucket, observeNights, observeServices } from './observe-run.ts';
import { decide, type PolicyDocument, type Request, unused } from './policy.ts';
import { options, planOption, settingsWith } from './stack-options.ts';
import { makeStack, policyOf, type Resources } from './template.ts';
import {
  listUsesOfMachine,
  listUsesOfReaders,
  listUsesOfSchedules,
  listUsesOfTaskStart,
  listUsesOfTenantReaders,
} from './uses-of-others.ts';
import { listAudiences, listSecrets, listUsesOfRun, type Observed } from './uses-of-run.ts';

interface Stack {
  readonly yaml: string;
  readonly resources: Resources;
}

interface Holder {
  readonly policies: readonly string[];
  readonly listUses: (stack: Stack) => readonly Request[];
}

let observed: Observed;

/** All that have rights, with every policy of theirs. */
const holders: readonly Holder[] = [
  { policies: ['NightRole', 'TenantRunPolicy'], listUses: ({ yaml }) => listUsesOfRun(yaml, observed) },
  { policies: ['ScheduleRole', 'TenantStartPolicy'], listUses: ({ resources }) => listUsesOfSchedules(resources) },
  { policies: ['TaskExecutionRole'], listUses: ({ resources }) => listUsesOfTaskStart(resources) },
  { policies: ['TenantMachineRole'], listUses: ({ resources }) => listUsesOfMachine(resources) },
  { policies: ['ReaderPolicy'], listUses: ({ yaml }) => listUsesOfReaders(yaml) },
  { policies: ['TenantReaderPolicy'], listUses: listUsesOfTenantReaders },
];

const examples = { everySetting, asTask, withTenants, 'asTask, with tenants': asTenants(asTask) };
const stacks: readonly (readonly [string, Stack])[] = [
  ...Object.keys(options).map((name) => {
    return [name, { yaml: settingsWith(name), resources: makeStack(planOption(name).stack) }] as const;
  }),
  ...Object.entries(examples).map(([name, yaml]) => [name, { yaml, resources: makeStack(stackOf(yaml)) }] as const),
];

beforeAll(async () => {
  const all = stacks.map(([, { yaml }]) => yaml);
  const each = (list: (yaml: string) => readonly string[]) => [...new Set(all.flatMap(list))];
  observed = {
    nights: await observeNights(),
    services: await observeServices(each(listSecrets), each(listAudiences)),
  };
});

/** Of the buckets that a call is about, where they are the stack's own. */
function bucketPoliciesOf(resources: Resources, { resource }: Request): readonly PolicyDocument[] {
  const policies: Readonly<Record<string, string>> = {
    [bucket]: 'ReportBucketPolicy',
    [auditBucket]: 'AuditBucketPolicy',
  };
  const name = policies[/^arn:aws:s3:::([^/]+)/.exec(resource)?.[1] ?? ''];
  return name === undefined || resources[name] === undefined ? [] : [policyOf(resources, name)];
}

describe.each(stacks)('with %s', (_name, stack) => {
  const { resources } = stack;
  it('every role allows what is used, and nothing else', () => {
    for (const { policies, listUses } of holders) {
      const own = policies.filter((name) => resources[name] !== undefined).map((name) => policyOf(resources, name));
      const uses = own.length === 0 ? [] : listUses(stack);
      const refused = uses.filter((use) => decide([...own, ...bucketPoliciesOf(resources, use)], use) !== 'allowed');
      expect({
        refused: [...new Set(refused.map(({ action, resource }) => `${action} ${resource}`))],
        unused: own.flatMap((policy) => unused(policy, uses)),
      }).toEqual({ refused: [], unused: [] });
    }
  });

  it('nobody else has rights', () => {
    const known = holders.flatMap(({ policies }) => policies);
    const rights = Object.entries(resources).filter(([, { Type }]) => Type.startsWith('AWS::IAM::'));
    expect(rights.map(([name]) => name).filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe('the observed nights', () => {
  it('ask for much', () => {
    expect(new Set(observed.nights.calls.map(({ operation }) => operation)).size).toBeGreaterThan(8);
    expect([...observed.services.values()].flat().length).toBeGreaterThan(3);
  });

  it('keep every commit for the audit, and nothing else', () => {
    const { audit, reports, slots } = observed.nights;
    expect([...audit.keys()]).toEqual(slots.map((_, index) => `commits/000000000${index + 1}.json`));
    for (const [key, body] of audit) {
      expect(reports.get(`prod/${key}`)).toEqual(body);
    }
  });
});
