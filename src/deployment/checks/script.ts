/** The deployment script: section 1.3. Its text is parsed and compared; no word of it is shown, none is run. */
import type { Finding } from '../../core/facts.ts';
import { downloads, scriptParameters } from '../definition.ts';
import type { Deployment } from '../deployment-settings.ts';
import { type Found, fail, judgeOne, notChecked, unknown, verdict } from '../finding.ts';
import { hostOf, isSafe } from '../hosts.ts';
import { commandLines, type Line } from '../shell/commands.ts';

export interface ScriptFacts {
  /** What the server calls parameters 4 to 11, by number. */
  readonly labels: ReadonlyMap<number, string>;
  readonly contents: string;
}

const check = 'macos.script';
const create = 'Create it as section 1.3 says, or put its display name in the settings.';

export function checkScript(asked: Deployment, found: Found<ScriptFacts>): Finding {
  if (asked.macos.script === undefined) return notChecked(check, 'deployment.macos.script');
  if (asked.identity === undefined) return notChecked(check, 'deployment.identity');
  return judgeOne(check, found, 'script', create, (script) =>
    asked.identity === 'email' ? judgeLabels(script) : judgeSteps(script, asked.service),
  );
}

function judgeLabels({ labels, contents }: ScriptFacts): Finding {
  if (contents.trim() === '') return fail(check, 'the script is empty', create);
  const wrong = scriptParameters.filter(
    ({ number, name }) => (labels.get(number) ?? '').trim().toLowerCase() !== name.toLowerCase(),
  );
  const problems = wrong.map(({ number, name }) => `parameter ${number} is not labelled ${name}`);
  const advice = 'Label parameters 4 to 9 as section 1.3 does, so that nobody fills in the wrong one.';
  return verdict(check, problems, 'parameters 4 to 9 are labelled as documented', advice);
}

interface Documented {
  readonly says: string;
  readonly isStep: (line: readonly string[]) => boolean;
}

function judgeSteps({ contents }: ScriptFacts, service: string | undefined): Finding {
  const lines = commandLines(contents);
  if (lines === undefined) {
    return unknown(check, {
      why: 'the script cannot be parsed',
      advice: 'Use `muster artifacts deploy-directory.sh`.',
    });
  }
  const steps = stepsOf(service);
  const problem = firstMissing(steps, lines);
  const advice = 'Follow the five steps of section 1.3 in order; `muster artifacts deploy-directory.sh` does.';
  return verdict(check, problem === undefined ? [] : [problem], 'the five documented steps, in order', advice);
}

function firstMissing(steps: readonly Documented[], lines: readonly Line[]): string | undefined {
  let from = 0;
  for (const [index, step] of steps.entries()) {
    const at = lines.findIndex((line, place) => place >= from && step.isStep(line.map((word) => word ?? '')));
    if (at < 0) {
      const isElsewhere = lines.some((line) => step.isStep(line.map((word) => word ?? '')));
      return `step ${index + 1} (${step.says}) is ${isElsewhere ? 'out of order' : 'missing'}`;
    }
    from = at + 1;
  }
  return undefined;
}

function stepsOf(service: string | undefined): readonly Documented[] {
  return [
    { says: 'download the package', isStep: download(downloads.package, service) },
    { says: 'download the bundle', isStep: download(downloads.bundle, service) },
    { says: 'create the folder', isStep: (line) => runs(line, 'mkdir') && line.some(isFolder) },
    {
      says: 'extract the bundle',
      isStep: (line) =>
        runs(line, 'tar') &&
        line.some((word) => /^(-?[a-z]*x[a-z]*|--extract)$/.test(word)) &&
        line.some((word) => isFile(word, downloads.bundle.savedAs)) &&
        line.some(isFolder),
    },
    {
      says: 'run the installer',
      isStep: (line) =>
        runs(line, 'installer') &&
        isFile(after(line, '-pkg'), downloads.package.savedAs) &&
        after(line, '-target') === downloads.target &&
        line.some((word) => /^-verbose(R)?$/.test(word)),
    },
  ];
}

function download(file: { readonly path: string; readonly savedAs: string }, service: string | undefined) {
  return (line: readonly string[]): boolean =>
    runs(line, 'curl') &&
    line.some((word) => isAddress(word, file.path, service)) &&
    line.some((word) => isFile(word, file.savedAs));
}

function isAddress(word: string, path: string, service: string | undefined): boolean {
  const url = URL.parse(word);
  if (url === null || !url.pathname.endsWith(path) || !isSafe(word)) return false;
  return service === undefined || (word === service + path && url.host === hostOf(service));
}

/** Also with a path in front, and as superuser. */
function runs(line: readonly string[], program: string): boolean {
  const words = isFile(line[0] ?? '', 'sudo') ? line.slice(1).filter((word) => !word.startsWith('-')) : line;
  return isFile(words[0] ?? '', program);
}

function isFile(word: string, name: string): boolean {
  return word === name || word.endsWith(`/${name}`);
}

function isFolder(word: string): boolean {
  return word.replace(/\/+$/, '') === downloads.folder;
}

function after(line: readonly string[], option: string): string {
  const at = line.indexOf(option);
  return at < 0 ? '' : (line[at + 1] ?? '');
}
