/** The stack as osls packages it, with no account and an empty environment, and what validators say of it. */
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CelEngine, TemplateFile } from '@aws/cloudformation-validate';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderPlainTemplate } from '../../infra/plan/plain-template.ts';
import { defaultSchedule } from '../../src/settings/schema.ts';
import { makeOnce } from '../make-once.ts';
import { needProgram } from '../needs.ts';
import { isDeep } from '../sampling.ts';
import { asTask, asTenants, parametersOf } from './example.ts';
import { openFunction, packageStack, templateFile } from './packaged.ts';
import { makeStack, resolveTemplate, type Template } from './template.ts';

/** Findings that stay, by rule and resource, each with its reason. Nothing else may be found. */
const explained: Readonly<Record<string, string>> = {
  'F3033 NightRole': 'the empty default of PermissionsBoundary is in a branch that LimitsRoles rules out',
  'F3033 ScheduleRole': 'the same',
  'F3033 TenantMachineRole': 'the same',
  'F3031 NightLambdaFunction': 'the empty default of Subnets is in a branch that UsesVpc rules out',
  'E1150 NightLambdaFunction': 'the same',
  'E3002 VerifyMissedAlarm':
    'its EvaluationWindow is younger than the schemas of cfn-lint 1.51: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-cloudwatch-alarm-wallclockwindow.html',
};

const everything = parametersOf(asTenants(asTask));

/** It has everything that a stack can have. */
function openEverything(): Promise<string> {
  return makeOnce('stack', (folder) => packageStack(folder, everything));
}

/** For CloudFormation alone, as a release has it. */
function openPlain(): Promise<string> {
  return makeOnce('plain', async (folder) => {
    const made = JSON.parse(await readFile(join(await openFunction(), templateFile), 'utf8'));
    await writeFile(join(folder, templateFile), JSON.stringify(renderPlainTemplate(made, defaultSchedule)));
  });
}

describe.each([
  ['with nothing set', {}, openFunction],
  ['as a task, with tenants', everything, openEverything],
])('the stack %s', (_, parameters, open) => {
  let file: string;

  beforeAll(async () => {
    file = join(await open(), templateFile);
  });

  it('is read by other tests as osls makes it', async () => {
    const { NightLambdaFunction: _stub, ...ours } = makeStack(parameters);
    expect(Object.keys(ours).length).toBeGreaterThan(30);
    expect(resolveTemplate(JSON.parse(await readFile(file, 'utf8')) as Template)).toMatchObject(ours);
  });
});

describe.each([
  ['with nothing set', openFunction],
  ['as a task, with tenants', openEverything],
  ['of a release', openPlain],
])('the template %s', (name, open) => {
  let file: string;

  beforeAll(async () => {
    file = join(await open(), templateFile);
  });

  it('is valid to cfn-lint', ({ skip }) => {
    skip(!isDeep && name !== 'as a task, with tenants', 'that one has nearly all of it');
    needProgram(skip, 'cfn-lint');
    const { stdout } = spawnSync('cfn-lint', ['--format', 'json', file], { encoding: 'utf8' });
    const found = JSON.parse(stdout) as readonly LintMatch[];
    expect(found.filter(({ Rule, Location }) => !isExplained(Rule.Id, Location.Path?.[1]))).toEqual([]);
  });

  it('is valid to cloudformation-validate, with no warning left unexplained', ({ skip }) => {
    skip(!isDeep, 'it takes minutes of computing: npm run test:deep does');
    const engine = new CelEngine();
    try {
      expect(engine.listRules().length).toBeGreaterThan(100);
      const { diagnostics } = engine.validateStandard(new TemplateFile(file));
      const found = diagnostics
        .filter(({ severity }) => severity !== 'INFO' && severity !== 'DEBUG')
        .filter(({ ruleId, entity }) => !isExplained(ruleId, entity?.logicalId))
        .map(({ severity, ruleId, entity, message }) => `${severity} ${ruleId} ${entity?.logicalId}: ${message}`);
      expect(found).toEqual([]);
    } finally {
      engine.free();
    }
  });
});

interface LintMatch {
  readonly Rule: { readonly Id: string };
  /** `Resources`, then the name of one. */
  readonly Location: { readonly Path?: readonly string[] };
}

function isExplained(rule: string, resource: string | undefined): boolean {
  return explained[`${rule} ${resource}`] !== undefined;
}
