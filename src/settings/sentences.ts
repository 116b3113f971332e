/** Turns the issues of a schema into sentences: the path in the file, what is wrong, and the right names. */
import * as v from 'valibot';

/** A block of settings: an unknown name is refused with the nearest right one, and a missing name is reported. */
export function defineBlock<const Entries extends v.ObjectEntries>(entries: Entries) {
  const names = Object.keys(entries);
  return v.strictObject(entries, (issue) => {
    if (issue.expected === 'never') {
      return describeUnknownName(String(issue.input), names);
    }
    if (issue.received === 'undefined') {
      return 'is missing';
    }
    return `must be a block with ${names.join(', ')}`;
  });
}

/** One of a few words. */
export function defineChoice<const Words extends readonly string[]>(words: Words) {
  return v.picklist(words, (issue) =>
    issue.received === 'undefined' ? 'is missing' : describeUnknownWord(String(issue.input), words),
  );
}

export function describeUnknownWord(given: string, words: readonly string[]): string {
  const near = findNearest(given, words);
  return `is "${given}"; ${near === undefined ? '' : `did you mean "${near}"? `}it must be one of ${words.join(', ')}`;
}

function describeUnknownName(name: string, names: readonly string[]): string {
  const near = findNearest(name, names);
  return near === undefined
    ? `is not a setting; settings here are ${names.join(', ')}`
    : `is not a setting; did you mean "${near}"?`;
}

/** `sources[0].url: must begin with https://` – one sentence for each problem. */
export function formatIssues(issues: readonly v.BaseIssue<unknown>[], at: readonly (string | number)[]): string[] {
  return issues.map((issue) => {
    const steps = [...at, ...(issue.path ?? []).map((item) => item.key)];
    return formatProblem(steps, issue.received === 'undefined' ? 'is missing' : issue.message);
  });
}

export function formatProblem(steps: readonly unknown[], message: string): string {
  return `${formatPath(steps)}: ${message}${/[.?!]$/.test(message) ? '' : '.'}`;
}

function formatPath(steps: readonly unknown[]): string {
  let path = '';
  for (const step of steps) {
    if (typeof step === 'number') {
      path += `[${step}]`;
    } else {
      path += `${path === '' ? '' : '.'}${String(step)}`;
    }
  }
  return path === '' ? 'settings' : path;
}

/** The known name that differs by a few letters, if there is one. */
export function findNearest(name: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of names) {
    const distance = computeEditDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance && distance <= Math.max(2, candidate.length / 3)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Letters to change, add or drop (Levenshtein), one row at a time. */
function computeEditDistance(left: string, right: string): number {
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
