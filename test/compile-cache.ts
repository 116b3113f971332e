import { join } from 'node:path';

/** Many processes load the same files, in this run of the tests and in the next: what one has compiled, another need not. */
export const compileCache = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/muster-tests'),
} as const;
