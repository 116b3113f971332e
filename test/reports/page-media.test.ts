/** The page on every medium: dark, on paper, on a phone, without a script. */
import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Night } from '../../src/core/facts/judged.ts';
import { hasBrowser } from '../needs.ts';
import { rowsOf } from './csv.ts';
import { badNight, emptyFleet } from './example-nights.ts';
import { openQuarterPage, openSections } from './quarter-page.ts';
import { useViewer } from './use-viewer.ts';

const { getViewer, visit: visitFile } = useViewer();
let night: Night;
let file: string;

beforeAll(async () => {
  if (hasBrowser) {
    ({ night, file } = await openQuarterPage(getViewer()));
  }
});

describe('colours, paper and widths', () => {
  it('follows the system, until the reader chooses', async () => {
    const dark = await visitFile(file, { colorScheme: 'dark' });
    const ground = () => dark.page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(await ground()).toBe('rgb(21, 23, 27)');
    await dark.page.getByLabel('Colours').selectOption('light');
    expect(await ground()).toBe('rgb(251, 251, 249)');
  });

  it('prints two pages, however many devices there are; three where the reasons of a bad night need them', async () => {
    for (const [one, pages] of [
      [file, 2],
      [await getViewer().write(badNight(200), 'bad-print.html'), 3],
      [await getViewer().write(emptyFleet(), 'empty-print.html'), 2],
    ] as const) {
      const other = await visitFile(one);
      const paper = (await other.page.pdf({ preferCSSPageSize: true })).toString('latin1');
      expect(paper.match(/\/Type \/Page\b/g)?.length).toBeLessThanOrEqual(pages);
    }
  });

  it('shows the first rows of every list where no script runs, and says why there are no more', async () => {
    const context = await getViewer().browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(pathToFileURL(file).href);
    const rows = await rowsOf('not-installed', night);
    const needsAction = plain.locator('[data-list=needs-action]');
    expect(await needsAction.locator('tbody tr td:nth-child(3)').allInnerTexts()).toEqual(
      rows.slice(0, 20).map((row) => row.serial_number),
    );
    expect(await needsAction.locator('.status').innerText()).toBe(
      `20 of ${rows.length}. The whole list, its search and its filters need JavaScript; every row is in not-installed.csv.`,
    );
    for (const one of await plain.locator('[data-list]').all()) {
      expect((await one.textContent())?.trim()).not.toBe('');
    }
    await context.close();
  });

  it('says that its script failed, and leaves the first rows', async () => {
    const context = await getViewer().browser.newContext();
    const broken = await context.newPage();
    const text = await readFile(file, 'utf8');
    await writeFile(`${file}.broken.html`, text.replace(/(id="data">)[^<]{40}/, '$1'));
    await broken.goto(pathToFileURL(`${file}.broken.html`).href);
    const notice = broken.locator('#trouble');
    await notice.waitFor();
    expect(await notice.innerText()).toMatch(/^Part of this page failed in this browser: \w+/);
    expect(await broken.locator('[data-list=needs-action] tbody tr').count()).toBe(20);
    await context.close();
  });

  it('has no label below 11 px, no truncated serial number, and nothing wider than a phone', async () => {
    const phone = await visitFile(file, { viewport: { width: 390, height: 844 } });
    const small = await phone.page.evaluate<string[]>(`[...document.querySelectorAll('body *')]
      .filter((one) => [...one.childNodes].some((child) => child.nodeType === 3 && child.data.trim() !== ''))
      .filter((one) => one.checkVisibility() && parseFloat(getComputedStyle(one).fontSize) < 11)
      .map((one) => one.outerHTML.slice(0, 120))`);
    expect(small).toEqual([]);
    expect(await phone.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    const broken = await phone.page.evaluate<
      string[]
    >(`[...document.querySelectorAll('button, summary, [data-rows], th, dt, .under')].flatMap((one) => {
      const words = document.createTreeWalker(one, 4);
      const found = [];
      while (words.nextNode()) {
        for (const word of words.currentNode.data.matchAll(/[^\\s-]+/g)) {
          const range = document.createRange();
          range.setStart(words.currentNode, word.index);
          range.setEnd(words.currentNode, word.index + word[0].length);
          if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word[0]);
        }
      }
      return found;
    })`);
    expect(broken).toEqual([]);
    const untouchable = await phone.page.evaluate<
      string[]
    >(`[...document.querySelectorAll('button, select, summary, .facts [data-rows]')]
      .filter((one) => one.checkVisibility() && one.closest('.rows thead') === null && one.getBoundingClientRect().height < 44)
      .map((one) => one.outerHTML.slice(0, 120))`);
    expect(untouchable).toEqual([]);
    const cut = await phone.page
      .locator('[data-list=needs-action] tbody td')
      .evaluateAll((cells) =>
        cells.filter((cell) => /^[A-Z0-9]{7,10}$/.test(cell.innerText) && cell.scrollWidth > cell.clientWidth),
      );
    expect(cut).toEqual([]);
  });

  it('is not too high at any width, and no list is wider than its place', async () => {
    const other = await visitFile(file);
    const sizes = [
      [1440, 6_000],
      [1024, 6_000],
      [390, 8_000],
    ] as const;
    for (const [width, most] of sizes) {
      await other.page.setViewportSize({ width, height: 900 });
      const height = await other.page.evaluate('document.documentElement.scrollHeight');
      expect(height, `${width} px`).toBeLessThanOrEqual(most);
    }
    await other.page.evaluate(openSections);
    for (const [width] of sizes) {
      await other.page.setViewportSize({ width, height: 900 });
      const wide = await other.page.evaluate(`[...document.querySelectorAll('.scroll')]
        .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.ariaLabel + ' ' + one.scrollWidth)`);
      expect(wide, `${width} px`).toEqual([]);
    }
  });
});
