/** The lists of the page have the rows of the tables that they are made of. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Night } from '../../src/core/facts/judged.ts';
import { hasBrowser } from '../needs.ts';
import type { Visit } from './browser.ts';
import { type Row, rowsOf } from './csv.ts';
import { openQuarterPage } from './quarter-page.ts';
import { chooseFacet, findList, openFormats, readColumn, readCount } from './read-page.ts';
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

describe('every list', () => {
  it('has the rows of its table, with every column', async () => {
    const devices = await rowsOf('devices', night);
    const lists: Readonly<Record<string, readonly Row[]>> = {
      'all-devices': devices,
      'needs-action': await rowsOf('not-installed', night),
      excluded: devices.filter((row) => row.counted === 'false'),
    };
    const columns = {
      Name: 'device_name',
      'Serial number': 'serial_number',
      Source: 'source',
      'Device id': 'device_id',
      Status: 'status',
      Reason: 'reason',
      User: 'user',
      Model: 'model',
      'OS version': 'os_version',
      'Not counted because': 'excluded_because',
    };
    for (const [name, rows] of Object.entries(lists)) {
      await page.evaluate(`location.hash = '#at=${name}&${name}.q='`);
      const boxes = findList(page, name).locator('.columns');
      await boxes.locator('summary').click();
      await boxes.evaluate((one, titles) => {
        for (const label of one.querySelectorAll('label')) {
          const box = label.querySelector('input');
          if (titles.includes(label.textContent?.trim() ?? '') && box?.checked === false) {
            box.click();
          }
        }
      }, Object.keys(columns));
      await page.keyboard.press('Escape');
      await openFormats(findList(page, name));
      await findList(page, name).getByRole('button', { name: 'Copy as table' }).click();
      await expect
        .poll(() => readCount(page, name))
        .toBe(`Copied ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}.`);
      const lines = (await page.evaluate<string>('navigator.clipboard.readText()'))
        .split('\n')
        .map((line) => line.split('\t'));
      const [head = [], ...shown] = lines;
      const wanted = Object.entries(columns).map(([title, column]) => [head.indexOf(title), column] as const);
      const sorted = (all: readonly (readonly string[])[]) => all.map((cells) => cells.join('\t')).sort();
      expect(sorted(shown.map((cells) => wanted.map(([place]) => cells[place] ?? '')))).toEqual(
        sorted(rows.map((row) => wanted.map(([, column]) => row[column] ?? ''))),
      );
    }
  });
});

it('all devices are filtered by not seen recently', async () => {
  await page.evaluate("location.hash = '#at=all-devices&all-devices.on=not-seen-recently'");
  const rows = (await rowsOf('devices', night)).filter(
    (row) => row.counted === 'true' && row.status === 'Installed' && row.stale === 'true',
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(await readColumn(page, 'all-devices', 'name')).toEqual(rows.map((row) => row.device_name));
  await page.evaluate("location.hash = '#at=all-devices&all-devices.q='");
});

it('every list has at most six filters, and the others below More', async () => {
  const counts = await page.locator('[data-list] .tools').evaluateAll((all) =>
    all.map((tools) => {
      const filters = [...tools.querySelectorAll('select, [data-toggle]')];
      return filters.filter((one) => one.closest('details.more') === null).length;
    }),
  );
  expect(Math.max(...counts)).toBeLessThanOrEqual(6);
  expect(await page.locator('[data-list=all-devices] details.more summary').innerText()).toBe('More');
});

describe('the other lists', () => {
  it('has every member of each group of groups.csv, and its differences with why', async () => {
    const rows = await rowsOf('groups', night);
    for (const line of await findList(page, 'groups').locator('.choices tbody tr').all()) {
      const [group, source = ''] = await line.locator('th, td').allTextContents();
      const members = rows.filter((row) => row.group === group && source.startsWith(`${row.source} `));
      const figures = (await line.locator('td.figure').allTextContents()).map((text) =>
        Number(text.replaceAll(',', '')),
      );
      const count = (test: (row: Row) => boolean) => members.filter(test).length;
      expect(figures).toEqual([
        count((row) => row.in_picture === 'true'),
        count((row) => row.change === 'joined'),
        count((row) => row.change === 'left'),
        count((row) => row.verdict === 'missing' || row.verdict === 'unexpected'),
      ]);
      await line.getByRole('button').click();
      expect(await readCount(page, 'groups')).toBe(`${members.length} of ${members.length} rows`);
    }
    await findList(page, 'groups').getByRole('button', { name: 'Show: macs, Agent Installed' }).click();
    const missing = rows.filter((row) => row.group === 'Agent Installed' && row.verdict === 'missing');
    await chooseFacet(page, 'groups', 'verdict', 'missing');
    expect(await readColumn(page, 'groups', 'why')).toEqual(missing.map((row) => row.why));
  });

  it('has the rows of exemptions.csv, whose numbers are links', async () => {
    const exemptions = await rowsOf('exemptions', night);
    expect(await readColumn(page, 'exemptions', 'result')).toEqual(exemptions.map((row) => row.result));
    expect(await readColumn(page, 'exemptions', 'owner')).toEqual(exemptions.map((row) => row.owner));
    const links = findList(page, 'exemptions').locator('a[data-rows]');
    expect(await links.allTextContents()).toEqual(exemptions.map((row) => row.devices));
  });

  it('has the rows of deployment.csv that were checked, those that need action first', async () => {
    const rows = (await rowsOf('deployment', night)).filter(({ result }) => result !== 'not-checked');
    const urgency = ['fail', 'unknown', 'pass'];
    rows.sort((left, right) => urgency.indexOf(left.result ?? '') - urgency.indexOf(right.result ?? ''));
    const shown = await page
      .locator('.checks tbody tr')
      .evaluateAll((lines) =>
        lines.map((line) => [...line.querySelectorAll('bdi, .word')].map((part) => part.textContent)),
      );
    expect(shown).toEqual(rows.map((row) => [row.source, row.check, row.result, row.expected, row.found, row.advice]));
  });
});

describe('the console', () => {
  it('says nothing, and nobody was asked for anything', () => {
    expect([...visit.errors, ...visit.requests]).toEqual([]);
  });
});
