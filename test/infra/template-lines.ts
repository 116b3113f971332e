/**
 * A stack as text that a person reads: its resources, each with its properties as lines. What is short stands on one
 * line, and a resource that is nearly another of its type is shown by its differences from that one.
 */
import type { Deployment } from '../../infra/plan/deployment.ts';
import { renderAuditOwnerTemplate, renderReportOwnerTemplate } from '../../infra/stack/owner-templates.ts';
import { renderFunctionEnvironment, renderTags } from '../../infra/stack/stack.ts';
import type { Statement } from './policy.ts';
import { type Resources, readTemplate, resolveTemplate, resolveValue, type Template } from './template.ts';

interface Part {
  readonly name: string;
  readonly type: string;
  readonly lines: readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

/** Longer values are taken apart. */
const lineLimit = 160;
const statementLimit = 320;
const ownNames = ['Sid', 'Id', 'Name', 'PolicyName', 'name', 'title'];
/** What a night writes decides these: `tables.test.ts` compares them with it, and `queries.test.ts` asks them. */
const heldElsewhere = ['Columns', 'ViewOriginalText', 'QueryString'];

export function listParts({ stack, owners }: Deployment): readonly Part[] {
  const template = readTemplate(stack);
  const toPart = (name: string, value: unknown) => ({
    ...{ name, type: 'beside the resources', lines: listLines('', resolveValue(template, value)) },
  });
  const ofOwner = (account: string | undefined, render: () => object) =>
    account === undefined ? [] : listResources('owner: ', resolveTemplate(render() as Template, account));
  return [
    toPart('environment', renderFunctionEnvironment(stack)),
    toPart('function', { memory: stack.memory, timeout: stack.timeout, logRetention: stack.logRetention }),
    toPart('tags', renderTags(stack)),
    toPart('outputs', template.Outputs),
    ...listResources('', resolveTemplate(template)),
    ...ofOwner(stack.reports.owner, () => renderReportOwnerTemplate(owners.report)),
    ...ofOwner(stack.audit?.owner, () => renderAuditOwnerTemplate(owners.audit ?? owners.report)),
  ];
}

function listResources(before: string, resources: Resources): readonly Part[] {
  return Object.entries(resources).map(([name, { Type, Properties, ...more }]) => ({
    ...{ name: `${before}${name}`, type: Type },
    lines: [...listLines('', more), ...listLines('', Properties)],
  }));
}

function listLines(path: string, value: unknown): readonly string[] {
  if (isText(value) && value.startsWith('{')) {
    return listLines(path, JSON.parse(value));
  }
  if (!isValues(value)) {
    return value === undefined ? [] : [`${path}: ${isText(value) ? value : JSON.stringify(value)}`];
  }
  if (isDocument(value)) {
    return value.Statement.flatMap((statement, index) => listStatement(`${path} ${statement.Sid ?? index}`, statement));
  }
  const text = JSON.stringify(value);
  if (path !== '' && text.length <= lineLimit) {
    return [`${path}: ${text.replaceAll('"', '')}`];
  }
  const entries = Array.isArray(value) ? nameItems(value) : Object.entries(value);
  return entries
    .filter(([name]) => !heldElsewhere.includes(name))
    .flatMap(([name, item]) => listLines(path === '' ? name : `${path}.${name}`, item));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null;
}

function isDocument(value: Values): value is { readonly Statement: readonly Statement[] } {
  return Array.isArray(value.Statement);
}

function listStatement(path: string, { Sid: _sid, Effect, Action, ...more }: Statement): readonly string[] {
  const inShort = `${path}: ${Effect} ${[Action].flat().join(' ')} ${JSON.stringify(more).replaceAll('"', '')}`;
  return inShort.length <= statementLimit ? [inShort] : listLines(path, { Effect, Action, ...more });
}

/** By a name that each of them has, or else by nothing. */
function nameItems(items: readonly unknown[]): readonly (readonly [string, unknown])[] {
  const naming = ownNames.find((name) => {
    const found = new Set(items.map((item) => (isValues(item) ? item[name] : undefined)));
    return found.size === items.length && !found.has(undefined);
  });
  return items.map((item) => [naming === undefined ? '-' : `(${(item as Values)[naming]})`, item]);
}

export function describeStack(parts: readonly Part[]): readonly string[] {
  return parts.flatMap((part, index) => describePart(part, parts.slice(0, index)));
}

/** What changes from one stack to another. */
export function describeDifference(before: readonly Part[], after: readonly Part[]): readonly string[] {
  const gone = before.filter(({ name }) => !after.some((part) => part.name === name));
  return [
    ...gone.map(({ name, type }) => `- ${name} (${type})`),
    ...after.flatMap((part, index) => {
      const old = before.find(({ name }) => name === part.name);
      if (old === undefined) {
        return describePart(part, [...before, ...after.slice(0, index)]).map((line) => `+ ${line}`);
      }
      const changes = compareLines(old.lines, part.lines);
      return changes.length === 0 ? [] : [`  ${part.name} (${part.type})`, ...changes.map((line) => `    ${line}`)];
    }),
  ];
}

/** In full, or by its differences from the first other one of its type that is nearly the same. */
function describePart({ name, type, lines }: Part, others: readonly Part[]): readonly string[] {
  const like = others.find((other) => {
    const same = lines.filter((line) => other.lines.includes(line)).length;
    return other.type === type && same * 2 > Math.max(lines.length, other.lines.length);
  });
  return like === undefined
    ? [`${name} (${type})`, ...lines.map((line) => `  ${line}`)]
    : [`${name} (${type}) as ${like.name}`, ...compareLines(like.lines, lines).map((line) => `  ${line}`)];
}

function compareLines(before: readonly string[], after: readonly string[]): readonly string[] {
  return [
    ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
  ];
}
