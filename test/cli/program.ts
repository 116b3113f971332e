/** How tests start `muster` and other programs: the file, and an environment of its own. */
import { join } from 'node:path';

export const program = join(import.meta.dirname, '../../src/cli.ts');

/** Hundreds of processes load the same files: what one has compiled, the next need not. */
export const compileCache = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/muster-tests'),
} as const;

export const programEnvironment: Readonly<Record<string, string>> = { PATH: process.env.PATH ?? '', ...compileCache };
