/**
 * The stack by its parts, which `serverless.yml` lists: each file beside this one renders one of them as
 * CloudFormation, from the settings of a deployment.
 */
import { renderStackBuckets } from './buckets.ts';
import { getArn, type TemplatePart } from './intrinsics.ts';
import { renderKeys } from './key.ts';
import { renderMonitoring } from './monitoring.ts';
import { renderQueries } from './queries/queries.ts';
import { renderReaders } from './queries/readers.ts';
import { renderQueryTables } from './queries/tables.ts';
import { renderRoles } from './roles.ts';
import type { StackSettings } from './stack-settings.ts';
import { renderStarts } from './starts.ts';
import { renderEnvironment, renderTask } from './task.ts';
import { renderTenants } from './tenants/tenants.ts';
import { renderTopics } from './topics.ts';

/** Parts by their names in `serverless.yml`. */
export const parts: Readonly<Record<string, (stack: StackSettings) => TemplatePart>> = {
  keys: renderKeys,
  buckets: renderStackBuckets,
  roles: renderRoles,
  starts: renderStarts,
  topics: renderTopics,
  monitoring: renderMonitoring,
  queryTables: renderQueryTables,
  queries: renderQueries,
  readers: renderReaders,
  task: renderTask,
  tenants: renderTenants,
  options: renderOptions,
};

/** Joins all parts except the function, which is in `serverless.yml`. */
export function renderStack(stack: StackSettings): Required<TemplatePart> {
  const rendered = Object.values(parts).map((render) => render(stack));
  return {
    Resources: Object.assign({}, ...rendered.map(({ Resources = {} }) => Resources)),
    Outputs: Object.assign({}, ...rendered.map(({ Outputs = {} }) => Outputs)),
  };
}

export function renderFunctionEnvironment(stack: StackSettings): Readonly<Record<string, unknown>> {
  return { ...renderEnvironment(stack), POWERTOOLS_LOG_LEVEL: 'INFO' };
}

export function renderTags({ tags }: StackSettings): Readonly<Record<string, string>> {
  return { ...tags, application: 'muster' };
}

/** Properties of the function and its log that osls cannot express, or that only some settings need. */
export function extendFunction({
  network,
  reservedConcurrency,
}: StackSettings): Readonly<Record<string, { readonly Properties: object }>> {
  const vpc = network && { SubnetIds: network.subnets, SecurityGroupIds: network.securityGroups };
  return {
    NightLogGroup: { Properties: { KmsKeyId: getArn('Key') } },
    NightLambdaFunction: {
      Properties: {
        ...(vpc === undefined ? {} : { VpcConfig: vpc }),
        // Off by default, since an account with a small quota refuses any reservation.
        ...(reservedConcurrency === 0 ? {} : { ReservedConcurrentExecutions: reservedConcurrency }),
      },
    },
  };
}

/** Renders an output that the next deployment reads (`infra/plan/deployed.ts`). */
function renderOptions({ setByOptions }: StackSettings): TemplatePart {
  const Value = JSON.stringify(setByOptions);
  return {
    Outputs: { SetByOptions: { Value, Description: 'Settings that only an option of npm run deploy has said' } },
  };
}
