/** Before any test: the browser is unpacked once, since two tests that unpack it at once would break each other's. */
import chromium from '@sparticuz/chromium';
import { hasBrowser } from './needs.ts';

export async function setup(): Promise<void> {
  if (hasBrowser) {
    await chromium.executablePath();
  }
}
