/** Checks the folder to package for Windows: docs/coverage.md, section 1.2. */
import type { Finding } from '../../core/facts.ts';
import { windows } from '../definition.ts';
import { passOrFail, quoteText, reportUnknown } from '../finding.ts';

export interface FolderEntry {
  readonly name: string;
  readonly isFile: boolean;
  readonly bytes: number;
}

const mostNamed = 5;

/** `entries` is undefined where the folder could not be read. */
export function checkPackage(entries: readonly FolderEntry[] | undefined): Finding {
  const check = 'windows.package';
  if (entries === undefined) {
    return reportUnknown(check, {
      why: 'the folder could not be read',
      advice: 'Name the folder that is to be packaged.',
    });
  }
  const wanted = [windows.script, windows.installer];
  const problems: string[] = [];
  for (const name of wanted) {
    const entry = entries.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
    if (entry === undefined) {
      problems.push(`${name} is missing`);
    } else if (!entry.isFile) {
      problems.push(`${name} is not a file`);
    } else if (entry.bytes === 0) {
      problems.push(`${name} is empty`);
    }
  }
  const others = entries.filter(({ name }) => !wanted.some((one) => one.toLowerCase() === name.toLowerCase()));
  const tools = others.filter(({ name }) => /^intunewinapputil.*\.exe$/i.test(name));
  if (tools.length > 0) {
    problems.push('the packaging tool is inside it');
  }
  const unknown = others.filter((entry) => !tools.includes(entry)).map(({ name }) => quoteText(name));
  if (unknown.length > 0) {
    problems.push(`it also holds ${unknown.slice(0, mostNamed).join(', ')}`);
  }
  const advice = `Keep exactly ${wanted.join(' and ')} in the folder, and the packaging tool outside.`;
  return passOrFail(check, problems, `exactly ${wanted.join(' and ')}`, advice);
}
