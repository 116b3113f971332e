/** The list of what changed: since the last complete run, within some days, and between any two of the last runs. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DeviceFacts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { addDays } from '../../src/core/time/calendar.ts';
import { judgeRuns, makeMac, makePc, makeSource } from '../core/make-facts.ts';
import { hasBrowser } from '../needs.ts';
import { type Row, rowsOf } from './csv.ts';
import { openQuarterPage } from './quarter-page.ts';
import { chooseFacet, findList, readColumn, readCount } from './read-page.ts';
import { useViewer } from './use-viewer.ts';

const { getViewer, open } = useViewer();

/** What matters most is first. */
const order = ['lost', 'new-not-installed', 'removed', 'excluded', 'recovered', 'new-installed', 'included', 'moved'];

const chooseSince = (page: Page, title: string) =>
  findList(page, 'changes').getByLabel('Period').selectOption({ label: title });

describe('a quarter of a year', () => {
  let night: Night;
  let page: Page;

  beforeAll(async () => {
    if (hasBrowser) {
      ({ night, page } = await openQuarterPage(getViewer()));
    }
  });

  it('has the rows of changes.csv first, with the users of listed machines', async () => {
    const place = ({ change }: Row) => order.indexOf(change ?? '');
    const rows = (await rowsOf('changes', night)).toSorted((left, right) => place(left) - place(right));
    const devices = await rowsOf('devices', night);
    const findUser = ({ source, device_id: id }: Row) =>
      devices.find((device) => device.source === source && device.device_id === id)?.user ?? '';
    expect(rows.length).toBeGreaterThan(0);
    expect(await readCount(page, 'changes')).toBe(`${rows.length} of ${rows.length} rows`);
    expect(await readColumn(page, 'changes', 'change')).toEqual(rows.map((row) => row.change));
    expect(await readColumn(page, 'changes', 'name')).toEqual(rows.map((row) => row.device_name));
    expect(await readColumn(page, 'changes', 'user')).toEqual(rows.map(findUser));
    expect(await readColumn(page, 'changes', 'source')).toEqual(rows.map((row) => row.source));
  });

  it('has what happened within the last 7 or 30 days, from the runs that it names', async () => {
    const slots = night.state.history.map(({ slot }) => slot);
    for (const days of [7, 30]) {
      await chooseSince(page, `the last ${days} days`);
      const from = slots.findLast((slot) => slot <= addDays(night.slot, -days)) ?? slots[0];
      const lead = await page.locator('#changes .lead').innerText();
      expect(lead).toContain(`From the run of ${from} to the run of ${night.slot}`);
      expect(page.url()).toContain(`changes.since=${days}`);
      expect(await page.locator('#changes .why').innerText()).toMatch(new RegExp(`since ${from}(; [^:]+)?: `));
    }
  });

  it('compares any two of the last runs: their figures, and each device that differs', async () => {
    const [from, to] = [night.state.history.at(-9)?.slot ?? '', night.slot];
    await page.evaluate(`location.hash = 'at=changes&changes.from=${from}&changes.to=${to}'`);
    const rows = page.locator('[data-list=changes] .compared tbody tr');
    await expect.poll(() => rows.first().innerText()).toContain(' %');
    const old = night.state.history.at(-9)?.coverage.at(-1);
    expect(await rows.nth(4).innerText()).toBe(
      `Needs action\t${old?.notInstalled}\t${night.coverage.at(-1)?.notInstalled}`,
    );
    // Before + came − went = after, each machine once.
    const [before, after] = await Promise.all(['before', 'after'].map((key) => readColumn(page, 'changes', key)));
    const names = await readColumn(page, 'changes', 'name');
    expect(names.length).toBeGreaterThan(5);
    const users = await readColumn(page, 'changes', 'user');
    const machines = names.map((name, at) => ({
      name: `${name} ${users[at]}`,
      before: before?.[at],
      after: after?.[at],
    }));
    const once = [...new Map(machines.map((one) => [one.name, one])).values()];
    const isIn = (text = '') => /^(Not )?Installed(, not proven)?$/.test(text);
    const came = once.filter((one) => !isIn(one.before) && isIn(one.after)).length;
    const went = once.filter((one) => isIn(one.before) && !isIn(one.after)).length;
    expect((old?.counted ?? 0) + came - went).toBe(night.coverage.at(-1)?.counted);
    const why = await page.locator('[data-list=changes] .why').innerText();
    expect(why).toMatch(
      new RegExp(`^[0-9.]+ %, (up|down) [0-9.]+ points? since ${from}(; certainly .+|; at most .+)?: .*\\.$`),
    );
    expect(why).not.toContain('not explained');
  });

  it('keeps its filters when the period changes, and the period when the filters are reset', async () => {
    await chooseSince(page, 'the last 30 days');
    await chooseFacet(page, 'changes', 'platform', 'Windows');
    await chooseSince(page, 'the last 7 days');
    expect(new Set(await readColumn(page, 'changes', 'platform'))).toEqual(new Set(['Windows']));
    await findList(page, 'changes').getByRole('button', { name: 'Show all' }).click();
    expect(page.url()).toContain('changes.since=7');
    expect(new Set(await readColumn(page, 'changes', 'platform')).size).toBe(2);
    await page.reload();
    await page.waitForSelector('html[data-ready]');
    expect(await page.locator('#changes .lead').innerText()).toContain('From the run of');
  });
});

describe('two sites', () => {
  const at = (site: string, more: Partial<DeviceFacts> = {}): Partial<DeviceFacts> => ({
    site,
    department: 'Sales',
    user: 'ada@example.com',
    ...more,
  });
  /** In the sixth of ten runs two Macs and a PC lost the agent, and a Mac was gone. */
  const world = (run: number) => {
    const status = run < 6 ? 'Installed' : 'Not Installed';
    const macs = [
      makeMac('1', status, at('Vienna')),
      makeMac('2', status, at('Graz')),
      makeMac('3', 'Installed', at('Vienna')),
    ];
    const left = run < 6 ? [makeMac('4', 'Installed', at('Vienna'))] : [];
    const pcs = [makePc('a', run < 6 ? '1' : '3', at('Vienna')), makePc('b', '1', at('Graz'))];
    return { sources: [makeSource('macs', [...macs, ...left]), makeSource('windows', pcs)] };
  };
  const last = (): Night => judgeRuns(...Array.from({ length: 10 }, (_, at) => world(at + 1))).at(-1) as Night;

  it('say in three actions which Macs of a site lost the agent this week', async () => {
    const { page, errors } = await open(last());
    await page.locator('nav a[href="#changes"]').click();
    await chooseSince(page, 'the last 7 days');
    await findList(page, 'changes').getByLabel('Search').fill('lost macos vienna');
    expect(await readCount(page, 'changes')).toBe('1 of 4 rows');
    const keys = ['change', 'name', 'platform', 'site', 'department', 'user', 'before', 'after', 'source'];
    const row = await Promise.all(keys.map(async (key) => (await readColumn(page, 'changes', key))[0]));
    expect(row).toEqual([
      ...['lost', 'mac-1', 'macOS', 'Vienna', 'Sales', 'ada@example.com'],
      ...['Installed', 'Not Installed', 'macs'],
    ]);
    expect(errors).toEqual([]);
  });

  it('have the last known place of a machine that is gone, and no user', async () => {
    const { page } = await open(last());
    await page.evaluate("location.hash = 'at=changes&changes.since=7&changes.change=removed'");
    await expect.poll(() => readColumn(page, 'changes', 'change')).toEqual(['removed']);
    expect(await readColumn(page, 'changes', 'site')).toEqual(['Vienna']);
    expect(await readColumn(page, 'changes', 'user')).toEqual(['']);
    expect(await readColumn(page, 'changes', 'after')).toEqual(['not listed']);
    await findList(page, 'changes').locator('tbody tr').click();
    await page.locator('dialog[open]').getByText('It is no longer listed since').waitFor();
  });

  it('say that nothing changed since the last complete run, and offer no period on a first run', async () => {
    const { page } = await open(last());
    expect(await findList(page, 'changes').innerText()).toContain('Nothing changed.');
    const first = await open(judgeRuns(world(1)).at(-1) as Night);
    expect(await findList(first.page, 'changes').getByLabel('Period').isVisible()).toBe(false);
  });
});
