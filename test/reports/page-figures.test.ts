/** The figures of the page: the first screen, the breakdown, its mails and the trend, each as its table has it. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Night } from '../../src/core/facts/judged.ts';
import { hasBrowser } from '../needs.ts';
import type { Visit } from './browser.ts';
import { type Row, rowsOf } from './csv.ts';
import { badNight, emptyFleet } from './example-nights.ts';
import { openQuarterPage } from './quarter-page.ts';
import { findList, readMail, readNumber, readText } from './read-page.ts';
import { useViewer } from './use-viewer.ts';

const { getViewer, open } = useViewer();
let night: Night;
let file: string;
let visit: Visit;
let page: Page;

beforeAll(async () => {
  if (hasBrowser) {
    ({ night, file, visit, page } = await openQuarterPage(getViewer()));
  }
});

const sourceLine = (source: string) => page.locator('#data-quality .sources tbody tr', { hasText: source });

describe('the first screen', () => {
  it('says the numbers of coverage.csv', async () => {
    const all = (await rowsOf('coverage', night)).at(-1) as Row;
    expect(await readText(page, '#coverage')).toBe(all.coverage);
    expect(await readText(page, '#coverage-low')).toBe(all.coverage_low);
    expect(await readText(page, '#coverage-high')).toBe(all.coverage_high);
    expect(await readNumber(page, '#counted')).toBe(Number(all.counted));
    expect(await readNumber(page, '#devices')).toBe(Number(all.devices));
    expect(await readNumber(page, '#needs-action-count')).toBe(Number(all.not_installed));
    expect(await readNumber(page, '#stale')).toBe(Number(all.stale));
    for (const flow of ['lost', 'recovered', 'joined', 'left']) {
      expect(await readText(page, `#${flow}`)).toBe(`${all[flow]} ${flow}`);
    }
  });

  it('says how many are overdue, and what to do first for most of them', async () => {
    const rows = await rowsOf('not-installed', night);
    const overdue = rows.filter(
      (row) => Date.parse(night.slot) - Date.parse(row.not_installed_since ?? '') >= 14 * 86_400_000,
    );
    expect(await readText(page, '#overdue')).toBe(`${overdue.length} overdue`);
    const alike = Map.groupBy(rows, (row) => `${row.source} ${row.reason}`);
    const most = Math.max(...[...alike.values()].map(({ length }) => length));
    expect(await readText(page, '#first-step dd')).toMatch(
      new RegExp(`^${most} of ${rows.length} \\(.+\\), worth \\d+\\.\\d\\d points\\. .+\\.\\s*$`),
    );
  });

  it('has a line for each source with its receipt', async () => {
    for (const row of (await rowsOf('coverage', night)).slice(0, -1)) {
      const line = await sourceLine(row.source ?? '').innerText();
      const receipt = night.sources.find(({ name }) => name === row.source)?.receipt;
      expect(line).toContain(`${receipt?.received} of ${receipt?.claimed}`);
      expect(line).toContain(`${row.coverage_low} – ${row.coverage_high}`);
      expect(line.split(/\s+/)).toContain(row.coverage);
      expect(line.split(/\s+/)).toContain(row.not_installed);
      expect(line).toMatch(/\d+ of \d+ values/);
    }
    expect(await sourceLine('macs').innerText()).toContain('changed on 2026-11-11');
  });

  it.each<[string, () => Night, readonly string[]]>([
    ['a sound night', () => night, ['Complete and sound: every source answered in full']],
    [
      'a bad night',
      () => badNight(200),
      [
        'macs answered in full, but none of its answers is proof: the detection method is not sound.',
        'the attribute “Agent Status” is disabled',
        'windows did not answer in full; its last known answers, of 2026-11-19, are shown.',
        'Microsoft Graph says that it has',
      ],
    ],
    ['an empty fleet', emptyFleet, ['Accepted by Ada']],
  ])('needs no scrolling on %s, and says whether it is complete and sound, and why not', async (_, make, sentences) => {
    const other = await open(make());
    const bottom = await other.page.locator('#overview').evaluate((section) => section.getBoundingClientRect().bottom);
    expect(bottom).toBeLessThanOrEqual(800);
    expect(await other.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1280);
    expect([...other.errors, ...other.requests]).toEqual([]);
    const verdict = await other.page.locator('#verdict').innerText();
    expect(sentences.filter((sentence) => !verdict.includes(sentence))).toEqual([]);
  });

  it('shows times in the reader’s zone, which it names, and UTC on hover', async () => {
    const time = page.locator('.title time');
    expect(await time.innerText()).toBe('20 Nov 2026, 06:15 CET');
    expect(await time.getAttribute('title')).toBe('2026-11-20 05:15:00 UTC');
  });
});

describe('every figure', () => {
  it('of the breakdown is that of coverage-by.csv, field by field', async () => {
    const rows = await rowsOf('coverage-by', night);
    const options = await findList(page, 'breakdown')
      .locator('select option')
      .evaluateAll((all) => all.map((one) => one.getAttribute('value')));
    expect(options).toEqual(['source', 'platform', 'reason', 'model', 'os_version', 'user']);
    for (const field of options.slice(0, -1)) {
      await findList(page, 'breakdown').locator('select').selectOption(field);
      const shown = await findList(page, 'breakdown')
        .locator('tbody tr')
        .evaluateAll((lines) => lines.map((line) => [...line.children].slice(0, -1).map((cell) => cell.textContent)));
      const named = (value = '') =>
        ({ macos: 'macOS', windows: 'Windows' })[field === 'platform' ? value : ''] ?? value;
      const expected = rows
        .filter((row) => row.field === field)
        .map((row) => [
          named(row.value),
          ...[
            row.devices,
            row.counted,
            row.installed,
            row.not_installed,
            row.proven_installed,
            row.proven_not_installed,
          ],
          row.coverage === '' ? '–' : row.coverage,
          row.coverage === '' ? '–' : `${row.coverage_low} – ${row.coverage_high}`,
        ]);
      expect(shown.map((cells) => cells.join('|')).sort()).toEqual(expected.map((cells) => cells.join('|')).sort());
    }
  });

  it('of a mail is that of its devices, longest first: a long list names what fits, of how many', async () => {
    const address = await readMail(page, 'user');
    const user = await findList(page, 'breakdown').locator('tbody tr th').first().innerText();
    expect(address).toMatch(new RegExp(`^mailto:${user}\\?subject=`));
    const own = (await rowsOf('not-installed', night)).filter((row) => row.user === user);
    for (const row of own) {
      expect(address).toContain(
        `${row.serial_number}, ${user}, Not Installed since at least ${row.not_installed_since}`,
      );
    }
    expect(address).toMatch(new RegExp(`${own.length} of ${own.length} devices? that needs? action by the run of `));
    const long = await readMail(page, 'platform');
    const platform = await findList(page, 'breakdown').locator('tbody tr th').first().innerText();
    const rows = (await rowsOf('not-installed', night)).filter((row) => row.platform === platform.toLowerCase());
    const named = [...long.matchAll(/^- (?:[^,\n]+, )?(\w+), .*Not Installed since at least ([\d-]+)/gm)];
    expect(named.length).toBeGreaterThan(5);
    expect(named.map(([, serial]) => serial)).toEqual(rows.slice(0, named.length).map((row) => row.serial_number));
    expect(long).toContain(`${named.length} of ${rows.length} devices that need action`);
    expect(long).toMatch(/\n\n\d+ devices?: \D+\. \w/);
    expect(long.endsWith(`\n… and ${rows.length - named.length} more\n`)).toBe(true);
    // A file of this machine opens nowhere else.
    expect(long).not.toMatch(/\w+\.(?:csv|html)|:\/\/|complete list/);
    expect(encodeURI(long).length).toBeLessThanOrEqual(2_000);
  });

  it.each([
    ['links the complete list where the page has an address', '', true],
    ['links nothing where the address may hold a signature', '?X-Amz-Signature=canary', false],
  ])('of a mail %s', async (_, search, isLinked) => {
    const context = await getViewer().browser.newContext();
    const shared = await context.newPage();
    await shared.route('**/*', async (route) => route.fulfill({ path: file, contentType: 'text/html' }));
    await shared.goto(`https://reports.example.com/index.html${search}#breakdown`);
    await shared.waitForSelector('html[data-ready]');
    const mail = await readMail(shared, 'platform');
    await context.close();
    const link = 'https://reports.example.com/index.html#at=needs-action&needs-action.platform=';
    expect(mail.includes(`\nThe complete list: ${link}`)).toBe(isLinked);
    expect(mail.endsWith(' more, in the complete list\n')).toBe(isLinked);
    expect(mail).not.toContain('canary');
    expect(encodeURI(mail).length).toBeLessThanOrEqual(2_000);
  });
});

describe('the console', () => {
  it('says nothing, and nobody was asked for anything', () => {
    expect([...visit.errors, ...visit.requests]).toEqual([]);
  });
});
