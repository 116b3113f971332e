/** Checks the folder to package for Windows, where it is packaged: docs/coverage.md, section 1.2. */
import { windows } from '../definition.ts';
import type { Check } from './check.ts';
import { passOrFail, quoteText, reportUnknown } from './verdicts.ts';

export interface FolderEntry {
  readonly name: string;
  readonly isFile: boolean;
  readonly bytes: number;
}

const wanted = [windows.script, windows.installer];
const mostNamed = 5;

/** Its reading is undefined where the folder could not be read. */
export const packageFolder: Check<readonly FolderEntry[] | undefined> = {
  id: 'windows.package',
  expected: `a folder with exactly ${windows.script} and ${windows.installer}`,
  blindSpot: 'whether the two files are the vendor’s, and which folder was packaged in the end',
  settings: [],
  judge(entries) {
    if (entries === undefined) {
      return reportUnknown('the folder could not be read', 'Name the folder that is to be packaged.');
    }
    const problems = [...findFileProblems(entries), ...findOtherEntries(entries)];
    const advice = `Keep exactly ${wanted.join(' and ')} in the folder, and the packaging tool outside.`;
    return passOrFail(problems, `exactly ${wanted.join(' and ')}`, advice);
  },
};

function findFileProblems(entries: readonly FolderEntry[]): string[] {
  return wanted.flatMap((name) => {
    const entry = entries.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
    if (entry === undefined) {
      return [`${name} is missing`];
    }
    if (!entry.isFile) {
      return [`${name} is not a file`];
    }
    return entry.bytes === 0 ? [`${name} is empty`] : [];
  });
}

function findOtherEntries(entries: readonly FolderEntry[]): string[] {
  const problems: string[] = [];
  const others = entries.filter(({ name }) => !wanted.some((one) => one.toLowerCase() === name.toLowerCase()));
  const tools = others.filter(({ name }) => /^intunewinapputil.*\.exe$/i.test(name));
  if (tools.length > 0) {
    problems.push('the packaging tool is inside it');
  }
  const unknown = others.filter((entry) => !tools.includes(entry)).map(({ name }) => quoteText(name));
  if (unknown.length > 0) {
    problems.push(`it also holds ${unknown.slice(0, mostNamed).join(', ')}`);
  }
  return problems;
}
