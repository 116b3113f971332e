/** The stack as osls packages it, with no account and an empty environment, and what validators say of it. */
import { spawnSync } from 'node:child_process';
import { CelEngine, TemplateFile } from '@aws/cloudformation-validate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needProgram } from '../needs.ts';
import { isDeep } from '../sampling.ts';
import { asTask, asTenants, parametersOf } from './example.ts';
import { type Packaged, packageStack } from './packaged.ts';
import { resolveTemplate } from './resolve.ts';
import { makeStack } from './template.ts';

/** Findings that stay, by rule and resource, each with its reason. Nothing else may be found. */
const explained: Readonly<Record<string, string>> = {
  'F3033 NightRole': 'the empty default of PermissionsBoundary is in a branch that LimitsRoles rules out',
  'F3033 ScheduleRole': 'the same',
  'F3033 TenantMachineRole': 'the same',
  'F3031 NightLambdaFunction': 'the empty default of Subnets is in a branch that UsesVpc rules out',
  'E1150 NightLambdaFunction': 'the same',
};

/** The second one has everything that a stack can have. */
describe.each([
  ['with nothing set', {}],
  ['as a task, with tenants', parametersOf(asTenants(asTask))],
])('the stack %s', (_, parameters) => {
  let packaged: Packaged;

  beforeAll(async () => {
    packaged = await packageStack(parameters);
  });
  afterAll(() => packaged.remove());

  it('is read by other tests as osls makes it', () => {
    const { NightLambdaFunction: _stub, ...ours } = makeStack(parameters);
    expect(Object.keys(ours).length).toBeGreaterThan(30);
    expect(resolveTemplate(packaged.template)).toMatchObject(ours);
  });

  it('is valid to cfn-lint', ({ skip }) => {
    skip(!isDeep && !('tenants' in parameters), 'the stack as a task, with tenants, has nearly all of it');
    needProgram(skip, 'cfn-lint');
    const { status, stdout } = spawnSync('cfn-lint', [packaged.path], { encoding: 'utf8' });
    expect(stdout.trim()).toBe('');
    expect(status).toBe(0);
  });

  it('is valid to cloudformation-validate, with no warning left unexplained', ({ skip }) => {
    skip(!isDeep, 'it takes minutes of computing: npm run test:deep does');
    const engine = new CelEngine();
    try {
      expect(engine.listRules().length).toBeGreaterThan(100);
      const { diagnostics } = engine.validateStandard(new TemplateFile(packaged.path));
      const found = diagnostics
        .filter(({ severity }) => severity !== 'INFO' && severity !== 'DEBUG')
        .filter(({ ruleId, entity }) => explained[`${ruleId} ${entity?.logicalId}`] === undefined)
        .map(({ severity, ruleId, entity, message }) => `${severity} ${ruleId} ${entity?.logicalId}: ${message}`);
      expect(found).toEqual([]);
    } finally {
      engine.free();
    }
  });
});
