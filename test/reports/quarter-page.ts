/** The page of a quarter of a year: rendered once in a run of the tests, and opened by each file that reads it. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Page } from 'playwright-core';
import { pageReport } from '../../src/compose/parts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { makeOnce } from '../make-once.ts';
import type { Viewer, Visit } from './browser.ts';
import { bytesOf } from './csv.ts';
import { quarter } from './example-nights.ts';

export interface QuarterPage {
  readonly night: Night;
  /** The rendered page, which no test may change. */
  readonly file: string;
  /** One visit for all tests of a file, with every section open. */
  readonly visit: Visit;
  readonly page: Page;
}

export const openSections = `for (const one of document.querySelectorAll('section > details, #data-quality details')) one.open = true;`;

export async function openQuarterPage(viewer: Viewer): Promise<QuarterPage> {
  const folder = await makeOnce('quarter-page', async (fresh) => {
    const made = quarter(450, 20);
    await writeFile(join(fresh, 'night.bin'), serialize(made));
    await writeFile(join(fresh, 'index.html'), await bytesOf(pageReport, made));
  });
  const night = deserialize(await readFile(join(folder, 'night.bin'))) as Night;
  const file = join(folder, 'index.html');
  const visit = await viewer.visit(file, { permissions: ['clipboard-read', 'clipboard-write'] });
  await visit.page.evaluate(openSections);
  return { night, file, visit, page: visit.page };
}
