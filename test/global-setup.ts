/** Before any test: a folder for what several test files need and one of them makes; and the browser. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import type { TestProject } from 'vitest/node';
import { hasBrowser } from './needs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of this run of the tests; gone at its end. */
    readonly runFolder: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-tests-'));
  project.provide('runFolder', folder);
  if (hasBrowser) {
    // Unpacked once, since two tests that unpack it at once would break each other's.
    await chromium.executablePath();
  }
  return () => rm(folder, { recursive: true });
}
