/** One browser for a whole test file: Chromium from npm alone. Every request that leaves a page is stopped and told. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContextOptions, chromium as launcher, type Page } from 'playwright-core';
import { pageReport } from '../../src/compose/parts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { waitLimit } from '../limits.ts';
import { bytesOf } from './csv.ts';

export interface Visit {
  readonly page: Page;
  /** What the console said as an error or a warning, and what was thrown. */
  readonly errors: string[];
  /** Requests for anything but the page itself. */
  readonly requests: string[];
  close(): Promise<void>;
}

export interface Viewer {
  readonly browser: Browser;
  visit(file: string, options?: BrowserContextOptions): Promise<Visit>;
  /** Renders a night's page into a file. */
  write(night: Night, name: string): Promise<string>;
  close(): Promise<void>;
}

export async function openViewer(): Promise<Viewer> {
  const browser = await launcher.launch({
    executablePath: await chromium.executablePath(),
    timeout: waitLimit,
    args: ['--no-simulator', '--no-zygote', '--headless=shell', '--hide-scrollbars', '--force-color-profile=srgb'],
  });
  const folder = await mkdtemp(join(tmpdir(), 'muster-page-'));
  return {
    browser,
    visit: (file, options) => visit(browser, file, options),
    async write(night, name) {
      const file = join(folder, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, await bytesOf(pageReport, night));
      return file;
    },
    async close() {
      await browser.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function visit(browser: Browser, file: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
    colorScheme: 'light',
    ...options,
  });
  const [errors, requests]: [string[], string[]] = [[], []];
  const address = pathToFileURL(file).href;
  await context.route('**/*', async (route) => {
    const url = route.request().url();
    if (url.split('#')[0] === address) {
      return route.continue();
    }
    requests.push(url);
    return route.abort();
  });
  const page = await context.newPage();
  page.setDefaultTimeout(waitLimit);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) {
      errors.push(message.text());
    }
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(address);
  await page.waitForSelector('html[data-ready]');
  return { page, errors, requests, close: () => context.close() };
}
