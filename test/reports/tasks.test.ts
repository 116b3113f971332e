/** What people open the page for, each done as they would do it: in four actions or fewer, from a page just opened. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { Night } from '../../src/core/facts/judged.ts';
import { hasBrowser } from '../needs.ts';
import { rowsOf } from './csv.ts';
import { quarter } from './example-nights.ts';
import { useViewer } from './use-viewer.ts';

const { getViewer, visit } = useViewer();
let night: Night;
let file: string;

beforeAll(async () => {
  if (hasBrowser) {
    night = quarter(300, 20);
    file = await getViewer().write(night, 'latest/index.html');
  }
});

type Action = (page: Page) => Promise<unknown>;

/** The page after the actions. */
async function act(actions: readonly Action[], look: (page: Page) => Promise<void>, from = file): Promise<void> {
  expect(actions.length).toBeLessThanOrEqual(4);
  const { page } = await visit(from);
  for (const action of actions) {
    await action(page);
  }
  await look(page);
}

const find = (text: string): readonly Action[] => [
  async (page) => {
    await page.keyboard.press('/');
    await page.keyboard.insertText(text);
  },
  (page) => page.keyboard.press('Enter'),
];
const missing = (page: Page) => page.locator('[data-list=needs-action]');

it('the devices of one part of the fleet that need action, as a file', async () => {
  const rows = await rowsOf('not-installed', night);
  const model = rows.find((row) => row.model)?.model ?? '';
  let path = '';
  await act(
    [
      (page) => page.locator('nav a[href="#breakdown"]').click(),
      (page) => page.locator('#breakdown select').selectOption('Model'),
      (page) =>
        page
          .locator('#breakdown tbody tr')
          .filter({ has: page.getByText(model, { exact: true }) })
          .locator('[data-rows^=needs-action]')
          .first()
          .click(),
      async (page) => {
        const download = page.waitForEvent('download');
        await missing(page).getByText('Download', { exact: true }).click();
        path = await (await download).path();
      },
    ],
    async () => {
      const lines = (await readFile(path, 'utf8')).trim().split('\n');
      expect(lines.length - 1).toBe(rows.filter((row) => row.model === model).length);
    },
  );
});

it('all that is known of a serial number', async () => {
  const [device] = await rowsOf('not-installed', night);
  await act(find(`${device?.serial_number}`.toLowerCase()), async (page) => {
    const card = page.locator('dialog[open]');
    expect(await card.innerText()).toContain(`Next step:`);
    expect(await card.innerText()).toContain(`${device?.serial_number}`);
  });
});

it('what a device was on another date, on the page of that run', async () => {
  const [device] = await rowsOf('devices', night);
  let link = '';
  // The browser of the tests leaves no page: the second action, on the link, opens the other page by itself.
  await act([(page) => page.locator('#exact summary').click()], async (page) => {
    link = (await page.locator('#exact tbody a').last().getAttribute('href')) ?? '';
  });
  expect(link).toMatch(/^\.\.\/report\/date=[\d-]+\/index\.html$/);
  const other = await getViewer().write(night, link.slice('../'.length));
  await act(
    find(`${device?.serial_number}`),
    async (page) => expect(await page.locator('dialog[open]').innerText()).toContain(`${device?.status}`),
    other,
  );
});

it('who is overdue, longest missing first', async () => {
  const overdue = (page: Page) => page.locator('.facts a', { hasText: 'overdue' });
  await act([(page) => overdue(page).click()], async (page) => {
    const [count] = (await overdue(page).innerText()).split(' ');
    // The address changes first, and the list with it a moment later.
    await expect.poll(() => missing(page).getByRole('status').innerText()).toMatch(new RegExp(`^${count} of `));
    const since = await missing(page).locator('tbody tr td:first-child').allInnerTexts();
    expect(since.length).toBeGreaterThan(1);
    expect(since).toEqual(since.toSorted());
  });
});

it('what to do next for the fleet', async () => {
  await act(
    [(page) => page.locator('.overview', { hasText: 'Do first' }).locator('p a[data-rows]').first().click()],
    async (page) => {
      expect(await missing(page).locator('tbody tr').count()).toBeGreaterThan(0);
      expect(await missing(page).getByRole('status').innerText()).not.toMatch(/^0 /);
    },
  );
});
