/**
 * The plain forms of an attribute's script as a small tree: one test of a path, if/else or &&/||, assignments and
 * prints. Whatever is not one of these, in any corner of the script, makes the whole of it not understood.
 */
import type { AndOr, Assignment, Command, If, PipelineNode, Statement, TestExpression, Word } from 'unbash';
import { isKnownShell, parseShell } from './parse.ts';

export type Step =
  | { readonly does: 'assign'; readonly name: string; readonly value: Word }
  | { readonly does: 'echo' | 'printf'; readonly words: readonly Word[] }
  | { readonly does: 'exit' }
  | Test
  | { readonly does: 'if'; readonly test: Test; readonly then: readonly Step[]; readonly otherwise: readonly Step[] }
  | { readonly does: 'chain'; readonly first: Step; readonly links: readonly Link[] };

export interface Test {
  readonly does: 'test';
  readonly operator: string;
  readonly path: Word;
  readonly negated: boolean;
}

interface Link {
  readonly when: '&&' | '||';
  readonly step: Step;
}

/** Where the text has been understood, from and to. */
type Spans = [number, number][];

export function plainForm(text: string): readonly Step[] | undefined {
  const tree = parseShell(text);
  if (tree === undefined || !isKnownShell(tree.shebang)) return undefined;
  const spans: Spans = [];
  const steps = stepsOf(tree.commands, spans);
  return steps !== undefined && nothingLeft(text, spans) ? steps : undefined;
}

/** Besides the words that were understood there may only be the shell's own words between them, and comments. */
function nothingLeft(text: string, spans: Spans): boolean {
  let rest = text;
  for (const [from, to] of spans) rest = rest.slice(0, from) + ' '.repeat(to - from) + rest.slice(to);
  const bare = rest.replace(/(^|[ \t\n;])#.*/g, '$1');
  return /^(?:[ \t\n;]|&&|\|\||\[\[|\]\]|!|-[efx]\b|\b(?:if|then|else|fi)\b)*$/.test(bare);
}

function stepsOf(statements: readonly Statement[], spans: Spans): readonly Step[] | undefined {
  const steps = statements.map((statement) =>
    statement.background === true ? undefined : stepOf(statement.command, spans),
  );
  return steps.every((step) => step !== undefined) ? steps : undefined;
}

function stepOf(node: PipelineNode | AndOr, spans: Spans): Step | undefined {
  switch (node.type) {
    case 'Command':
      return commandOf(node, spans);
    case 'TestCommand':
      return bracketsOf(node.expression, spans);
    case 'Pipeline': {
      const [only, ...others] = node.commands;
      const isNegation = node.prefixes.length === 1 && node.prefixes[0]?.type === 'Negation';
      if (only === undefined || others.length > 0 || !isNegation) return undefined;
      const step = stepOf(only, spans);
      return step?.does === 'test' ? { ...step, negated: !step.negated } : undefined;
    }
    case 'If':
      return ifOf(node, spans);
    case 'AndOr':
      return chainOf(node, spans);
    default:
      return undefined;
  }
}

function ifOf(node: If, spans: Spans): Step | undefined {
  const clause = stepsOf(node.clause.commands, spans);
  const then = stepsOf(node.then.commands, spans);
  const otherwise = node.else === undefined ? [] : stepsOf(node.else.commands, spans);
  const test = clause?.[0];
  if (node.elif.length > 0 || clause?.length !== 1 || test?.does !== 'test') return undefined;
  return then === undefined || otherwise === undefined ? undefined : { does: 'if', test, then, otherwise };
}

function chainOf(node: AndOr, spans: Spans): Step | undefined {
  const steps = node.commands.map((command) => stepOf(command, spans));
  if (!steps.every((step) => step !== undefined)) return undefined;
  const [first, ...rest] = steps;
  if (first?.does !== 'test') return undefined;
  const links = rest.map((step, index) => ({ when: node.operators[index] ?? '&&', step }));
  return { does: 'chain', first, links };
}

function commandOf(node: Command, spans: Spans): Step | undefined {
  const words = node.suffix.filter((word) => word.type === 'Word');
  if (words.length !== node.suffix.length) return undefined;
  if (node.name === undefined) return assignmentOf(node, spans);
  if (node.prefix.length > 0) return undefined;
  for (const { pos, end } of [node.name, ...words]) spans.push([pos, end]);
  switch (node.name.text) {
    case '[':
      return words.at(-1)?.text === ']' ? testOf(words.slice(0, -1)) : undefined;
    case 'test':
      return testOf(words);
    case 'echo':
    case 'printf':
      return { does: node.name.text, words };
    case 'exit':
      return words.length === 0 || (words.length === 1 && words[0]?.text === '0') ? { does: 'exit' } : undefined;
    default:
      return undefined;
  }
}

function assignmentOf(node: Command, spans: Spans): Step | undefined {
  const [only, ...others] = node.prefix;
  if (only?.type !== 'Assignment' || others.length > 0 || node.suffix.length > 0) return undefined;
  const { name, value, append, index }: Assignment = only;
  if (value.type !== 'Word' || append === true || index !== undefined || isSpecial(name)) return undefined;
  spans.push([only.pos, only.end]);
  return { does: 'assign', name, value };
}

function testOf(words: readonly Word[]): Test | undefined {
  const negated = words[0]?.text === '!';
  const [operator, path, ...others] = negated ? words.slice(1) : words;
  if (operator === undefined || path === undefined || others.length > 0) return undefined;
  return isTest(operator.text) ? { does: 'test', operator: operator.text, path, negated } : undefined;
}

function bracketsOf(expression: TestExpression, spans: Spans): Test | undefined {
  if (expression.type === 'TestNot') {
    const inner = bracketsOf(expression.operand, spans);
    return inner && { ...inner, negated: inner.negated !== (expression.negations.length % 2 === 1) };
  }
  if (expression.type !== 'TestUnary' || !isTest(expression.operator)) return undefined;
  const { operator, operand } = expression;
  spans.push([operand.pos, operand.end]);
  return { does: 'test', operator, path: operand, negated: false };
}

function isTest(operator: string): boolean {
  return operator === '-e' || operator === '-f' || operator === '-x';
}

/** Names that mean something to a shell: setting them changes more than a value, or is refused. */
function isSpecial(name: string): boolean {
  return (
    /^(IFS|PATH|HOME|ENV|PWD|OLDPWD|RANDOM|SRANDOM|SECONDS|LINENO|UID|EUID|GID|EGID|PPID|SHELLOPTS|REPLY|OPT\w+)$/.test(
      name,
    ) ||
    /^(LC_|LANG|BASH|ZSH|DYLD|LD_|EPOCH|FUNC|HIST|PS\d|_)/.test(name) ||
    // zsh ties these to others or keeps them for itself: https://zsh.sourceforge.io/Doc/Release/Parameters.html
    /^(status|pipestatus|path|cdpath|fpath|mailpath|manpath|module_path|argv|options|aliases|functions|commands|parameters|signals|prompt|watch|psvar)$/.test(
      name,
    )
  );
}
