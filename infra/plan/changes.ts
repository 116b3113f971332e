/** The lines of `npm run deploy -- --dry-run`: differences between the stack's template and the deployed one. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { Resource, Template } from './deployed.ts';

export function describeChanges(deployed: Template | undefined, planned: Template): readonly string[] {
  const [before, after] = [deployed?.Resources ?? {}, planned.Resources];
  const made = Object.entries(after).filter(([name]) => before[name] === undefined);
  const removed = Object.entries(before).filter(([name]) => after[name] === undefined);
  const changed = Object.entries(after).flatMap(([name, resource]) => {
    const old = before[name];
    const changes = old === undefined ? [] : listChanges('', withoutCode(name, old), withoutCode(name, resource));
    return changes.length === 0 ? [] : [[name, resource, changes] as const];
  });
  const same = Object.keys(after).length - made.length - changed.length;
  return [
    ...made.map(([name, resource]) => `make    ${nameResource(name, resource)}`),
    ...changed.flatMap(([name, resource, changes]) => [
      `change  ${nameResource(name, resource)}`,
      ...changes.map((line) => `          ${line}`),
    ]),
    ...removed.map(([name, resource]) => `remove  ${nameResource(name, resource)}${describeWhatStays(resource)}`),
    `${made.length} to make, ${changed.length} to change, ${removed.length} to remove; ${same} stay as they are.`,
  ];
}

function nameResource(name: string, { Type }: Resource): string {
  return `${name} (${Type})`;
}

function describeWhatStays({ DeletionPolicy }: Resource): string {
  return DeletionPolicy === 'Retain' ? ': leaves the stack, and AWS keeps it' : '';
}

/** Removes the code's key, which differs in each deployment; osls finds out whether the code is new. */
function withoutCode(name: string, resource: Resource): Resource {
  return name === 'NightLambdaFunction'
    ? { ...resource, Properties: { ...resource.Properties, Code: undefined } }
    : resource;
}

/** Characters of a line; a longer change is split, or only named. */
const lengthLimit = 100;

function listChanges(path: string, before: unknown, after: unknown): readonly string[] {
  if (isDeepStrictEqual(before, after)) {
    return [];
  }
  const [old, now] = [before, after].map((value) => (value === undefined ? 'nothing' : JSON.stringify(value)));
  const line = `${path}: ${old} → ${now}`;
  if (path !== '' && line.length <= lengthLimit) {
    return [line];
  }
  if (isParent(before) && isParent(after) && Array.isArray(before) === Array.isArray(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => listChanges(path === '' ? name : `${path}.${name}`, before[name], after[name]));
  }
  return [path];
}

function isParent(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
