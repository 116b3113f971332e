/** From what a schema objects to, to sentences: path in the file, what is wrong, and the right names. */
import * as v from 'valibot';

/** A block of settings: unknown names are refused with the nearest right one, missing ones named. */
export function block<const Entries extends v.ObjectEntries>(entries: Entries) {
  const names = Object.keys(entries);
  return v.strictObject(entries, (issue) => {
    if (issue.expected === 'never') return unknownName(String(issue.input), names);
    if (issue.received === 'undefined') return 'is missing';
    return `must be a block with ${names.join(', ')}`;
  });
}

/** One of a few words. */
export function choice<const Words extends readonly string[]>(words: Words) {
  return v.picklist(words, (issue) =>
    issue.received === 'undefined' ? 'is missing' : unknownWord(String(issue.input), words),
  );
}

export function unknownWord(given: string, words: readonly string[]): string {
  const near = nearest(given, words);
  return `is "${given}"; ${near === undefined ? '' : `did you mean "${near}"? `}it must be one of ${words.join(', ')}`;
}

function unknownName(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return near === undefined
    ? `is not a setting; settings here are ${names.join(', ')}`
    : `is not a setting; did you mean "${near}"?`;
}

/** `sources[0].url: must begin with https://` – one sentence a problem. */
export function sentences(issues: readonly v.BaseIssue<unknown>[], at: readonly (string | number)[]): string[] {
  return issues.map((issue) => {
    const steps = [...at, ...(issue.path ?? []).map((item) => item.key)];
    return sentence(steps, issue.received === 'undefined' ? 'is missing' : issue.message);
  });
}

export function sentence(steps: readonly unknown[], message: string): string {
  return `${pathOf(steps)}: ${message}${/[.?!]$/.test(message) ? '' : '.'}`;
}

function pathOf(steps: readonly unknown[]): string {
  let path = '';
  for (const step of steps) {
    if (typeof step === 'number') path += `[${step}]`;
    else path += `${path === '' ? '' : '.'}${String(step)}`;
  }
  return path === '' ? 'settings' : path;
}

/** The known name that is a few letters away, if any. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of names) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance && distance <= Math.max(2, candidate.length / 3)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Letters to change, add or drop (Levenshtein), one row at a time. */
function editDistance(left: string, right: string): number {
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const change = (above[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(change, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[right.length] ?? 0;
}
