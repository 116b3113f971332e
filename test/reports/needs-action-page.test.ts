/** The list of devices that need action: found, filtered, sorted, copied, and used by keyboard alone. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Night } from '../../src/core/facts/judged.ts';
import { hasBrowser } from '../needs.ts';
import type { Visit } from './browser.ts';
import { type Row, rowsOf } from './csv.ts';
import { openQuarterPage } from './quarter-page.ts';
import { chooseFacet, findList, openFormats, openMoreFilters, readColumn, readCount } from './read-page.ts';
import { useViewer } from './use-viewer.ts';

const { getViewer } = useViewer();
let night: Night;
let visit: Visit;
let page: Page;

beforeAll(async () => {
  if (hasBrowser) {
    ({ night, visit, page } = await openQuarterPage(getViewer()));
  }
});

const hasFocus = (part: Locator) => part.evaluate((one) => one.matches(':focus'));

describe('the devices that need action', () => {
  it('finds by any word of a device, and says when nothing fits', async () => {
    const rows = await rowsOf('not-installed', night);
    const search = findList(page, 'needs-action').getByLabel('Search');
    const [sought] = rows.slice(-1) as [Row];
    await search.fill(`${sought.serial_number?.toLowerCase()} ${sought.user?.slice(0, 5)}`);
    expect(await readCount(page, 'needs-action')).toBe(`1 of ${rows.length} devices`);
    expect(await readColumn(page, 'needs-action', 'name')).toEqual([sought.device_name]);
    await search.fill('nobody has this name');
    expect(await findList(page, 'needs-action').innerText()).toContain('No device matches.');
    await findList(page, 'needs-action').getByRole('button', { name: 'Show all' }).click();
    expect(await readCount(page, 'needs-action')).toBe(`${rows.length} of ${rows.length} devices`);
  });

  it('filters by platform, reason and proof', async () => {
    const rows = await rowsOf('not-installed', night);
    await chooseFacet(page, 'needs-action', 'platform', 'Windows');
    expect(await readCount(page, 'needs-action')).toBe(
      `${rows.filter((row) => row.platform === 'windows').length} of ${rows.length} devices`,
    );
    await chooseFacet(page, 'needs-action', 'reason', 'never-reported');
    const fits = rows.filter((row) => row.platform === 'windows' && row.reason === 'never-reported');
    expect(await readCount(page, 'needs-action')).toBe(`${fits.length} of ${rows.length} devices`);
    await chooseFacet(page, 'needs-action', 'proven', 'proven');
    expect(await readCount(page, 'needs-action')).toBe(
      `${fits.filter((row) => row.proven === 'true').length} of ${rows.length} devices`,
    );
    await findList(page, 'needs-action').getByRole('button', { name: 'Show all' }).click();
  });

  it('filters by why a status is not proven, as do all devices', async () => {
    for (const [list, table] of [['needs-action', 'not-installed'] as const, ['all-devices', 'devices'] as const]) {
      const rows = await rowsOf(table, night);
      const reasons = new Set(rows.map((row) => row.unproven_because || 'proven'));
      expect(reasons.size).toBeGreaterThan(2);
      for (const reason of reasons) {
        await chooseFacet(page, list, 'unprovenBecause', reason);
        const fits = rows.filter((row) => (row.unproven_because || 'proven') === reason);
        expect(await readCount(page, list)).toBe(`${fits.length} of ${rows.length} devices`);
      }
      await findList(page, list).getByRole('button', { name: 'Show all' }).click();
    }
  });

  it('filters what is stale, new tonight, overdue', async () => {
    const rows = await rowsOf('not-installed', night);
    const age = (row: Row) => (Date.parse(night.slot) - Date.parse(row.not_installed_since ?? '')) / 86_400_000;
    const fits: Readonly<Record<string, (row: Row) => boolean>> = {
      stale: (row) => row.stale === 'true',
      'new in this run': (row) => age(row) === 0,
      overdue: (row) => age(row) >= 14,
    };
    await openMoreFilters(page, 'needs-action');
    for (const [name, test] of Object.entries(fits)) {
      const button = findList(page, 'needs-action').getByRole('button', { name, exact: true });
      await button.click();
      expect(await button.getAttribute('aria-pressed')).toBe('true');
      expect(await readCount(page, 'needs-action')).toBe(`${rows.filter(test).length} of ${rows.length} devices`);
      await button.click();
    }
  });

  it('sorts by a column up, down, and back to longest missing first', async () => {
    const head = findList(page, 'needs-action').locator('th[data-key=name]');
    const names = (await rowsOf('not-installed', night)).map((row) => (row.device_name ?? '').toLowerCase()).sort();
    await head.getByRole('button').click();
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    const up = (await readColumn(page, 'needs-action', 'name')).map((name) => name.toLowerCase());
    expect(up).toEqual(names.slice(0, up.length));
    await head.getByRole('button').click();
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    expect((await readColumn(page, 'needs-action', 'name'))[0]?.toLowerCase()).toBe(names.at(-1));
    await head.getByRole('button').click();
    expect(await head.getAttribute('aria-sort')).toBe('none');
    expect((await readColumn(page, 'needs-action', 'serialNumber'))[0]).toBe(
      (await rowsOf('not-installed', night))[0]?.serial_number,
    );
  });

  it('shows the columns that are chosen, and copies them as CSV', async () => {
    const rows = await rowsOf('not-installed', night);
    await findList(page, 'needs-action').locator('.columns summary').click();
    await findList(page, 'needs-action').locator('.columns').getByLabel('Device id').check();
    await findList(page, 'needs-action').locator('.columns').getByLabel('User').uncheck();
    await page.keyboard.press('Escape');
    await openFormats(findList(page, 'needs-action'));
    await findList(page, 'needs-action').getByRole('button', { name: 'Copy as CSV' }).click();
    await expect.poll(() => readCount(page, 'needs-action')).toBe(`Copied ${rows.length} rows.`);
    const [head, ...copied] = (await page.evaluate<string>('navigator.clipboard.readText()')).split('\n');
    expect(head?.split(',')).toContain('Device id');
    expect(head?.split(',')).not.toContain('User');
    expect(copied).toHaveLength(rows.length);
    expect(copied[0]).toContain(rows[0]?.device_id ?? '');
    // A download is what is shown, under the name of the list and the run; Excel's begins with a byte order mark.
    const download = async (name: string) => {
      const button = findList(page, 'needs-action').getByRole('button', { name, exact: true });
      const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
      expect(file.suggestedFilename()).toBe(`needs-action-${night.slot}.csv`);
      return readFile(await file.path(), 'utf8');
    };
    const csv = await download('Download');
    expect(csv.trimEnd().split('\n')).toEqual([head, ...copied]);
    expect(await download('Download for Excel')).toBe(`\uFEFF${csv}`);
  });

  it('shows an added column beside the name, at a width of 1,024 px in full', async () => {
    await page.setViewportSize({ width: 1024, height: 800 });
    await findList(page, 'needs-action').locator('.columns').getByLabel('OS version').check();
    const heads = findList(page, 'needs-action').locator('thead th');
    const keys = await heads.evaluateAll((all) => all.map((one) => one.getAttribute('data-key')));
    expect(keys.indexOf('osVersion')).toBe(keys.indexOf('name') + 1);
    const right = await heads
      .nth(keys.indexOf('osVersion'))
      .evaluate(
        (one) => one.getBoundingClientRect().right - (one.closest('.rows')?.getBoundingClientRect().right ?? 0),
      );
    expect(right).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('works by keyboard alone, to the card and back', async () => {
    const rows = await rowsOf('not-installed', night);
    await findList(page, 'needs-action').getByRole('button', { name: 'Download', exact: true }).focus();
    const isOnRegion = () => hasFocus(findList(page, 'needs-action').locator('.rows'));
    while (!(await isOnRegion())) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('End');
    const link = page.locator('a:focus');
    const row = page.locator('tr:has(a:focus)');
    expect(await row.innerText()).toContain(rows.at(-1)?.serial_number);
    expect(await row.evaluate((line) => line.getBoundingClientRect().bottom)).toBeLessThanOrEqual(800);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    const card = page.locator('dialog[open]');
    expect(await card.innerText()).toContain(rows.at(-2)?.serial_number);
    expect(page.url()).toContain(`#device=${rows.at(-2)?.source}/`);
    await page.keyboard.press('Escape');
    expect(await card.count()).toBe(0);
    expect(await row.innerText()).toContain(rows.at(-2)?.serial_number);
    // One row at a time is in the order of the Tab key, wherever the reader left it.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    expect(await link.innerText()).toBe(rows.at(-2)?.device_name);
    await page.keyboard.press('Home');
    await page.keyboard.press('PageDown');
    expect(await row.innerText()).toContain(rows[10]?.serial_number);
  });
});

describe('the console', () => {
  it('says nothing, and nobody was asked for anything', () => {
    expect([...visit.errors, ...visit.requests]).toEqual([]);
  });
});
