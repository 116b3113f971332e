/**
 * What a script in a plain form prints where the path exists and where it does not, found by walking its small tree.
 * Undefined where a value cannot be known without a shell.
 */
import type { Step, Test } from './plain.ts';
import { type Resolved, resolve } from './words.ts';

export interface Walk {
  /** Everything printed. */
  readonly printed: string;
  /** The paths that were tested on the way. */
  readonly tested: readonly string[];
}

interface Walking {
  readonly exists: boolean;
  readonly variables: Map<string, string>;
  printed: string;
  tested: string[];
  ended: boolean;
}

/** Thrown and caught here: the walk has met something that only a shell can know. */
const unknowable = Symbol('unknowable');

export function walk(steps: readonly Step[], exists: boolean): Walk | undefined {
  const walking: Walking = { exists, variables: new Map(), printed: '', tested: [], ended: false };
  try {
    takeAll(steps, walking);
    return walking;
  } catch (error) {
    if (error === unknowable) return undefined;
    throw error;
  }
}

function takeAll(steps: readonly Step[], walking: Walking): void {
  for (const step of steps) if (!walking.ended) take(step, walking);
}

/** Returns whether the step succeeded, as a shell would say. */
function take(step: Step, walking: Walking): boolean {
  switch (step.does) {
    case 'assign':
      walking.variables.set(step.name, resolved(resolve(step.value, new Map())).text);
      return true;
    case 'echo':
      walking.printed += `${echoed(step.words.map((word) => resolved(resolve(word, walking.variables))))}\n`;
      return true;
    case 'printf':
      walking.printed += formatted(step.words.map((word) => resolved(resolve(word, walking.variables))));
      return true;
    case 'exit':
      walking.ended = true;
      return true;
    case 'test':
      return test(step, walking);
    case 'if':
      takeAll(test(step.test, walking) ? step.then : step.otherwise, walking);
      return true;
    case 'chain': {
      let succeeded = take(step.first, walking);
      for (const link of step.links) {
        if (!walking.ended && succeeded === (link.when === '&&')) succeeded = take(link.step, walking);
      }
      return succeeded;
    }
  }
}

function test({ path, negated }: Test, walking: Walking): boolean {
  const { text } = resolved(resolve(path, walking.variables));
  walking.tested.push(text);
  return walking.exists !== negated;
}

function echoed(words: readonly Resolved[]): string {
  const [only, ...others] = words;
  // Shells differ in what echo makes of options and backslashes.
  if (only === undefined || others.length > 0 || /^-|\\/.test(only.text)) throw unknowable;
  return only.text;
}

function formatted(words: readonly Resolved[]): string {
  const [format, value, ...others] = words;
  if (format === undefined || others.length > 0 || /^-/.test(format.text)) throw unknowable;
  const template = format.text.replaceAll('\\n', '\n');
  const places = template.match(/%/g)?.length ?? 0;
  if (template.includes('\\') || places > 1 || (places === 1) !== (value !== undefined)) throw unknowable;
  if (value === undefined) return template;
  if (!template.includes('%s')) throw unknowable;
  return template.replace('%s', () => value.text);
}

/** A value with a space in it falls apart outside quotes. */
function resolved(word: Resolved | undefined): Resolved {
  if (word === undefined || (word.bare && /\s/.test(word.text))) throw unknowable;
  return word;
}
