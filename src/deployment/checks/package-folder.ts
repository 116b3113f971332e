/** Checks the folder to package for Windows, where it is packaged: docs/coverage.md, section 1.2. */
import { windows } from '../definition.ts';
import type { Check } from './check.ts';
import { collectProblems, passOrFail, quoteText, reportUnknown } from './verdicts.ts';

export interface FolderEntry {
  readonly name: string;
  readonly isFile: boolean;
  readonly bytes: number;
}

const wanted = [windows.script, windows.installer];
const both = wanted.join(' and ');
const mostNamed = 5;

/** Checks the folder; its reading is undefined where the folder could not be read. */
export const packageFolder: Check<readonly FolderEntry[] | undefined> = {
  id: 'windows.package',
  expected: `a folder with exactly ${both}`,
  blindSpot: 'whether the two files are the vendor’s, and which folder was packaged in the end',
  judge(entries) {
    if (entries === undefined) {
      return reportUnknown('the folder could not be read', 'Name the folder that is to be packaged.');
    }
    const others = entries.filter((entry) => !wanted.some((name) => isNamed(entry, name))).map(({ name }) => name);
    const unknown = others.filter((name) => !packagingTool.test(name)).map(quoteText);
    const problems = [
      ...wanted.flatMap((name) => findFileProblems(name, entries)),
      ...collectProblems([
        [unknown.length < others.length, 'the packaging tool is inside it'],
        [unknown.length > 0, `it also holds ${unknown.slice(0, mostNamed).join(', ')}`],
      ]),
    ];
    const advice = `Keep exactly ${both} in the folder, and the packaging tool outside.`;
    return passOrFail(problems, `exactly ${both}`, advice);
  },
};

const packagingTool = /^intunewinapputil.*\.exe$/i;

function isNamed(entry: FolderEntry, name: string): boolean {
  return entry.name.toLowerCase() === name.toLowerCase();
}

function findFileProblems(name: string, entries: readonly FolderEntry[]): string[] {
  const entry = entries.find((candidate) => isNamed(candidate, name));
  return collectProblems([
    [entry === undefined, `${name} is missing`],
    [entry?.isFile === false, `${name} is not a file`],
    [entry?.isFile === true && entry.bytes === 0, `${name} is empty`],
  ]);
}
