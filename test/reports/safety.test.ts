/** What the page may never do: run anybody’s text, ask anybody, leave somebody out. And how heavy it may be. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { pageReport } from '../../src/compose/parts.ts';
import type { Facts } from '../../src/core/facts/facts.ts';
import { toReadableText } from '../../src/core/text/visible-text.ts';
import { script, style } from '../../src/reports/page/assets.ts';
import { computeCspHash } from '../../src/reports/page/page.ts';
import { listen } from '../http/loopback.ts';
import { waitLimit } from '../limits.ts';
import { hasBrowser } from '../needs.ts';
import type { Visit } from './browser.ts';
import { bytesOf, rowsOf } from './csv.ts';
import { quarter } from './example-nights.ts';
import { nightOf } from './fleet.ts';
import { hostileNight } from './hostile-fleet.ts';
import { hostileNames } from './names.ts';
import { openFormats } from './read-page.ts';
import { useViewer } from './use-viewer.ts';

const { getViewer, open, visit: visitFile } = useViewer();
const openAll = `for (const one of document.querySelectorAll('details')) { one.open = true; }`;

describe('the policy', () => {
  let text: string;
  beforeAll(async () => {
    text = (await bytesOf(pageReport, nightOf({ devices: 30, nights: 2 }))).toString('utf8');
  });

  it('is the first element of the head, and names script and style by hashes that are theirs', () => {
    const [, policy = ''] =
      /^<!doctype html>\s*<html lang="en">\s*<head>\s*<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(
        text,
      ) ?? [];
    const scripts = [...text.matchAll(/<script type="module">([\s\S]*?)<\/script>/g)].map(([, body]) =>
      computeCspHash(body ?? ''),
    );
    const styles = [...text.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, body]) => computeCspHash(body ?? ''));
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src '${scripts[0]}'`,
      `style-src '${styles[0]}'`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect([scripts.length, styles.length]).toEqual([1, 1]);
  });

  it('has nothing to forbid: no address outside, no handler, no style in an element', () => {
    const markup = text.replace(/<(script|style)[\s\S]*?<\/\1>/g, '');
    expect(markup).not.toMatch(/\s(on\w+|style|src|srcset)=/);
    const addresses = [...markup.matchAll(/\shref="([^"]*)"/g)].map(([, address = '']) => address);
    expect(addresses.filter((address) => !/^(#[\w-]*|data:,|[a-z-]+\.(xlsx|json|csv|ndjson))$/.test(address))).toEqual(
      [],
    );
    expect(markup).toContain('<meta name="referrer" content="no-referrer">');
    expect(`${script}${style}`).not.toMatch(/https?:|url\(|@import|<\/|<!--|innerHTML|eval\(/);
  });
});

describe('hostile names', () => {
  const night = hostileNight();
  let visit: Visit;
  beforeAll(async () => {
    if (hasBrowser) {
      const permissions = ['clipboard-read', 'clipboard-write'];
      visit = await getViewer().visit(await getViewer().write(night, 'hostile.html'), { bypassCSP: true, permissions });
    }
  });

  it.each([true, false])(
    'with the policy %s are shown literally: nothing runs, nothing is asked for, nothing breaks [N5]',
    async (isGuarded) => {
      const visit = await open(night, { bypassCSP: !isGuarded });
      const { page } = visit;
      const ran: string[] = [];
      await page.exposeFunction('canary', () => ran.push('canary'));
      await page.evaluate(openAll);
      for (const name of ['needs-action', 'changes', 'excluded']) {
        const list = page.locator(`[data-list=${name}]`);
        const table = list.locator('table');
        expect(await table.isVisible(), name).toBe(true);
        const keys = await table
          .locator('th')
          .evaluateAll((heads) => heads.map((head) => head.getAttribute('data-key')));
        const names = table.locator(`tbody td:nth-child(${keys.indexOf('name') + 1})`);
        const shown = new Set(await names.evaluateAll((cells) => cells.map((cell) => cell.textContent ?? '')));
        expect(await names.count()).toBe(Number(await table.getAttribute('aria-rowcount')) - 1);
        const rows = night.devices.filter(
          (device) => device.judgement.counted && device.judgement.status === 'Not Installed',
        );
        if (name === 'needs-action') {
          expect([...shown].sort()).toEqual(
            [...new Set(rows.map((row) => toReadableText(row.facts.name ?? '')))].sort(),
          );
        }
        expect([...shown].filter((text) => !hostileNames.map(toReadableText).includes(text))).toEqual([]);
        const heights = await table
          .locator('tbody tr')
          .evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
        expect(new Set(heights).size).toBe(1);
      }
      const machines = night.lists.expected?.unenrolled ?? [];
      expect(machines.length).toBeGreaterThan(20);
      const listed = page.locator('[data-list=unenrolled] table');
      expect(await listed.getAttribute('aria-rowcount')).toBe(String(machines.length + 1));
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1280);
      expect([...ran, ...visit.requests]).toEqual([]);
      expect(visit.errors).toEqual([]);
    },
  );

  it('are copied as CSV that no spreadsheet takes for a formula, a row or a column', async () => {
    const list = visit.page.locator('[data-list=needs-action]');
    await openFormats(list);
    await list.getByRole('button', { name: 'Copy as CSV' }).click();
    const rows = await rowsOf('not-installed', night);
    await expect.poll(() => list.locator('[role=status]').innerText()).toBe(`Copied ${rows.length} rows.`);
    const [head = [], ...copied] = parse(await visit.page.evaluate<string>('navigator.clipboard.readText()'), {});
    const place = head.indexOf('Serial number');
    // A clipboard is text for people; like the CSV files, it holds no lone surrogate.
    expect(copied.map((cells) => cells[place]?.toWellFormed())).toEqual(rows.map((row) => row.serial_number));
  });

  it('are isolated wherever they stand, also on the card and in the agent’s name [N6]', async () => {
    const { page } = visit;
    expect(await page.locator('body').textContent()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(await page.locator('h1 bdi').textContent()).toBe('<b>Agent</b> “&”');
    const bare = await page.evaluate<string[]>(`[...document.querySelectorAll('td, th, dd, h1, h2')]
      .filter((cell) => /[\\u202e\\u2066-\\u2069\\u05d0-\\u064a]/.test(cell.textContent))
      .filter((cell) => ![...cell.querySelectorAll('bdi')].some((one) => getComputedStyle(one).unicodeBidi === 'isolate'))
      .map((cell) => cell.outerHTML)`);
    expect(bare).toEqual([]);
    const long = night.devices.findIndex(
      (device) => device.facts.name?.length === 65_536 && device.judgement.status === 'Not Installed',
    );
    const turned = night.devices.find(
      (device) => device.facts.name === 'MAC-\u202egnp.exe' && !device.judgement.counted === false,
    );
    for (const device of [night.devices[long], turned]) {
      if (device === undefined) {
        throw new Error('the night lacks a device that is looked for');
      }
      await page.evaluate(
        `location.hash = ${JSON.stringify(`device=${encodeURIComponent(device.source)}/${encodeURIComponent(device.facts.id)}`)}`,
      );
      await page.locator('dialog[open]').waitFor();
      expect(await page.locator('#card-title bdi').textContent()).toBe(toReadableText(device.facts.name ?? ''));
      expect(await page.locator('dialog').evaluate((card) => card.scrollWidth <= card.clientWidth)).toBe(true);
      await page.keyboard.press('Escape');
    }
    expect([...visit.errors, ...visit.requests]).toEqual([]);
  });
});

describe('from a link', () => {
  it('works over plain HTTP, and asks the server for nothing but itself', async () => {
    const bytes = await bytesOf(pageReport, quarter(120, 5));
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(200, { 'content-type': 'text/html' }).end(bytes);
    });
    const { origin, close } = await listen(server);
    const page = await getViewer().browser.newPage();
    page.setDefaultTimeout(waitLimit);
    await page.goto(`${origin}/latest/index.html`);
    await page.waitForSelector('html[data-ready]');
    expect(await page.locator('[data-list=needs-action] tbody tr').count()).toBeGreaterThan(0);
    await page.close();
    await close();
    expect(asked).toEqual(['/latest/index.html']);
  });
});

describe('size', () => {
  it('is under 0.71 MB for 10,000 devices with random ids of which 5 in a hundred need action', async () => {
    const withRandomIds = (facts: Facts) => ({
      ...facts,
      sources: facts.sources.map((source) => ({
        ...source,
        groups: [],
        devices: source.devices.map((device) => ({ ...device, id: randomUUID() })),
      })),
    });
    const night = nightOf({ devices: 10_000, missing: 5, nights: 1, happens: withRandomIds });
    // `bench/page.ts` has a hundred thousand.
    expect((await bytesOf(pageReport, night)).length).toBeLessThan(710_000);
  });

  it('is under 1 MB when all 10,000 devices need action, and the page can be used', async () => {
    const night = nightOf({ devices: 10_000, missing: 100, nights: 1 });
    const file = await getViewer().write(night, 'large.html');
    expect((await readFile(file)).length).toBeLessThan(1_000_000);
    const rows = await rowsOf('not-installed', night);
    expect(rows.length).toBeGreaterThan(9_500);
    const visit = await visitFile(file);
    const list = visit.page.locator('[data-list=needs-action]');
    const lines = list.locator('tbody tr');
    expect(await list.locator('table').getAttribute('aria-rowcount')).toBe(String(rows.length + 1));
    expect(await lines.count()).toBe(200);
    await list.getByRole('button', { name: 'Show 200 more' }).click();
    expect(await lines.count()).toBe(400);
    expect(await list.locator('tr:has(a:focus)').innerText()).toContain(rows[200]?.serial_number);
    await visit.page.keyboard.press('End');
    await visit.page.keyboard.press('ArrowDown');
    expect(await list.locator('tr:has(a:focus)').innerText()).toContain(rows[400]?.serial_number);
    await list.getByLabel('Search').fill(rows[7_321]?.serial_number ?? '');
    await expect.poll(() => list.locator('[role=status]').innerText()).toMatch(/^1 of /);
    expect(await lines.innerText()).toContain(rows[7_321]?.device_name);
    expect([...visit.errors, ...visit.requests]).toEqual([]);
  });
});
