/** One browser for the tests of a file or of a group; a page that a test opens is closed when the test ends. */
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import type { Night } from '../../src/core/facts/judged.ts';
import { hasBrowser, needBrowser } from '../needs.ts';
import { openViewer, type Viewer, type Visit } from './browser.ts';

export function useViewer() {
  let viewer: Viewer;
  beforeAll(async () => {
    if (hasBrowser) {
      viewer = await openViewer();
    }
  });
  beforeEach(({ skip }) => needBrowser(skip));
  afterAll(() => viewer?.close());

  async function visit(file: string, options?: BrowserContextOptions): Promise<Visit> {
    const opened = await viewer.visit(file, options);
    onTestFinished(() => opened.close());
    return opened;
  }
  return {
    getViewer: () => viewer,
    visit,
    open: async (night: Night, options?: BrowserContextOptions) =>
      visit(await viewer.write(night, 'page.html'), options),
  };
}
