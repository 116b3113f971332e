/** Whether an attribute's script reports the agent's file and nothing else: section 1.3. It is parsed, never run. */
import { createHash } from 'node:crypto';
import { attribute } from '../definition.ts';
import type { Vouched } from '../deployment-settings.ts';
import { walk } from '../shell/outcome.ts';
import { shellText } from '../shell/parse.ts';
import { plainForm, type Step } from '../shell/plain.ts';

export type ScriptVerdict =
  | { readonly is: 'sound' | 'vouched'; readonly words: string }
  | { readonly is: 'wrong'; readonly words: string }
  | { readonly is: 'not understood'; readonly words: string };

/** What `shasum -a 256` says of the script saved as a file: line ends of Unix, one of them at the end. */
export function scriptSha256(script: string): string {
  return createHash('sha256')
    .update(`${shellText(script).trimEnd()}\n`)
    .digest('hex');
}

export function judgeScript(script: string, accepted: readonly Vouched[]): ScriptVerdict {
  const text = shellText(script);
  if (text.trim() === '') return { is: 'wrong', words: 'it has no script' };
  const steps = plainForm(text);
  const verdict = steps && isPlain(steps) ? judgeSteps(steps) : undefined;
  if (verdict !== undefined) return verdict;
  const sha256 = scriptSha256(script);
  const voucher = accepted.find((entry) => entry.sha256 === sha256);
  if (voucher === undefined) {
    return { is: 'not understood', words: `its script is in no form that is understood (SHA-256 ${sha256})` };
  }
  return { is: 'vouched', words: `a script that ${voucher.by} vouched for on ${voucher.on} (SHA-256 ${sha256})` };
}

/** One test, at most one variable for the path and one for the result, and none for anything else. */
function isPlain(steps: readonly Step[]): boolean {
  const every = steps.flatMap(withinStep);
  const tests = every.filter((step) => step.does === 'test');
  const [test] = tests;
  if (test === undefined || tests.length !== 1) return false;
  const assigned = new Set(every.flatMap((step) => (step.does === 'assign' ? [step.name] : [])));
  const inPath = [...assigned].filter((name) => mentions(test.path.text, name));
  const printed = every.flatMap((step) => (step.does === 'echo' || step.does === 'printf' ? step.words : []));
  const inResult = [...assigned].filter((name) => printed.some((word) => mentions(word.text, name)));
  return inPath.length <= 1 && inResult.length <= 1 && assigned.size === inPath.length + inResult.length;
}

function mentions(text: string, name: string): boolean {
  return new RegExp(`\\$(${name}(?!\\w)|\\{${name}\\})`).test(text);
}

function withinStep(step: Step): readonly Step[] {
  if (step.does === 'if') return [step.test, ...step.then.flatMap(withinStep), ...step.otherwise.flatMap(withinStep)];
  if (step.does === 'chain') return [step.first, ...step.links.flatMap((link) => withinStep(link.step))];
  return [step];
}

function judgeSteps(steps: readonly Step[]): ScriptVerdict | undefined {
  const there = walk(steps, true);
  const away = walk(steps, false);
  if (there === undefined || away === undefined) return undefined;
  const wrong: string[] = [];
  const tested = [...there.tested, ...away.tested];
  if (tested.length < 2) wrong.push('it may report without testing the file');
  else if (tested.some((path) => path !== attribute.path)) wrong.push(`it tests another path than ${attribute.path}`);
  if (!reports(there.printed, attribute.present)) {
    wrong.push(`where the file is, it does not report ${attribute.present}`);
  }
  if (!reports(away.printed, attribute.absent)) {
    wrong.push(`where the file is not, it does not report ${attribute.absent}`);
  }
  if (wrong.length > 0) return { is: 'wrong', words: wrong.join('; ') };
  return { is: 'sound', words: `its script tests ${attribute.path} and reports both words` };
}

function reports(printed: string, word: string): boolean {
  return printed.trim() === `<result>${word}</result>`;
}
