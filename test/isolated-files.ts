/**
 * Finds the test files that run in a process of their own: those that change what all files of a process see. The others
 * see a process that is as it was started, and may keep what they read of it. `expect-unchanged.ts` proves it of them.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readImports } from './read-imports.ts';

const root = join(import.meta.dirname, '..');

/** How a change is written. The time zone is part of the environment. */
const changes: readonly RegExp[] = [
  /\bvi\.(?:stubEnv|stubGlobal|useFakeTimers|setSystemTime|mock|doMock|unmock|doUnmock|resetModules)\b/,
  // Vitest takes back each spy where a file ends. One on a part of the program is a mock of its module all the same.
  /\bvi\.spyOn\((?!process\b|stream\b|console\b)/,
  /\bprocess\.env(?:\.\w+|\[[^\]]*\])?\s*(?:\?\?|\|\||&&)?=(?!=)/,
  /\b(?:globalThis|global)(?:\.\w+|\[[^\]]*\])\s*(?:\?\?|\|\||&&)?=(?!=)/,
  /\bprocess\.(?:argv|exitCode|title|stdout\.\w+|stderr\.\w+)\s*=(?!=)/,
  /\bdelete (?:process|globalThis|global)\b/,
  /\bObject\.(?:assign|define\w+)\(\s*(?:process|globalThis|global)\b/,
  /\bprocess\.(?:chdir|umask|loadEnvFile)\(/,
  /\b(?:env|argv|chdir)\b[^;={}]*\} (?:= process;|from '(?:node:)?process')/,
  /\b(?:setFlagsFromString|setGlobalDispatcher|setDefault(?!Timeout)\w+)\(/,
];

/** What a helper keeps for all files of a process, or does for the first alone; a test file is loaded anew for itself. */
const keeping: readonly RegExp[] = [
  /^(?:export )?let /m,
  /^(?:export )?const \w+(?:: [^=]+)? =\s+(?:new (?:Map|Set)(?:<.*>)?\(\)|\[\]|\{\});/m,
  /^(?:before|after)(?:Each|All)\(/m,
];

/**
 * What takes back, where a command or a file ends, all that it changes, or keeps what depends on nothing but its own key.
 * A process of its own for each of fifty files that need one of them would cost as much as their tests.
 */
export const restoring: readonly string[] = [
  'src/cli.ts',
  'test/cli/muster.ts',
  'test/infra/policy.ts',
  'test/log-model/commit.ts',
  'test/log-model/product-subject.ts',
  'test/whole-runs/simulator-runs.ts',
];

/** Whether a file with this text changes its process. */
export function changesProcess(text: string, isTest: boolean): boolean {
  return [...changes, ...(isTest ? [] : keeping)].some((change) => change.test(text));
}

export function listTestFiles(): string[] {
  return globSync('test/**/*.test.ts', { cwd: root }).sort();
}

interface Reading {
  readonly isChanging: boolean;
  readonly imports: readonly string[];
}

/** Those of the files, named from the folder, that change their process themselves or through what they import. */
export function findIsolatedFiles(files: readonly string[], folder = root): string[] {
  const readings = new Map<string, Reading>();
  const read = (file: string): Reading => {
    const reading = readings.get(file) ?? readFile(file, folder);
    readings.set(file, reading);
    return reading;
  };
  return files.filter((file) => {
    const needed = new Set([file]);
    // What is added on the way is visited too.
    for (const one of needed) {
      const { isChanging, imports } = read(one);
      if (isChanging) {
        return true;
      }
      for (const imported of imports) {
        needed.add(imported);
      }
    }
    return false;
  });
}

function readFile(file: string, folder: string): Reading {
  const text = readFileSync(join(folder, file), 'utf8');
  const imports = readImports(text)
    .filter((name) => name.startsWith('.') && name.endsWith('.ts'))
    .map((name) => join(dirname(file), name))
    .filter((imported) => existsSync(join(folder, imported)));
  const isChanging = !restoring.includes(file) && changesProcess(text, file.endsWith('.test.ts'));
  return { isChanging, imports };
}
