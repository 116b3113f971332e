/** Gives `serverless.yml` the values that settings decide. */
import { readFile } from 'node:fs/promises';
import { defaultStack } from './plan/describe-stack.ts';
import { extendFunction, parts, renderFunctionEnvironment, renderTags } from './stack/stack.ts';
import type { StackSettings } from './stack/stack-settings.ts';

/** Resolves the stack. `file` is the JSON of `StackSettings` from a deployment; if it is empty, the stack is the default one. */
export async function resolveStack(stage: string, file: string): Promise<object> {
  const stack = file === '' ? { ...defaultStack, stage } : (JSON.parse(await readFile(file, 'utf8')) as StackSettings);
  const rendered = Object.entries(parts).map(([name, render]) => [name, render(stack)]);
  const { memory, timeout, logRetention } = stack;
  const all = {
    ...{ memory, timeout, logRetention, environment: renderFunctionEnvironment(stack), tags: renderTags(stack) },
    ...Object.fromEntries(rendered),
    function: { extensions: extendFunction(stack) },
  };
  // Converts through JSON, which omits undefined properties.
  return JSON.parse(JSON.stringify(all));
}
