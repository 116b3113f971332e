/** The stack as osls packages it, with no account and an empty environment, and what validators say of it. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CelEngine, TemplateFile } from '@aws/cloudformation-validate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultStack } from '../../infra/plan/describe-stack.ts';
import { renderPlainTemplate } from '../../infra/plan/plain-template.ts';
import { parts } from '../../infra/stack/stack.ts';
import type { StackSettings } from '../../infra/stack/stack-settings.ts';
import { needProgram } from '../needs.ts';
import { isDeep } from '../sampling.ts';
import { asTask, asTenants, everySetting, stackOf } from './example.ts';
import { openFunction, templateFile } from './packaged.ts';
import { options, planOption } from './stack-options.ts';
import { completeTemplate, makeStack, resolveTemplate, type Template } from './template.ts';

const root = join(import.meta.dirname, '../..');
const other = '210987654321';
const key = `arn:aws:kms:eu-west-1:${other}:key/1234abcd`;

/** Findings that stay, by rule and resource, each with its reason. Nothing else may be found. */
const explained: Readonly<Record<string, string>> = {
  'W2509 SecretFolder': 'it is the beginning of names, and no secret',
  'W9013 NightRole': 'the settings name the ARN of the boundary, whose account may be another',
  'W9013 ScheduleRole': 'the same',
  'W9013 TaskExecutionRole': 'the same',
  'W9013 TenantMachineRole': 'the same',
  'E3002 VerifyMissedAlarm':
    'its EvaluationWindow is younger than the schemas of cfn-lint 1.51: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-cloudwatch-alarm-wallclockwindow.html',
};

/** Stacks that together have each option on and off. */
const stacks: Readonly<Record<string, StackSettings>> = {
  'the default settings': defaultStack,
  everything: stackOf(asTenants(asTask)),
  'buckets of another account': stackOf(
    everySetting.replace('{ key: own }', `{ owner: "${other}", key: "${key}" }\n  reportBucket: { owner: "${other}" }`),
  ),
};
/** Each option by itself. */
const optionStacks = Object.fromEntries(Object.keys(options).map((name) => [name, planOption(name).stack]));

/** The template that osls packages of the default settings. */
async function readMade(): Promise<Template> {
  return JSON.parse(await readFile(join(await openFunction(), templateFile), 'utf8')) as Template;
}

describe('serverless.yml', () => {
  const yaml = readFileSync(join(root, 'serverless.yml'), 'utf8');
  const listed = [
    ...yaml
      .slice(yaml.indexOf('\nresources:'))
      .matchAll(/((?: {2}# .*\n)+) {2}- \$\{file\(infra\/stack\.cjs\):(\w+)\}\n/g),
  ];

  it('lists every part, with the file that makes it', () => {
    expect(listed.map(([, , name]) => name).sort()).toEqual([...Object.keys(parts), 'function'].sort());
    for (const [, comment = '', name = ''] of listed) {
      const files = [...comment.matchAll(/: (infra\/stack\/[\w/-]+\.ts)$/gm)].map(([, file = '']) => file);
      const sources = files.map((file) => readFileSync(join(root, file), 'utf8')).join('');
      expect(sources, name).toContain(`function ${parts[name]?.name ?? 'extendFunction'}(`);
    }
  });

  it('makes a template without a parameter and a condition of the default settings, as other tests read it', async () => {
    const made = await readMade();
    expect(made).not.toHaveProperty('Parameters');
    expect(made).not.toHaveProperty('Conditions');
    expect(JSON.stringify(made)).not.toMatch(/"(Condition|Fn::If|AWS::NoValue)":"/);
    const { NightLambdaFunction: _stub, ...ours } = makeStack();
    expect(Object.keys(ours).length).toBeGreaterThan(30);
    expect(resolveTemplate(made)).toMatchObject(ours);
  });
});

describe('the templates', () => {
  let folder: string;
  const toFile = (name: string) => join(folder, `${name.replaceAll(' ', '-')}.json`);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-templates-'));
    const made = await readMade();
    await writeFile(toFile('a release'), JSON.stringify(renderPlainTemplate(made)));
    for (const [name, stack] of Object.entries({ ...stacks, ...optionStacks })) {
      await writeFile(toFile(name), JSON.stringify(completeTemplate(stack, made)));
    }
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('are valid to cfn-lint, and with `npm run test:deep` with each option', ({ skip }) => {
    needProgram(skip, 'cfn-lint');
    const names = ['a release', ...Object.keys({ ...stacks, ...(isDeep ? optionStacks : {}) })];
    const { stdout } = spawnSync('cfn-lint', ['--format', 'json', ...names.map(toFile)], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    const found = (JSON.parse(stdout) as readonly LintMatch[])
      .filter(({ Rule, Location }) => !isExplained(Rule.Id, Location.Path?.[1]))
      .map(({ Filename, Rule, Location, Message }) => `${Filename} ${Rule.Id} ${Location.Path?.join('.')}: ${Message}`);
    expect(found).toEqual([]);
  });

  it.for(['a release', ...Object.keys(stacks)])(
    'of %s is valid to cloudformation-validate, with no warning left unexplained',
    (name, { skip }) => {
      skip(!isDeep, 'it takes minutes of computing: npm run test:deep does');
      const engine = new CelEngine();
      try {
        expect(engine.listRules().length).toBeGreaterThan(100);
        const { diagnostics } = engine.validateStandard(new TemplateFile(toFile(name)));
        const found = diagnostics
          .filter(({ severity }) => severity !== 'INFO' && severity !== 'DEBUG')
          .filter(({ ruleId, entity }) => !isExplained(ruleId, entity?.logicalId))
          .map(({ severity, ruleId, entity, message }) => `${severity} ${ruleId} ${entity?.logicalId}: ${message}`);
        expect(found).toEqual([]);
      } finally {
        engine.free();
      }
    },
  );
});

interface LintMatch {
  readonly Filename: string;
  readonly Message: string;
  readonly Rule: { readonly Id: string };
  /** `Resources`, then the name of one. */
  readonly Location: { readonly Path?: readonly string[] };
}

function isExplained(rule: string, resource: string | undefined): boolean {
  return explained[`${rule} ${resource}`] !== undefined;
}
