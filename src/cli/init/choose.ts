/** Formats choices, and resolves the answer to a question with choices. Pure. */
import { findNearest } from '../../core/text/nearest-name.ts';
import { toPrintableText } from '../../reports/cell.ts';
import type { Choice } from '../../sources/interview.ts';

/** Choices to show; people type the names of others. */
const mostShown = 20;

export function formatChoices(choices: readonly Choice[]): string[] {
  const shown = choices.slice(0, mostShown);
  const width = Math.min(40, Math.max(0, ...shown.map(({ value }) => value.length)));
  const lines = shown.map(({ value, note }, index) => {
    const name = toPrintableText(value).padEnd(width);
    return `  ${String(index + 1).padStart(2)}  ${name}  ${toPrintableText(note)}`.trimEnd();
  });
  const more = choices.length - shown.length;
  return more === 0 ? lines : [...lines, `      and ${more} more: type the exact name`];
}

/** The choice with exactly that name, or with the number that is shown. */
export function findChoice(answer: string, choices: readonly Choice[]): string | undefined {
  const named = choices.find(({ value }) => value === answer);
  const numbered = /^\d+$/.test(answer) ? choices.slice(0, mostShown)[Number(answer) - 1] : undefined;
  return (named ?? numbered)?.value;
}

export function describeWrongChoice(answer: string, choices: readonly Choice[]): string {
  const names = choices.map(({ value }) => toPrintableText(value));
  const near = findNearest(answer, names);
  const known = names.length === 0 ? 'There is none.' : `There are: ${names.slice(0, mostShown).join(', ')}.`;
  const advice = near === undefined || answer === '' ? known : `Did you mean "${near}"?`;
  return answer === '' ? known : `There is no "${toPrintableText(answer)}". ${advice}`;
}
