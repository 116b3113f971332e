/**
 * The whole stack but for its function, which stands in serverless.yml: made from the parameters of a deployment, in
 * TypeScript objects throughout. Each file beside this one renders a part, in CloudFormation's own words.
 */
import { renderStackBuckets } from './buckets.ts';
import { getArn, ref, type TemplatePart, when } from './intrinsics.ts';
import { renderKeys } from './key.ts';
import { renderMonitoring } from './monitoring.ts';
import { parameterNames, renderParameters, type StackParameters } from './parameters.ts';
import { renderQueries } from './queries/queries.ts';
import { renderReaders } from './queries/readers.ts';
import { renderQueryTables } from './queries/tables.ts';
import { renderRoles } from './roles.ts';
import { renderStarts } from './starts.ts';
import { readTask, renderEnvironment, renderTask } from './task.ts';
import { renderTenants } from './tenants/tenants.ts';
import { renderTopics } from './topics.ts';

interface Stack {
  /** `resources` of serverless.yml. */
  readonly resources: Required<TemplatePart> & { readonly extensions: object };
  /** The environment of the function. */
  readonly environment: Readonly<Record<string, unknown>>;
  /** The tags of every resource. */
  readonly tags: Readonly<Record<string, string>>;
}

/** As osls asks for it, which knows the parameters as variables. */
export async function resolveStack(resolveVariable: (variable: string) => Promise<unknown>): Promise<Stack> {
  const given = parameterNames.map(async (name) => [name, String(await resolveVariable(`param:${name}, ''`))]);
  return renderStack(String(await resolveVariable('sls:stage')), Object.fromEntries(await Promise.all(given)));
}

export function renderStack(stage: string, parameters: StackParameters): Stack {
  const name = `muster-${stage}`;
  const database = `muster_${stage}`;
  const task = readTask(parameters);
  const parts: readonly TemplatePart[] = [
    renderParameters(parameters),
    renderKeys(name),
    renderStackBuckets(Boolean(parameters.tenants)),
    renderRoles(name, task),
    renderStarts(name, parameters.healingExpressions ?? '', task),
    task === undefined ? {} : renderTask(task, parameters),
    renderTenants(parameters, database),
    renderTopics(name),
    renderMonitoring(name, task !== undefined),
    renderQueryTables(database),
    renderQueries(name),
    renderReaders(name, database),
  ];
  return {
    resources: {
      Parameters: merge(parts.map(({ Parameters = {} }) => Parameters)),
      Conditions: merge(parts.map(({ Conditions = {} }) => Conditions)),
      Resources: merge(parts.map(({ Resources = {} }) => Resources)),
      Outputs: merge(parts.map(({ Outputs = {} }) => Outputs)),
      extensions,
    },
    environment: { ...renderEnvironment(name, parameters), POWERTOOLS_LOG_LEVEL: 'INFO' },
    tags: { ...JSON.parse(parameters.tags || '{}'), application: 'muster' },
  };
}

function merge<Value>(parts: readonly Readonly<Record<string, Value>>[]): Readonly<Record<string, Value>> {
  return Object.assign({}, ...parts);
}

/** What osls makes of the function in serverless.yml, and has no words for. */
const extensions = {
  NightLogGroup: { Properties: { KmsKeyId: getArn('Key') } },
  NightLambdaFunction: {
    Properties: {
      VpcConfig: when('UsesVpc', { SubnetIds: ref('Subnets'), SecurityGroupIds: ref('SecurityGroups') }),
    },
  },
};
