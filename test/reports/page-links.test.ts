/** The addresses of the page: every number is a link to the rows that it counts, and a link opens what it leads to. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Night } from '../../src/core/facts/judged.ts';
import { hasBrowser } from '../needs.ts';
import { isDeep } from '../sampling.ts';
import type { Visit } from './browser.ts';
import { openQuarterPage } from './quarter-page.ts';
import { findList, readColumn, readCount } from './read-page.ts';
import { useViewer } from './use-viewer.ts';

const { getViewer, visit: visitFile } = useViewer();
let night: Night;
let file: string;
let visit: Visit;
let page: Page;

beforeAll(async () => {
  if (hasBrowser) {
    ({ night, file, visit, page } = await openQuarterPage(getViewer()));
  }
});

describe('the address', () => {
  it('has every number open the rows that it counts', async () => {
    const wrong = await page.evaluate<string[]>(`(async () => {
      const wrong = [];
      const links = [...document.querySelectorAll('a[data-rows]')].filter((link) => /^[\\d,]+( |$)/.test(link.textContent));
      const kinds = Map.groupBy(links, ({ dataset }) => dataset.rows.replaceAll(/=[^&]*/g, ''));
      const met = ${isDeep} ? links : [...kinds.values()].flatMap((alike) => alike.length > 4 ? [alike[0], alike.at(-1)] : [alike[0]]);
      for (const { dataset, textContent } of met) {
        const address = document.querySelector('a[data-rows="' + CSS.escape(dataset.rows) + '"]').hash;
        if (location.hash !== address) {
          location.hash = address;
          await new Promise((done) => addEventListener('hashchange', () => setTimeout(done), { once: true }));
        }
        const list = dataset.rows.split(/[.=]/)[0];
        const status = document.querySelector('[data-list=' + (list === 'members' ? 'groups' : list) + '] [role=status]');
        const shown = status === null ? '0' : status.textContent.split(' ')[0];
        if (shown !== textContent.split(' ')[0]) wrong.push(dataset.rows + ': ' + textContent + ' but ' + status?.textContent);
      }
      return links.length > 40 && kinds.size > 20 ? wrong : ['only ' + links.length + ' numbers of ' + kinds.size + ' kinds'];
    })()`);
    expect(wrong).toEqual([]);
  });

  it('keeps filters, search and order over a reload', async () => {
    await page.evaluate("location.hash = '#at=needs-action&needs-action.platform=windows&needs-action.sort=-name'");
    await findList(page, 'needs-action').getByLabel('Search').fill('ws-');
    const before = await readColumn(page, 'needs-action', 'name');
    const counted = await readCount(page, 'needs-action');
    expect(page.url()).toMatch(
      /#at=needs-action&needs-action\.platform=windows&needs-action\.sort=-name&needs-action\.q=ws-$/,
    );
    await page.reload();
    await page.waitForSelector('html[data-ready]');
    expect(await readColumn(page, 'needs-action', 'name')).toEqual(before);
    expect(await readCount(page, 'needs-action')).toBe(counted);
    expect(await findList(page, 'needs-action').getByLabel('Search').inputValue()).toBe('ws-');
    await findList(page, 'needs-action').getByRole('button', { name: 'Show all' }).click();
  });

  it('opens what a link leads to, also again', async () => {
    const other = await visitFile(file);
    const isOpen = () => other.page.locator('#glossary > details').evaluate((one) => one.hasAttribute('open'));
    expect(await isOpen()).toBe(false);
    for (let time = 0; time < 2; time += 1) {
      await other.page.locator('nav a[href="#glossary"]').click();
      expect(await isOpen()).toBe(true);
      await other.page.locator('#glossary-title').click();
      expect(await isOpen()).toBe(false);
    }
    await other.page.evaluate("location.hash = 'word-reason-reported'");
    await expect.poll(isOpen).toBe(true);
  });
});

describe('the files beside the page, and the pages of other runs', () => {
  it.each([
    ['latest/index.html', ['devices.csv', 'muster.xlsx', 'findings.ndjson'], ['../report/date=2026-11-19/index.html']],
    [
      'report/date=2026-11-20/index.html',
      ['../../devices/date=2026-11-20/devices.csv', 'muster.xlsx', '../../findings/date=2026-11-20/findings.ndjson'],
      ['../date=2026-11-19/index.html', '../date=2026-11-21/index.html', '../../latest/index.html'],
    ],
    ['elsewhere.html', ['devices.csv', 'muster.xlsx', 'findings.ndjson'], []],
  ])('are linked from %s', async (copy, files, nights) => {
    const other = await visitFile(await getViewer().write(night, copy));
    const hrefs = (selector: string) =>
      other.page.locator(selector).evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    for (const [index, name] of ['devices.csv', 'muster.xlsx', 'findings.ndjson'].entries()) {
      expect(await hrefs(`a[data-file="${name}"]`)).toEqual([files[index]]);
    }
    expect(await hrefs('#nights a')).toEqual(nights);
    // The table of the trend leads to every run.
    await other.page.locator('#exact summary').click();
    await expect.poll(() => other.page.locator('#exact tbody tr').count()).toBeGreaterThan(9);
    expect((await hrefs('#exact tr:nth-child(4) a')).slice(0, 1)).toEqual(nights.slice(0, 1));
  });
});

describe('the console', () => {
  it('says nothing, and nobody was asked for anything', () => {
    expect([...visit.errors, ...visit.requests]).toEqual([]);
  });
});
