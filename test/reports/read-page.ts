/** Reads what the page shows, as a person would: its figures, and the rows and counts of its lists. */
import type { Locator, Page } from 'playwright-core';

export async function readText(page: Page, selector: string): Promise<string> {
  return (await page.locator(selector).first().textContent()) ?? '';
}

export async function readNumber(page: Page, selector: string): Promise<number> {
  return Number((await readText(page, selector)).replaceAll(',', ''));
}

export function findList(page: Page, name: string) {
  return page.locator(`[data-list=${name}]`);
}

/** The line above a list that says how many of its rows are shown. */
export async function readCount(page: Page, name: string): Promise<string> {
  return (await findList(page, name).locator('[role=status]').innerText()).replaceAll(',', '');
}

export async function readColumn(page: Page, name: string, key: string): Promise<string[]> {
  const heads = await findList(page, name)
    .locator('.status ~ div th')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-key')));
  return findList(page, name)
    .locator(`.status ~ div tbody td:nth-child(${heads.indexOf(key) + 1})`)
    .allTextContents();
}

/** Opens the filters below More; their options are counted then. */
export async function openMoreFilters(page: Page, name: string): Promise<void> {
  const more = findList(page, name).locator('details.more:not([open]) summary');
  if (await more.isVisible()) {
    await more.click();
  }
}

export async function chooseFacet(page: Page, name: string, facet: string, word: string): Promise<void> {
  const box = findList(page, name).locator(`select[data-facet=${facet}]`);
  if (!(await box.isVisible())) {
    await openMoreFilters(page, name);
  }
  const options = await box.locator('option').allInnerTexts();
  await box.selectOption({ index: options.findIndex((text) => text.startsWith(`${word} (`)) });
}

/** Shows the further ways to take the rows of a list. */
export async function openFormats(list: Locator): Promise<void> {
  await list.locator('.formats').evaluate((one) => one.setAttribute('open', ''));
}

/** The mail of the first row of the breakdown, decoded. */
export async function readMail(page: Page, field: string): Promise<string> {
  const breakdown = findList(page, 'breakdown');
  await breakdown.locator('select').first().selectOption(field);
  const link = breakdown.locator('tbody tr').first().locator('a').last();
  // A mail program would take the browser away from the page.
  await link.evaluate((one) => one.addEventListener('click', (event: Event) => event.preventDefault()));
  await link.click();
  return decodeURIComponent((await link.getAttribute('href')) ?? '');
}
