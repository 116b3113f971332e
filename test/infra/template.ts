/**
 * The stack's own resources, read from infra/ without packaging, which takes seconds. `stack.test.ts` compares
 * this reading with what osls makes of the same files.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type CollectionTag, parse, type ScalarTag } from 'yaml';
import { renderStackBuckets } from '../../infra/buckets.ts';
import { renderTenantsEnvironment } from '../../infra/environment.ts';
import { renderQueryTables } from '../../infra/query-tables.ts';
import { renderStarts } from '../../infra/starts.ts';
import { readTask, renderTask } from '../../infra/task.ts';
import { renderTenants } from '../../infra/tenants.ts';
import type { Resource, Template } from './resolve.ts';

const root = resolve(import.meta.dirname, '..', '..');

export function readTemplate(parameters: Readonly<Record<string, string>> = {}): Template {
  const files = readdirSync(join(root, 'infra')).filter((name) => name.endsWith('.yml'));
  const task = readTask(parameters);
  const starts = renderStarts(parameters.healingExpressions ?? '', task) as Partial<Template>;
  const more = renderTenantsEnvironment(parameters.tenantsSha256);
  const tasks = (task === undefined ? {} : renderTask(task, more)) as Partial<Template>;
  const tenants = { Resources: renderTenants(parameters, 'muster_prod') } as Partial<Template>;
  const buckets = renderStackBuckets(Boolean(parameters.tenants)) as unknown as Partial<Template>;
  const parts = [...files.map((name) => readPart(name, parameters)), queryTables, buckets, starts, tasks, tenants];
  const merged = <Key extends 'Resources' | 'Conditions' | 'Parameters'>(key: Key) =>
    Object.assign({}, ...parts.map((part) => part[key] ?? {}));
  const made: Record<string, Resource> = { NightLambdaFunction: { Type: 'AWS::Lambda::Function' } };
  return {
    Resources: { ...made, ...merged('Resources') },
    Conditions: merged('Conditions'),
    Parameters: merged('Parameters'),
  };
}

const queryTables = renderQueryTables('muster_prod') as Partial<Template>;

function readPart(name: string, parameters: Readonly<Record<string, string>>): Partial<Template> {
  const text = readFileSync(join(root, 'infra', name), 'utf8')
    .replace(/\$\{self:service\}/g, 'muster')
    .replace(/\$\{sls:stage\}/g, 'prod')
    .replace(/\$\{self:custom\.database\}/g, 'muster_prod')
    .replace(
      /\$\{param:(\w+), '([^']*)'\}/g,
      (_whole, given: string, otherwise: string) => parameters[given] ?? otherwise,
    )
    .replace(/\$\{file\(([^)]+)\)\}/g, (_whole, path: string) =>
      JSON.stringify(readFileSync(join(root, path), 'utf8')),
    );
  return JSON.parse(JSON.stringify(parse(text, { customTags, merge: true }))) as Partial<Template>;
}

const scalars: ScalarTag[] = ['Ref', 'Condition', 'Sub', 'GetAtt', 'Base64'].map((name) => ({
  tag: `!${name}`,
  resolve: (text) => {
    if (name === 'Ref' || name === 'Condition') {
      return { [name]: text };
    }
    return { [`Fn::${name}`]: name === 'GetAtt' ? text.split('.') : text };
  },
}));

const collections: CollectionTag[] = ['If', 'Not', 'And', 'Or', 'Equals', 'Join'].map((name) => ({
  tag: `!${name}`,
  collection: 'seq',
  resolve: (sequence) => ({ [`Fn::${name}`]: sequence }),
}));

const customTags = [...scalars, ...collections];
