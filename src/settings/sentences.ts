/** Turns the issues of a schema into sentences: the path in the file, what is wrong, and the right names. */
import * as v from 'valibot';
import { findNearest } from '../core/nearest-name.ts';

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
