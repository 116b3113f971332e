/** The stack as osls packages it, with no account and an empty environment, and what validators say of it. */
import { spawnSync } from 'node:child_process';
import { CelEngine, TemplateFile } from '@aws/cloudformation-validate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needProgram } from '../needs.ts';
import { isDeep } from '../sampling.ts';
import { asTask, asTenants, everything, parametersOf } from './example.ts';
import { type Packaged, packageStack } from './packaged.ts';
import { resolveTemplate } from './resolve.ts';
import { readTemplate } from './template.ts';

/** Findings that stay, by rule and resource, each with its reason. Nothing else may be found. */
const explained: Readonly<Record<string, string>> = {
  'F3033 NightRole': 'the empty default of PermissionsBoundary is in a branch that LimitsRoles rules out',
  'F3033 ScheduleRole': 'the same',
  'F3033 TenantMachineRole': 'the same',
  'F3031 NightLambdaFunction': 'the empty default of Subnets is in a branch that UsesVpc rules out',
  'E1150 NightLambdaFunction': 'the same',
};

const variants = {
  'with nothing set': {},
  'with everything set': everything,
  'as a task, with tenants': parametersOf(asTenants(asTask)),
};
type Variant = keyof typeof variants;

const packaged = new Map<string, Packaged>();

// Seconds of computing each; the machine may be busy with other things.
beforeAll(async () => {
  const made = Object.entries(variants).map(async ([name, parameters]) => {
    packaged.set(name, await packageStack(parameters));
  });
  await Promise.all(made);
});

afterAll(async () => {
  for (const { remove } of packaged.values()) {
    await remove();
  }
});

function stack(name: Variant): Packaged {
  const found = packaged.get(name);
  if (found === undefined) {
    throw new Error(`the stack ${name} could not be packaged`);
  }
  return found;
}

/** As a task with tenants, the stack has everything that it has otherwise, but for what the schedules start, which is nothing set. */
const validated: readonly Variant[] = ['with nothing set', 'as a task, with tenants'];

/** Minutes of computing each: only `npm run test:deep` bears it. */
describe('to cloudformation-validate', () => {
  let engine: InstanceType<typeof CelEngine> | undefined;
  afterAll(() => engine?.free());

  it.for(validated)('the stack %s is valid, with no warning left unexplained', (name, { skip }) => {
    skip(!isDeep, 'it takes minutes of computing: npm run test:deep does');
    engine ??= new CelEngine();
    expect(engine.listRules().length).toBeGreaterThan(100);
    const { diagnostics } = engine.validateStandard(new TemplateFile(stack(name).path));
    const found = diagnostics
      .filter(({ severity }) => severity !== 'INFO' && severity !== 'DEBUG')
      .filter(({ ruleId, entity }) => explained[`${ruleId} ${entity?.logicalId}`] === undefined)
      .map(({ severity, ruleId, entity, message }) => `${severity} ${ruleId} ${entity?.logicalId}: ${message}`);
    expect(found).toEqual([]);
  });
});

describe.each(Object.entries(variants) as [Variant, Readonly<Record<string, string>>][])(
  'the stack %s',
  (name, given) => {
    it('is read by other tests as osls makes it', () => {
      const ours = Object.entries(resolveTemplate(readTemplate(given))).filter(([id]) => id !== 'NightLambdaFunction');
      expect(ours.length).toBeGreaterThan(30);
      expect(resolveTemplate(stack(name).template)).toMatchObject(Object.fromEntries(ours));
    });

    it('is valid to cfn-lint', ({ skip }) => {
      skip(!isDeep && !validated.includes(name), 'the stack as a task, with tenants, has all of it');
      needProgram(skip, 'cfn-lint');
      const { status, stdout } = spawnSync('cfn-lint', [stack(name).path], { encoding: 'utf8' });
      expect(stdout.trim()).toBe('');
      expect(status).toBe(0);
    });
  },
);
