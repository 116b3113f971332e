/** Before any test: the page's script and style; a folder for what several test files need and one of them makes; and the browser. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { makePageAssets } from '../infra/page.ts';
import { hasBrowser } from './needs.ts';

export async function setup(): Promise<() => Promise<void>> {
  await makePageAssets();
  const folder = await mkdtemp(join(tmpdir(), 'muster-tests-'));
  process.env.MUSTER_TEST_RUN = folder;
  if (hasBrowser) {
    // Unpacked once, since two tests that unpack it at once would break each other's.
    await chromium.executablePath();
  }
  return () => rm(folder, { recursive: true });
}
