/** The page, used as a person uses it, in a real browser: pointer, keyboard, paper, dark. */

import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Night } from '../../src/core/facts/judged.ts';
import { listTransitions } from '../../src/core/ledger/letters.ts';
import { at, judgeOnce, makeMac, makePc, makeSource } from '../core/make-facts.ts';
import { hasBrowser } from '../needs.ts';
import type { Visit } from './browser.ts';
import { type Row, rowsOf } from './csv.ts';
import { badNight, emptyFleet, quarter } from './example-nights.ts';
import { useViewer } from './use-viewer.ts';

const { getViewer, open, visit: visitFile } = useViewer();
let night: Night;
let file: string;
let visit: Visit;
let page: Page;

beforeAll(async () => {
  if (hasBrowser) {
    night = quarter(450, 20);
    file = await getViewer().write(night, 'index.html');
    visit = await getViewer().visit(file, { permissions: ['clipboard-read', 'clipboard-write'] });
    ({ page } = visit);
    await page.evaluate(openSections);
  }
});

const openSections = `for (const one of document.querySelectorAll('section > details, #data-quality details')) one.open = true;`;

const textOf = async (selector: string) => (await page.locator(selector).first().textContent()) ?? '';
const numberOf = async (selector: string) => Number((await textOf(selector)).replaceAll(',', ''));
const list = (name: string) => page.locator(`[data-list=${name}]`);
const countOf = async (name: string) => (await list(name).locator('[role=status]').innerText()).replaceAll(',', '');
const column = async (name: string, key: string) => {
  const heads = await list(name)
    .locator('.status ~ div th')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-key')));
  return list(name)
    .locator(`.status ~ div tbody td:nth-child(${heads.indexOf(key) + 1})`)
    .allTextContents();
};
const choose = async (name: string, facet: string, word: string) => {
  const box = list(name).locator(`select[data-facet=${facet}]`);
  const options = await box.locator('option').allInnerTexts();
  await box.selectOption({ index: options.findIndex((text) => text.startsWith(`${word} (`)) });
};
/** The mail of the first row of the breakdown, decoded. */
const readMail = async (at: Page, field: string) => {
  const breakdown = at.locator('[data-list=breakdown]');
  await breakdown.locator('select').selectOption(field);
  const link = breakdown.locator('tbody tr').first().locator('a').last();
  // A mail program would take the browser away from the page.
  await link.evaluate((one) => one.addEventListener('click', (event: Event) => event.preventDefault()));
  await link.click();
  return decodeURIComponent((await link.getAttribute('href')) ?? '');
};
const sourceLine = (source: string) => page.locator('.sources tbody tr', { hasText: source });
const hasFocus = (part: Locator) => part.evaluate((one) => one.matches(':focus'));
const listNeedsAction = async () => rowsOf('not-installed', night);

describe('the first screen', () => {
  it('says the numbers of coverage.csv', async () => {
    const all = (await rowsOf('coverage', night)).at(-1) as Row;
    expect(await textOf('#coverage')).toBe(all.coverage);
    expect(await textOf('#coverage-low')).toBe(all.coverage_low);
    expect(await textOf('#coverage-high')).toBe(all.coverage_high);
    expect(await numberOf('#counted')).toBe(Number(all.counted));
    expect(await numberOf('#devices')).toBe(Number(all.devices));
    expect(await numberOf('#needs-action-count')).toBe(Number(all.not_installed));
    expect(await numberOf('#stale')).toBe(Number(all.stale));
    for (const flow of ['lost', 'recovered', 'joined', 'left']) {
      expect(await numberOf(`#${flow}`)).toBe(Number(all[flow]));
    }
  });

  it('says how many are overdue, and what to do first for most of them', async () => {
    const rows = await listNeedsAction();
    const overdue = rows.filter(
      (row) => Date.parse(night.slot) - Date.parse(row.not_installed_since ?? '') >= 14 * 86_400_000,
    );
    expect(await textOf('#overdue')).toBe(`${overdue.length} overdue`);
    const alike = Map.groupBy(rows, (row) => `${row.source} ${row.reason}`);
    const most = Math.max(...[...alike.values()].map(({ length }) => length));
    expect(await textOf('.first')).toMatch(
      new RegExp(`^Do first: ${most} of ${rows.length} \\(.+\\), worth \\d+\\.\\d\\d points\\. .+\\.$`),
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
        'macs was measured with an instrument that is not what it should be',
        'the attribute “Agent Status” is disabled',
        'windows did not answer in full; its answers of 2026-11-19 are shown.',
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

describe('the devices that need action', () => {
  it('finds by any word of a device, and says when nothing fits', async () => {
    const rows = await listNeedsAction();
    const search = list('needs-action').getByLabel('Search');
    const [sought] = rows.slice(-1) as [Row];
    await search.fill(`${sought.serial_number?.toLowerCase()} ${sought.user?.slice(0, 5)}`);
    expect(await countOf('needs-action')).toBe(`1 of ${rows.length} devices`);
    expect(await column('needs-action', 'name')).toEqual([sought.device_name]);
    await search.fill('nobody has this name');
    expect(await list('needs-action').innerText()).toContain('No device matches.');
    await list('needs-action').getByRole('button', { name: 'Show all' }).click();
    expect(await countOf('needs-action')).toBe(`${rows.length} of ${rows.length} devices`);
  });

  it('filters by platform, reason and proof', async () => {
    const rows = await listNeedsAction();
    await choose('needs-action', 'platform', 'Windows');
    expect(await countOf('needs-action')).toBe(
      `${rows.filter((row) => row.platform === 'windows').length} of ${rows.length} devices`,
    );
    await choose('needs-action', 'reason', 'never-reported');
    const fits = rows.filter((row) => row.platform === 'windows' && row.reason === 'never-reported');
    expect(await countOf('needs-action')).toBe(`${fits.length} of ${rows.length} devices`);
    await choose('needs-action', 'proven', 'proven');
    expect(await countOf('needs-action')).toBe(
      `${fits.filter((row) => row.proven === 'true').length} of ${rows.length} devices`,
    );
    await list('needs-action').getByRole('button', { name: 'Show all' }).click();
  });

  it('filters what is stale, new tonight, overdue', async () => {
    const rows = await listNeedsAction();
    const age = (row: Row) => (Date.parse(night.slot) - Date.parse(row.not_installed_since ?? '')) / 86_400_000;
    const fits: Readonly<Record<string, (row: Row) => boolean>> = {
      stale: (row) => row.stale === 'true',
      'new in this run': (row) => age(row) === 0,
      overdue: (row) => age(row) >= 14,
    };
    for (const [name, test] of Object.entries(fits)) {
      const button = list('needs-action').getByRole('button', { name, exact: true });
      await button.click();
      expect(await button.getAttribute('aria-pressed')).toBe('true');
      expect(await countOf('needs-action')).toBe(`${rows.filter(test).length} of ${rows.length} devices`);
      await button.click();
    }
  });

  it('sorts by a column up, down, and back to longest missing first', async () => {
    const head = list('needs-action').locator('th[data-key=name]');
    const names = (await listNeedsAction()).map((row) => (row.device_name ?? '').toLowerCase()).sort();
    await head.getByRole('button').click();
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    const up = (await column('needs-action', 'name')).map((name) => name.toLowerCase());
    expect(up).toEqual(names.slice(0, up.length));
    await head.getByRole('button').click();
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    expect((await column('needs-action', 'name'))[0]?.toLowerCase()).toBe(names.at(-1));
    await head.getByRole('button').click();
    expect(await head.getAttribute('aria-sort')).toBe('none');
    expect((await column('needs-action', 'serialNumber'))[0]).toBe((await listNeedsAction())[0]?.serial_number);
  });

  it('shows the columns that are chosen, and copies them as CSV', async () => {
    const rows = await listNeedsAction();
    await list('needs-action').locator('.columns summary').click();
    await list('needs-action').locator('.columns').getByLabel('Device id').check();
    await list('needs-action').locator('.columns').getByLabel('User').uncheck();
    await page.keyboard.press('Escape');
    await list('needs-action').getByRole('button', { name: 'Copy as CSV' }).click();
    await expect.poll(() => countOf('needs-action')).toBe(`Copied ${rows.length} rows.`);
    const [head, ...copied] = (await page.evaluate<string>('navigator.clipboard.readText()')).split('\n');
    expect(head?.split(',')).toContain('Device id');
    expect(head?.split(',')).not.toContain('User');
    expect(copied).toHaveLength(rows.length);
    expect(copied[0]).toContain(rows[0]?.device_id ?? '');
    // A download is what is shown, under the name of the list and the run.
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      list('needs-action').getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`needs-action-${night.slot}.csv`);
    expect((await readFile(await download.path(), 'utf8')).trimEnd().split('\n')).toEqual([head, ...copied]);
  });

  it('works by keyboard alone, to the card and back', async () => {
    const rows = await listNeedsAction();
    await list('needs-action').getByRole('button', { name: 'Download' }).focus();
    const isOnRegion = () => hasFocus(list('needs-action').locator('.rows'));
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

describe('the other lists', () => {
  it('has the rows of changes.csv, those that lost the agent first', async () => {
    const order = [
      'lost',
      'new-not-installed',
      'removed',
      'excluded',
      'recovered',
      'new-installed',
      'included',
      'moved',
    ];
    const place = ({ change }: Row) => order.indexOf(change ?? '');
    const rows = (await rowsOf('changes', night)).toSorted((left, right) => place(left) - place(right));
    expect(rows.length).toBeGreaterThan(0);
    expect(await countOf('changes')).toBe(`${rows.length} of ${rows.length} rows`);
    expect(await column('changes', 'change')).toEqual(rows.map((row) => row.change));
    expect(await column('changes', 'name')).toEqual(rows.map((row) => row.device_name));
    expect(await column('changes', 'reason')).toEqual(rows.map((row) => row.reason));
  });

  it('compares any two of the last runs: their figures, and each device that differs', async () => {
    const [from, to] = [night.state.history.at(-9)?.slot ?? '', night.slot];
    await page.evaluate(`location.hash = 'at=compare&compare.from=${from}&compare.to=${to}'`);
    const rows = page.locator('[data-list=compare] .compared tbody tr');
    await expect.poll(() => rows.first().innerText()).toContain(' %');
    const old = night.state.history.at(-9)?.coverage.at(-1);
    expect(await rows.nth(4).innerText()).toBe(
      `Needs action\t${old?.notInstalled}\t${night.coverage.at(-1)?.notInstalled}`,
    );
    // Before + came − went = after, each machine once.
    const [before, after] = await Promise.all(['before', 'after'].map((key) => column('compare', key)));
    const changes = await column('compare', 'change');
    expect(changes.length).toBeGreaterThan(5);
    const serialNumbers = await column('compare', 'serialNumber');
    const machines = serialNumbers.map((serial, at) => ({ serial, before: before?.[at], after: after?.[at] }));
    const once = [...new Map(machines.map((one) => [one.serial, one])).values()];
    const isIn = (text = '') => /^(Not )?Installed(, not proven)?$/.test(text);
    const came = once.filter((one) => !isIn(one.before) && isIn(one.after)).length;
    const went = once.filter((one) => isIn(one.before) && !isIn(one.after)).length;
    expect((old?.counted ?? 0) + came - went).toBe(night.coverage.at(-1)?.counted);
    const why = await page.locator('[data-list=compare] .why').innerText();
    expect(why).toMatch(new RegExp(`^[0-9.]+ %, (up|down) [0-9.]+ points? since ${from}: .*\\.$`));
    expect(why).not.toContain('not explained');
  });

  it('has every member of each group of groups.csv, and its differences with why', async () => {
    const rows = await rowsOf('groups', night);
    for (const line of await list('groups').locator('.choices tbody tr').all()) {
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
      expect(await countOf('groups')).toBe(`${members.length} of ${members.length} rows`);
    }
    await list('groups').getByRole('button', { name: 'Show: macs, Agent Installed' }).click();
    const missing = rows.filter((row) => row.group === 'Agent Installed' && row.verdict === 'missing');
    await choose('groups', 'verdict', 'missing');
    expect(await column('groups', 'why')).toEqual(missing.map((row) => row.why));
  });

  it('has the rows of exemptions.csv, whose numbers are links', async () => {
    const exemptions = await rowsOf('exemptions', night);
    expect(await column('exemptions', 'result')).toEqual(exemptions.map((row) => row.result));
    expect(await column('exemptions', 'owner')).toEqual(exemptions.map((row) => row.owner));
    const links = list('exemptions').locator('a[data-rows]');
    expect(await links.allTextContents()).toEqual(exemptions.map((row) => row.devices));
  });

  it('has the rows of deployment.csv, those that need action first', async () => {
    const rows = await rowsOf('deployment', night);
    const urgency = ['fail', 'unknown', 'not-checked', 'pass'];
    rows.sort((left, right) => urgency.indexOf(left.result ?? '') - urgency.indexOf(right.result ?? ''));
    const shown = await page
      .locator('.checks tbody tr')
      .evaluateAll((lines) =>
        lines.map((line) => [...line.querySelectorAll('bdi, .word')].map((part) => part.textContent)),
      );
    expect(shown).toEqual(rows.map((row) => [row.source, row.check, row.result, row.expected, row.found, row.advice]));
  });
});

describe('the search', () => {
  const field = () => page.locator('#find-field');
  const options = () => page.locator('#find-results [role=option]').allInnerTexts();
  const rowsOfDevices = () => rowsOf('devices', night);

  it('finds every device by name, serial number, user and id', async () => {
    const rows = await rowsOfDevices();
    const healthy = rows.find((row) => row.proven === 'true' && row.status === 'Installed') as Row;
    for (const text of [healthy.device_name, healthy.serial_number?.toLowerCase(), healthy.user, healthy.device_id]) {
      await field().fill(text ?? '');
      expect((await options()).join('\n')).toContain(healthy.serial_number);
    }
    await field().fill(healthy.serial_number ?? '');
    const [first = ''] = await options();
    expect(first).toMatch(/Installed, proven, last seen \d+ \w+ 2026, \d\d:\d\d CES?T\./);
  });

  it('folds accents, quotes and case', async () => {
    const row = (await rowsOfDevices()).find(({ device_name }) => device_name?.startsWith('Dario’s')) as Row;
    await field().fill(`DÁRIO's ${row.serial_number}`);
    expect(await options()).toHaveLength(1);
  });

  it('says why a device is not counted, and that one is not there', async () => {
    const row = (await rowsOfDevices()).find(({ excluded_because }) => excluded_because === 'unmanaged') as Row;
    await field().fill(row.serial_number ?? '');
    expect((await options()).join()).toMatch(
      /Not counted \(unmanaged\), last seen [^.]+\. The platform knows the device/,
    );
    await field().fill('C02NOSUCHONE');
    expect(await page.locator('#find .answer').innerText()).toMatch(
      /^No such device: none of the \d+ devices of the run/,
    );
    expect(await options()).toEqual([]);
  });

  it('opens the card of a device by keyboard, also of one about which there is nothing to say', async () => {
    const row = (await rowsOfDevices()).find(
      ({ proven, status }) => proven === 'true' && status === 'Installed',
    ) as Row;
    await page.keyboard.press('Escape');
    await page.locator('h1').click();
    await page.keyboard.press('/');
    await field().fill(row.serial_number ?? '');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const card = page.locator('dialog[open]');
    expect(await card.innerText()).toContain(row.device_id);
    expect(await card.locator('.sentence').innerText()).toMatch(/^Installed, proven, last seen/);
    expect(page.url()).toContain(`#device=${row.source}/${row.device_id}`);
    await page.keyboard.press('Escape');
    await field().fill('');
  });
});

describe('the address', () => {
  it('has every number open the rows that it counts', async () => {
    const wrong = await page.evaluate<string[]>(`(async () => {
      const wrong = [];
      const links = [...document.querySelectorAll('a[data-rows]')].filter((link) => /^[\\d,]+( |$)/.test(link.textContent));
      for (const { dataset, textContent } of links) {
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
      return links.length > 40 ? wrong : ['only ' + links.length + ' numbers'];
    })()`);
    expect(wrong).toEqual([]);
  });

  it('keeps filters, search and order over a reload', async () => {
    await page.evaluate("location.hash = '#at=needs-action&needs-action.platform=windows&needs-action.sort=-name'");
    await list('needs-action').getByLabel('Search').fill('ws-');
    const before = await column('needs-action', 'name');
    const counted = await countOf('needs-action');
    expect(page.url()).toMatch(
      /#at=needs-action&needs-action\.platform=windows&needs-action\.sort=-name&needs-action\.q=ws-$/,
    );
    await page.reload();
    await page.waitForSelector('html[data-ready]');
    expect(await column('needs-action', 'name')).toEqual(before);
    expect(await countOf('needs-action')).toBe(counted);
    expect(await list('needs-action').getByLabel('Search').inputValue()).toBe('ws-');
    await list('needs-action').getByRole('button', { name: 'Show all' }).click();
  });

  it('says of a device that is gone what became of it, and of another that there is none', async () => {
    const gone = (await rowsOf('changes', night)).find((row) => row.change === 'removed') as Row;
    await page.evaluate(`location.hash = 'device=${gone.source}/${gone.device_id}'`);
    const sentence = page.locator('dialog[open] .sentence');
    expect(await sentence.innerText()).toBe(
      `It is no longer listed since the run of ${night.slot}. Its last status was ${gone.from_status}; serial number: ${gone.serial_number}.`,
    );
    await page.evaluate("location.hash = 'device=macs/never'");
    await expect
      .poll(() => sentence.innerText())
      .toMatch(/^No such device in the run of 2026-11-20: macs does not list it/);
    await page.keyboard.press('Escape');
  });
});

describe('a device’s card', () => {
  it('opens from its address, and holds everything known and the kept transitions', async () => {
    const change = (await rowsOf('changes', night)).find((row) => row.change === 'lost') as Row;
    const row = (await rowsOf('devices', night)).find((one) => one.device_id === change.device_id) as Row;
    await page.evaluate(`location.hash = 'device=${row.source}/${row.device_id}'`);
    const card = page.locator('dialog[open]');
    await card.waitFor();
    const text = await card.innerText();
    for (const key of [
      'device_name',
      'serial_number',
      'user',
      'model',
      'os_version',
      'status',
      'reason',
      'device_id',
      'source',
    ]) {
      expect(text).toContain(row[key]);
    }
    for (const key of ['value_at', 'last_seen_at', 'enrolled_at']) {
      expect(text).toContain(`${new Date(row[key] ?? '').toISOString().slice(0, 19).replace('T', ' ')} UTC`);
    }
    const { machine } = night.devices.find(({ facts }) => facts.id === row.device_id) ?? {};
    const { history = [] } = night.state.ledger.find(({ name }) => name === machine) ?? {};
    const steps = listTransitions(history).filter(({ to }) => to !== undefined);
    expect(await card.locator('ol').last().locator('li').count()).toBe(steps.length);
    expect(text).toContain(`${night.slot} Installed → Not Installed`);
    await card.getByRole('button', { name: 'Close' }).click();
  });
});

describe('an acknowledgement', () => {
  it('says on the card who knows of it, until when, and the ticket', async () => {
    const device = night.devices.find(({ judgement }) => judgement.counted && judgement.status === 'Not Installed');
    const known = { by: 'Ada <b>', until: '2026-12-24', ticket: 'SEC-17' };
    const devices = night.devices.map((one) =>
      one === device ? { ...one, judgement: { ...one.judgement, acknowledgement: known } } : one,
    );
    const other = await open({ ...night, devices });
    await other.page.evaluate(`location.hash = 'at=needs-action&needs-action.on=acknowledged'`);
    const rows = other.page.locator('[data-list=needs-action] tbody tr');
    await expect.poll(() => rows.count()).toBe(1);
    await rows.first().click();
    expect(await other.page.locator('dialog[open] dl').innerText()).toContain('Ada <b>, until 2026-12-24, SEC-17');
  });
});

describe('from a row to the work', () => {
  it('has the next step, and a link into the console of a server whose address is one', async () => {
    const sources = night.sources.map((source) => ({
      ...source,
      deviceAddress:
        source.name === 'macs' ? 'https://jamf.example.com/computers.html?id={id}&o=r' : 'javascript:canary()//{id}',
    }));
    const other = await open({ ...night, sources });
    const rows = await listNeedsAction();
    const card = other.page.locator('dialog[open]');
    const openFirstCard = async (source: string) => {
      const row = rows.find((one) => one.source === source) as Row;
      await other.page.evaluate(`location.hash = 'device=${row.source}/${row.device_id}'`);
      await card.waitFor();
      return row;
    };
    const mac = await openFirstCard('macs');
    expect(await card.locator('.next').first().innerText()).toMatch(/^Next step: \S/);
    const link = card.getByRole('link', { name: 'Open in Jamf Pro' });
    expect(await link.getAttribute('href')).toBe(`https://jamf.example.com/computers.html?id=${mac.device_id}&o=r`);
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    // Another card opens also where the first one closes at the same moment.
    const { device_id: windowsId = '' } = rows.find((one) => one.source === 'windows') as Row;
    await other.page.evaluate(
      `document.querySelector('dialog').close(); location.hash = 'device=windows/${windowsId}'`,
    );
    await card.getByText(windowsId).first().waitFor();
    expect(await card.getByRole('link', { name: /^Open in/ }).count()).toBe(0);
  });
});

describe('a device that two platforms know', () => {
  it('says on its card that the other one contradicts it and what failed, and shows the other record', async () => {
    const machine = { serialNumber: 'C02TWOKINDS', operatingSystem: 'macos' };
    const answers = [{ value: '2', at: at(1), detail: 'error 1603' }];
    const contrary = judgeOnce({
      sources: [
        makeSource('macs', [makeMac('1', 'Installed', machine)]),
        makeSource('windows', [makePc('a', '2', { ...machine, answers, lastSeenAt: at(1) })]),
      ],
    });
    const other = await open(contrary);
    const card = other.page.locator('dialog[open]');
    await other.page.evaluate(`location.hash = 'device=windows/a'`);
    await card.getByText('Another platform says the contrary of this machine, so nothing is proven.').waitFor();
    await card.getByText('Failed with error 1603. The installer itself failed').waitFor();
    await card.getByRole('link', { name: 'Show the other record' }).click();
    await card.getByText('windows / a').waitFor();
    expect(await card.getByText('Another platform says').count()).toBe(0);
    expect(other.errors).toEqual([]);
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

describe('notes', () => {
  it('mark the trend, and are listed below it', async () => {
    const notes = [
      { date: '2026-11-05', text: 'New version <i>' },
      { date: '2020-01-01', text: 'before the first run' },
    ];
    const other = await open({ ...night, notes });
    expect(await other.page.locator('.notes li').allInnerTexts()).toEqual(['2026-11-05: New version <i>']);
    expect(await other.page.locator('.chart[data-platform=all] line.note').count()).toBe(1);
  });
});

describe('the trend', () => {
  it('gives exact values by keyboard, and as a table', async () => {
    const plot = page.locator('.chart[data-platform=all] .plot');
    await plot.focus();
    const all = (await rowsOf('coverage', night)).at(-1) as Row;
    expect(await plot.getAttribute('aria-valuetext')).toContain(
      `${night.slot}: ${all.coverage}\u00a0% (certainly ${all.coverage_low}\u00a0%`,
    );
    await page.keyboard.press('Home');
    const oldest = night.state.history[0]?.slot ?? '';
    expect(await plot.getAttribute('aria-valuetext')).toContain(oldest);
    expect(await page.locator('.chart[data-platform=all] .readout').innerText()).toContain(oldest);
    await page.locator('#exact summary').click();
    await expect.poll(() => page.locator('#exact tbody tr').count()).toBe(night.state.history.length * 3);
  });

  it('gives the value under the pointer', async () => {
    const plot = page.locator('.chart[data-platform=macos] .plot');
    await plot.scrollIntoViewIfNeeded();
    const box = await plot.boundingBox();
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) * 0.98, (box?.y ?? 0) + 60);
    const readout = page.locator('.chart[data-platform=macos] .readout');
    await expect.poll(() => readout.innerText()).toContain(night.slot);
    await page.mouse.move((box?.x ?? 0) + 33, (box?.y ?? 0) + 60);
    await expect.poll(() => readout.innerText()).toContain(night.state.history[0]?.slot ?? '');
  });

  it('marks nights that were not complete, changes of the instrument, and leaves gaps', async () => {
    const chart = page.locator('.chart[data-platform=macos]');
    expect(await chart.locator('line.instrument').count()).toBe(1);
    // One night is missing from the history, and the line is torn there.
    expect(await chart.locator('polyline').count()).toBe(2);
    expect(await page.locator('.legend').innerText()).toContain('instrument changed');
  });
});

describe('every figure', () => {
  it('of every list is that of its table, row by row', async () => {
    const devices = await rowsOf('devices', night);
    const lists: Readonly<Record<string, readonly Row[]>> = {
      'all-devices': devices,
      'needs-action': await listNeedsAction(),
      'not-seen-recently': devices.filter(
        (row) => row.counted === 'true' && row.status === 'Installed' && row.stale === 'true',
      ),
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
      const boxes = list(name).locator('.columns');
      await boxes.locator('summary').click();
      for (const title of Object.keys(columns)) {
        await boxes.getByLabel(title, { exact: true }).check();
      }
      await page.keyboard.press('Escape');
      await list(name).getByRole('button', { name: 'Copy as table' }).click();
      await expect.poll(() => countOf(name)).toBe(`Copied ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}.`);
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

  it('of the breakdown is that of coverage-by.csv, field by field', async () => {
    const rows = await rowsOf('coverage-by', night);
    const options = await list('breakdown')
      .locator('select option')
      .evaluateAll((all) => all.map((one) => one.getAttribute('value')));
    expect(options).toEqual(['source', 'platform', 'reason', 'model', 'os_version', 'user']);
    for (const field of options.slice(0, -1)) {
      await list('breakdown').locator('select').selectOption(field);
      const shown = await list('breakdown')
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

  it('of a mail is that of its devices, longest missing first: a long list names what fits, of how many', async () => {
    const address = await readMail(page, 'user');
    const user = await list('breakdown').locator('tbody tr th').first().innerText();
    expect(address).toMatch(new RegExp(`^mailto:${user}\\?subject=`));
    const own = (await listNeedsAction()).filter((row) => row.user === user);
    for (const row of own) {
      expect(address).toContain(`${row.serial_number}, ${user}, missing since at least ${row.not_installed_since}`);
    }
    expect(address).toMatch(new RegExp(`${own.length} of ${own.length} devices? that needs? action by the run of `));
    const long = await readMail(page, 'platform');
    const platform = await list('breakdown').locator('tbody tr th').first().innerText();
    const rows = (await listNeedsAction()).filter((row) => row.platform === platform.toLowerCase());
    const named = [...long.matchAll(/^- (?:[^,\n]+, )?(\w+), .*missing since at least ([\d-]+)/gm)];
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

  it('of the trend is that of the runs, in the table and at every point of the drawing', async () => {
    const exact = page.locator('#exact');
    if ((await exact.getAttribute('open')) === null) {
      await exact.locator('summary').click();
    }
    const shown = await exact
      .locator('tbody tr')
      .evaluateAll((lines) => lines.map((line) => [...line.children].map((cell) => cell.textContent)));
    const all = night.state.history.map(({ slot, coverage }) => ({ slot, row: coverage.at(-1) }));
    for (const { slot, row } of all) {
      const line = shown.find(([date, platform]) => date === slot && platform === 'All devices');
      const percent = (part: number, round: (value: number) => number) =>
        (round((part / (row?.counted ?? 1)) * 10_000) / 100).toFixed(2);
      expect(line?.slice(2, 6)).toEqual([
        `${percent(row?.provenInstalled ?? 0, Math.floor)} – ${percent((row?.counted ?? 0) - (row?.provenNotInstalled ?? 0), Math.ceil)}`,
        percent(row?.installed ?? 0, Math.round),
        String(row?.notInstalled),
        String(row?.counted),
      ]);
    }
    const figure = page.locator('.chart[data-platform=all]');
    const [low, high] = [Number(await figure.getAttribute('data-low')), Number(await figure.getAttribute('data-high'))];
    const points = await figure
      .locator('polyline')
      .evaluateAll((lines) => lines.flatMap((line) => (line.getAttribute('points') ?? '').split(' ')));
    const drawn = new Map(points.map((point) => point.split(',').map(Number) as [number, number]));
    const days = (slot: string) => (Date.parse(slot) - Date.parse(all[0]?.slot ?? '')) / 86_400_000;
    for (const { slot, row } of all) {
      const x = Math.round((days(slot) / days(night.slot)) * 10_000) / 100;
      const value = ((row?.installed ?? 0) / (row?.counted ?? 1)) * 100;
      const y = drawn.get(x) ?? Number.NaN;
      expect(100 - y).toBeCloseTo(value, 1);
      expect(value >= low && value <= high).toBe(true);
    }
  });
});

describe('colours, paper and safety', () => {
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
    const rows = await listNeedsAction();
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

  it('says nothing on the console and asks nobody for anything', () => {
    expect(visit.errors).toEqual([]);
    expect(visit.requests).toEqual([]);
  });
});
